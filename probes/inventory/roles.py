"""Which directory serves which purpose, by a server's variables."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from probes.inventory.facts import Role
from probes.version import Flavour, ServerVersion

REDO_FOLDER = "#innodb_redo"
"""Where MySQL 8.0.30 and later keep their redo log files, inside innodb_log_group_home_dir."""


def role_directories(variables: Mapping[str, str], version: ServerVersion) -> dict[Role, str]:
    """Map roles to absolute directories on the server's machine; none when it reports no datadir.

    A role that the server does not have (no binary log) is left out. Relative paths are resolved
    against datadir, as the server does.
    """
    datadir = variables.get("datadir", "")
    if not datadir.startswith("/"):
        return {}
    found = {
        Role.DATA: datadir,
        Role.REDO: _redo(variables, version),
        Role.DOUBLEWRITE: _doublewrite(variables, version),
        Role.UNDO: variables.get("innodb_undo_directory") or _system_tablespace(variables),
        Role.BINLOG: _log_directory(variables, "log_bin"),
        Role.RELAY_LOG: _log_directory(variables, "relay_log"),
        Role.TMP: _temporary(variables),
    }
    return {
        role: posixpath.normpath(posixpath.join(datadir, directory))
        for role, directory in found.items()
        if directory is not None
    }


def _redo(variables: Mapping[str, str], version: ServerVersion) -> str:
    home = variables.get("innodb_log_group_home_dir") or "."
    inside = version.at_least(Flavour.MYSQL, 8, 0, 30)
    return posixpath.join(home, REDO_FOLDER) if inside else home


def _doublewrite(variables: Mapping[str, str], version: ServerVersion) -> str:
    """Own files since MySQL 8.0.20; before, and in MariaDB, part of the system tablespace."""
    own = variables.get("innodb_doublewrite_dir", "")
    if version.at_least(Flavour.MYSQL, 8, 0, 20) and own:
        # The server marks a bare name so that it can't be taken for a schema's folder.
        return own if own[0] in "./#" else f"#{own}"
    return _system_tablespace(variables)


def _system_tablespace(variables: Mapping[str, str]) -> str:
    """The directory of the first file in innodb_data_file_path, which may be absolute."""
    home = variables.get("innodb_data_home_dir", "")
    first = variables.get("innodb_data_file_path", "").partition(":")[0]
    return posixpath.join(home or ".", posixpath.dirname(first))


def _log_directory(variables: Mapping[str, str], log: str) -> str | None:
    """The directory of a log's base name; None when the server writes no such log."""
    if variables.get(log, "").upper() == "OFF":
        return None
    base = variables.get(f"{log}_basename", "")
    return posixpath.dirname(base) if base else None


def _temporary(variables: Mapping[str, str]) -> str | None:
    """Where online DDL sorts; of several directories in tmpdir the first."""
    return variables.get("innodb_tmpdir") or variables.get("tmpdir", "").partition(":")[0] or None
