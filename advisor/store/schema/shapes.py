"""The shapes that Leadline's databases have had, to compare a file with before anything is read."""

from __future__ import annotations

import re
from contextlib import closing
from functools import cache
from pathlib import Path

from advisor.store.database import CorruptError, Database
from advisor.store.schema.migrations import RECORDS, applied, known, migrate, refuse_newer

Shape = frozenset[tuple[object, ...]]
"""Type, name, table and the words of the SQL of all that a database has."""

_MOST_PARTS = 500

# Programs of other versions of SQLite wrote the same with other quotes and spaces.
_WORDS = re.compile(
    r"""'(?:[^']|'')*'|"(?P<name>\w+)"|(?P<nothing>--[^\n]*|\s+)|\w+|.""", re.DOTALL
)


def refuse_unknown(database: Database) -> None:
    """Make sure that a file has a shape that Leadline gave it: nothing in it is evaluated.

    No view, trigger, virtual table or computed column of anybody else's passes. Raises CorruptError
    for another shape and NewerError for a newer program's file.
    """
    shape = _shape(database)
    if _RECORDS not in shape:
        raise CorruptError(database.path, "It lacks Leadline's list of migrations.")
    refuse_newer(database, known())
    if shape != _of_version(applied(database)):
        raise CorruptError(database.path, "Its tables are not as Leadline makes them.")


def refuse_incomplete(database: Database) -> None:
    """Make sure that a file of this program's version has all tables and columns of it.

    What somebody has added, an index or a view, does no harm. Raises CorruptError.
    """
    lacking = _newest_columns() - _columns(database)
    if lacking:
        table, column = min(lacking)
        raise CorruptError(database.path, f"It lacks the column {column} of its table {table}.")


def _columns(database: Database) -> frozenset[tuple[str, str]]:
    rows = database.lenient_rows(
        "SELECT tables.name AS name, columns.name AS part"
        " FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns"
        " WHERE tables.type = 'table'"
    )
    return frozenset((str(row["name"]), str(row["part"])) for row in rows)


@cache
def _newest_columns() -> frozenset[tuple[str, str]]:
    with closing(Database(Path(":memory:"))) as database:
        migrate(database, known())
        return _columns(database)


def _shape(database: Database) -> Shape:
    rows = database.lenient_rows(
        "SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?", (_MOST_PARTS,)
    )
    return frozenset((*tuple(row)[:3], _words(row["sql"])) for row in rows)


@cache
def _of_version(number: int) -> Shape:
    """The shape after that many migrations, made by them."""
    with closing(Database(Path(":memory:"))) as database:
        migrate(database, [step for step in known() if step.number <= number])
        return _shape(database)


def _words(sql: object) -> tuple[str, ...]:
    """An SQL text without what means nothing: space, comments, quotes around plain names."""
    found = _WORDS.finditer(sql) if isinstance(sql, str) else ()
    return tuple(each["name"] or each[0] for each in found if not each["nothing"])


_RECORDS = ("table", "migrations", "migrations", _words(RECORDS.replace("IF NOT EXISTS ", "")))
