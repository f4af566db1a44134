"""What a server's file is for: by its kind in the Performance Schema, and by its name."""

from __future__ import annotations

import re
from posixpath import basename

from probes.watch.words import FileRole

DATA_FILE = "innodb/innodb_data_file"
"""All of InnoDB's tablespaces: to the Performance Schema, undo and ibdata1 are data files, too."""

DOUBLEWRITE_FILE = "innodb/innodb_dblwr_file"

KINDS = {
    DATA_FILE: FileRole.DATA,
    "innodb/innodb_log_file": FileRole.REDO,
    DOUBLEWRITE_FILE: FileRole.DOUBLEWRITE,
    "innodb/innodb_temp_file": FileRole.TEMP,
    "innodb/innodb_temp_nopfs_file": FileRole.TEMP,
    "sql/binlog": FileRole.BINLOG,
    "sql/relaylog": FileRole.RELAY_LOG,
    "sql/io_cache": FileRole.TEMP,
    "mysys/IO_CACHE": FileRole.TEMP,
}
"""Which kind of file of the Performance Schema has which role; what is not named is other."""

_NAMES = (
    (re.compile(r"(undo_?\d+|.*\.ibu)\Z"), FileRole.UNDO),
    (re.compile(r"ibdata\d*\Z"), FileRole.SYSTEM),
    (re.compile(r"(ibtmp\d*|temp_\d+\.ibt|#sql.*\.(MA[ID]|MY[ID]))\Z"), FileRole.TEMP),
    (re.compile(r"(#?ib_.*\.b?dblwr|[ix]b_doublewrite.*)\Z"), FileRole.DOUBLEWRITE),
)
"""What says more than a kind that has several roles; the agent's trace goes by the same names."""


def role_of(kind: str, path: str) -> FileRole:
    """The role of the file at ``path``, which the Performance Schema counts as a ``kind``."""
    role = KINDS.get(kind, FileRole.OTHER)
    if role not in (FileRole.DATA, FileRole.OTHER):
        return role
    name = basename(path)
    return next((named for pattern, named in _NAMES if pattern.match(name)), role)
