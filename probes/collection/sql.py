"""What collects with an account alone: a text of SQL, which hides secrets by its conditions."""

from __future__ import annotations

import re
from enum import StrEnum

from probes.collection.archive import FIRST_WORD
from probes.collection.patterns import awk_list
from probes.collection.questions import (
    BOTH,
    BY_FILE,
    CAREFUL,
    CONNECTION,
    FILES,
    OF_MARIADB,
    OF_MYSQL,
    SAMPLED,
    STATUS,
    SWITCHED_OFF,
    TIME,
    VARIABLES,
)
from probes.collection.script import FORMAT, filled, template, wrapped
from probes.inventory.ask_mysql import VERSION
from probes.watch import clients, server_series

_MARK = TIME.format(0)
_PIDS_EVERY = 10
_STRICT = ("exact", "text", "value")


class Dialect(StrEnum):
    """Whose SQL it is."""

    MYSQL = "mysql"
    MARIADB = "mariadb"


def sql_script(version: str, seconds: int, dialect: Dialect) -> str:
    """The statements, each second's one behind the other, as Leadline ``version`` writes them."""
    parts = {
        "flavour": "MySQL" if dialect is Dialect.MYSQL else "MariaDB",
        "version": version,
        "seconds": str(seconds),
        "format": str(FORMAT),
        "first_word": FIRST_WORD,
    }
    text = template("collect.sql")
    parts["line"] = str(text.partition("\nSELECT '")[0].count("\n") + 3)
    lines = [filled(text, parts).rstrip("\n")]
    for statement in _statements(seconds, dialect):
        lines += wrapped(f"{statement};")
    return "\n".join(lines) + "\n"


def _statements(seconds: int, dialect: Dialect) -> list[str]:
    own = OF_MYSQL if dialect is Dialect.MYSQL else OF_MARIADB
    # In a mode of its own a server would read the patterns otherwise.
    careful = ("SET SESSION sql_mode = ''", *CAREFUL)
    found = [*careful, VERSION, _harmless_variables(), CONNECTION, *own, *BOTH, SWITCHED_OFF]
    found += [_MARK, STATUS, *BY_FILE[:1], _MARK]
    for second in range(seconds + 1):
        if second:
            found.append("DO SLEEP(1)")
        found += [SAMPLED, _MARK, *FILES, server_series.HISTORY_QUESTION]
        found += _clients(second, dialect)
    return [*found, *BY_FILE, STATUS, _MARK]


def _clients(second: int, dialect: Dialect) -> list[str]:
    if dialect is Dialect.MARIADB:
        return [clients.IN_PROCESSES]
    found = [clients.IN_THREADS]
    if second % _PIDS_EVERY == 0:
        found.append(clients.OF_CLIENTS)
    return found


def _harmless_variables() -> str:
    """The question for the variables, without those whose name or value may be a secret."""
    by_kind: dict[str, list[str]] = {}
    for line in awk_list():
        kind, _, pattern = line.partition("\t")
        by_kind.setdefault(kind, []).append(_quoted(_in_sql(pattern)))
    by_name = " OR ".join(f"Variable_name REGEXP {each}" for each in by_kind["name"])
    spared = " OR ".join(f"Variable_name REGEXP {each}" for each in by_kind["no name"])
    looks = " AND ".join(f"Value NOT REGEXP {each}" for kind in _STRICT for each in by_kind[kind])
    empty = f"Value = '' OR Value REGEXP {by_kind['no value'][0]}"
    return f"{VARIABLES} WHERE {empty} OR ((NOT ({by_name}) OR {spared}) AND {looks})"


def _in_sql(pattern: str) -> str:
    """A pattern of the script's as servers have it: words' edges and white space written out."""
    for mark, meaning in (
        (r"\<", "(^|[^A-Za-z0-9_])"),
        (r"\>", "([^A-Za-z0-9_]|$)"),
        (r"\s", "[:space:]"),
    ):
        pattern = pattern.replace(mark, meaning)
    # A backslash within a set means itself to some servers and escapes to others.
    return re.sub(r"\[\\\\([^\]]*)\]", r"[\\\\\1]", pattern)


def _quoted(pattern: str) -> str:
    text = pattern.replace("\\", "\\\\").replace("'", "''")
    return f"'{text}'"
