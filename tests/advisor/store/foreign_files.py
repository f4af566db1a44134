"""Changing a case file as only somebody else would: what Leadline's own triggers forbid."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path


def tamper(file: Path, *statements: str, values: Sequence[object] = ()) -> None:
    """Carry out ``statements`` beside the triggers, which stand there again afterwards.

    ``values`` are for a statement that is given alone.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement, values)
        for _, sql in triggers:
            connection.execute(sql)
