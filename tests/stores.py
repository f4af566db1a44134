"""New databases of tests, made in one step: the program makes each by every step since its first.

Tests open hundreds, and the steps take eight times as long. Those of the store itself
(tests/advisor/store) make theirs as the program does, and so does every program that is started
whole.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from advisor.store.database import Database
from advisor.store.schema import opening
from advisor.store.schema.migrations import APPLICATION_ID, Migration, applied, known, migrate
from advisor.store.store import Store

_FILLED = ("migrations", "cleanings")
"""What a database holds rows in as soon as it is there."""


def make_at_once() -> None:
    """Have new databases made in one step from now on."""
    _as_made()
    opening.migrate = _made_at_once  # type: ignore[attr-defined]


def make_step_by_step() -> None:
    """Have them made as the program does."""
    opening.migrate = migrate  # type: ignore[attr-defined]


def _made_at_once(database: Database, steps: list[Migration]) -> None:
    if applied(database) == 0 and not database.rows("SELECT 1 FROM sqlite_master"):
        schema, rows = _as_made()
        with database.transaction():
            # Another program that was started at the same moment may have been first.
            if applied(database) == 0:
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                for statement in schema:
                    database.execute(statement)
                for table, values in rows:
                    marks = ", ".join("?" * len(values))
                    database.execute(f"INSERT INTO {table} VALUES ({marks})", values)
    migrate(database, steps)


@cache
def _as_made() -> tuple[list[str], list[tuple[str, tuple[object, ...]]]]:
    """What the program makes: the statements, and the rows that are there from the start."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder, "store")) as store:
        made = store._database
        told = made.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        rows = [
            (table, tuple(row)) for table in _FILLED for row in made.rows(f"SELECT * FROM {table}")
        ]
    assert len([table for table, _ in rows if table == "migrations"]) == len(known())
    return [row[0] for row in told if "sqlite_" not in row[0][:30]], rows
