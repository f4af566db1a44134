"""Brings a database to the shape that this program knows, in steps that are all or nothing."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from importlib import resources

from advisor.store.database import CorruptError, Database, now
from probes._version import __version__ as program
from probes.errors import StoreError

APPLICATION_ID = 0x4C656164
"""Marks the file as Leadline's in SQLite's header ("Lead")."""

RECORDS = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    program TEXT NOT NULL
) STRICT
"""


class NewerError(StoreError):
    """The file was written by a newer program."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step."""

    number: int
    name: str
    sql: str


def known() -> list[Migration]:
    """The steps that ship with this program, in their order."""
    found = []
    for file in (resources.files("resources") / "migrations").iterdir():
        match = re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name)
        if match:
            found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    return sorted(found, key=lambda step: step.number)


def migrate(database: Database, steps: list[Migration]) -> None:
    """Apply the steps that ``database`` lacks, each together with its record.

    Raises NewerError when the file comes from a newer program, CorruptError when a step does not
    fit it.
    """
    refuse_newer(database, steps)
    for step in steps:
        if step.number > applied(database):
            _apply(database, step)


def _apply(database: Database, step: Migration) -> None:
    # Not executescript: it commits before it starts, and would leave half a step behind.
    with database.transaction():
        if step.number <= applied(database):
            return  # another program that was started at the same moment did it
        try:
            _carry_out(database, step)
        except (sqlite3.OperationalError, sqlite3.IntegrityError) as error:
            # The steps are right for what they were made for: the file is something else.
            raise CorruptError(database.path, str(error)) from error


def _carry_out(database: Database, step: Migration) -> None:
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute(RECORDS)
    for statement in statements(step.sql):
        database.execute(statement)
    database.execute(
        "INSERT INTO migrations VALUES (?, ?, ?, ?)", (step.number, step.name, now(), program)
    )


def statements(script: str) -> list[str]:
    """The statements of a script, each ending at a line's end; triggers are one statement each."""
    found = []
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part.strip())
            part = ""
    if part.strip():
        raise ValueError(f"a migration ends within a statement: {part.strip()[:60]!r}")
    return found


def applied(database: Database) -> int:
    """The number of the last step that was applied, 0 for an empty file."""
    if not database.rows("SELECT 1 FROM sqlite_master WHERE name = 'migrations'"):
        return 0
    return int(database.rows("SELECT coalesce(max(number), 0) FROM migrations")[0][0])


def refuse_newer(database: Database, steps: list[Migration]) -> None:
    """Raise NewerError where a program that knows more than ``steps`` wrote the file."""
    newest = steps[-1].number if steps else 0
    if applied(database) <= newest:
        return
    last = database.lenient_rows("SELECT program FROM migrations ORDER BY number DESC LIMIT 1")[0]
    raise NewerError(
        f"The database {database.path} was written by a newer Leadline ({last['program']};"
        f" this is {program}).",
        "Update Leadline, or name another folder in LEADLINE_HOME to start with an empty database.",
    )
