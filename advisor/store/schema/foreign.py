"""A database that somebody else made: read as a copy, once it is seen to be one of ours."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

from advisor.store.database import CorruptError, Database, OverLimitError
from advisor.store.schema.migrations import APPLICATION_ID, known, migrate
from advisor.store.schema.shapes import refuse_unknown
from probes import figures

MOST_FILE_BYTES = 128 << 20
"""A day of measuring without a pause; the file is held in memory while it is read."""

MOST_ROWS = {
    "runs": 1000,
    "pins": 1000,
    "lab_turns": 100_000,
    "trial_pairs": 100_000,
    "points": 5000,
    "raw_answers": 1000,
    "missing_facts": 10_000,
    "conditions": 1000,
    "run_warnings": 10_000,
    "canary_beats": 200_000,
    "host_samples": 200_000,
}
"""What one file may hold, several times what the longest runs do."""

MOST_LETTERS = 4 << 20
"""Of all answers of a run; they are searched for secrets, which takes seconds for that many."""


def read(path: Path) -> Database:
    """The file as a database in memory, in the shape that this program knows.

    Raises CorruptError where it is damaged or none of Leadline's, NewerError, OverLimitError where
    it is too large, and FileFault.
    """
    size = path.stat().st_size
    if size > MOST_FILE_BYTES:
        raise OverLimitError(
            path, f"has {figures.size(size)}; at most {figures.size(MOST_FILE_BYTES)} are read"
        )
    with ExitStack() as half_way:
        database = half_way.enter_context(closing(Database.copy_of(path)))
        database.execute("PRAGMA foreign_keys = ON")
        if database.rows("PRAGMA application_id")[0][0] != APPLICATION_ID:
            raise CorruptError(path, "It lacks Leadline's mark.")
        refuse_unknown(database)
        database.check(values=True)
        migrate(database, known())
        _refuse_empty(database)
        _refuse_many(database)
        _refuse_long(database)
        half_way.pop_all()
    return database


def _refuse_empty(database: Database) -> None:
    if not database.rows("SELECT 1 FROM runs LIMIT 1"):
        raise CorruptError(database.path, "It holds no run.")


def _refuse_many(database: Database) -> None:
    for table, most in MOST_ROWS.items():
        count = database.rows(f"SELECT count(*) FROM {table}")[0][0]  # noqa: S608 - ours
        if count > most:
            raise OverLimitError(
                database.path, f"holds {count} {table.replace('_', ' ')}; a case has at most {most}"
            )


def _refuse_long(database: Database) -> None:
    letters = database.rows("SELECT coalesce(sum(length(answer)), 0) FROM raw_answers")[0][0]
    if letters > MOST_LETTERS:
        raise OverLimitError(
            database.path,
            f"holds {figures.size(letters)} of answers; a case has at most "
            f"{figures.size(MOST_LETTERS)}",
        )
