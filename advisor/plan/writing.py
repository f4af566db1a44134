"""How a setting is written, in SQL and in an option file, by the server's own version."""

from __future__ import annotations

import re

from advisor.plan import foreign_words
from advisor.variables.catalogue import MYSQL, span
from advisor.variables.standing import Standing
from probes.version import ServerVersion

TOO_LONG = (
    f"longer than a line of an option file can be: MariaDB reads {foreign_words.LONGEST_LINE_BYTES}"
    " bytes at once"
)
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_UNSAFE = set("'\"`\\")

RESIZED = r"Completed|Size did not change|.*(failed|cannot)|$"
"""How the answer to ``resize_sql`` begins once no resize is under way; "" when there was none."""

_NEVER_PERSISTED = frozenset(
    {
        "innodb_buffer_pool_load_at_startup",
        "innodb_data_file_path",
        "innodb_data_home_dir",
        "innodb_dedicated_server",
        "innodb_directories",
        "innodb_doublewrite",
        "innodb_force_load_corrupted",
        "innodb_log_group_home_dir",
        "innodb_page_size",
        "innodb_temp_data_file_path",
        "innodb_temp_tablespaces_dir",
        "innodb_undo_directory",
        "innodb_undo_tablespaces",
        "log_bin",
        "tmpdir",
    }
)
"""What a server refuses to keep itself, or takes only over a certified connection."""


def persists(version: ServerVersion) -> bool:
    """Whether the server can keep a value itself: SET PERSIST."""
    return version.at_least(MYSQL, 8, 0)


def persistable(version: ServerVersion, name: str) -> bool:
    """Whether the server can keep this setting itself for its next start: SET PERSIST_ONLY."""
    return persists(version) and name not in _NEVER_PERSISTED


def writable(value: str) -> bool:
    """Whether a value means the same in SQL, in an option file and on one line of a text."""
    return value.isprintable() and value == value.strip() and not _UNSAFE & set(value)


def set_sql(scope: str, name: str, value: str) -> str:
    """``SET <scope> name = value;``; the scope is GLOBAL, PERSIST or PERSIST_ONLY."""
    return f"SET {scope} {name} = {foreign_words.sql(value)};"


def read_sql(name: str) -> str:
    """The statement that shows what the server has now."""
    return f"SELECT @@GLOBAL.{name};"


def resize_sql() -> str:
    """The statement that shows how far a resize of the buffer pool is; its answer is a text."""
    return "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status';"


def forget_sql(name: str) -> str:
    """The statement after which the server no longer keeps a value itself."""
    return f"RESET PERSIST IF EXISTS {name};"


def online_sql(version: ServerVersion, name: str, value: str, *, keep: bool = True) -> str:
    """The statement that changes a setting now, and for good where the server can keep it.

    Without ``keep`` it lasts until the next start. What a function changes takes a second statement
    to be kept.
    """
    kept, known = keep and persistable(version, name), span(version, name)
    if known is None or not known.call:
        return set_sql("PERSIST" if kept else "GLOBAL", name, value)
    called = f"SELECT {known.call}({foreign_words.sql(value)});"
    return f"{called}\n{set_sql('PERSIST_ONLY', name, value)}" if kept else called


def online_undo_sql(version: ServerVersion, standing: Standing) -> str:
    """Return to the old value; what was persisted before stays persisted."""
    back = online_sql(version, standing.name, standing.value, keep=standing.persisted)
    forget = persistable(version, standing.name) and not standing.persisted
    return f"{back}\n{forget_sql(standing.name)}" if forget else back


def cnf_line(name: str, value: str, version: ServerVersion | None = None) -> str:
    """One line of an option file; a comment where no server would read it whole."""
    if version is not None and version.before(MYSQL, 5, 6):
        # There some switches ignore the words and stay as they are.
        value = foreign_words.SWITCHES.get(value.upper(), value)
    line = f"{name} = {foreign_words.option_file(value)}"
    return line if read_whole(line) else f"# {name}: its value is {TOO_LONG}."


def read_whole(line: str) -> bool:
    """Whether every server reads a line of an option file as one."""
    return len(line.encode("utf-8", "replace")) <= foreign_words.LONGEST_LINE_BYTES


def cnf_line_back(standing: Standing, version: ServerVersion | None = None) -> str:
    """The line that returns to the old value; a comment where there was no line."""
    if standing.default or not standing.value:
        return f"# take the line {standing.name} out again"
    return cnf_line(standing.name, standing.value, version)
