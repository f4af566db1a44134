"""Hiding the secrets that an older program kept: this one would not keep them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from advisor.store.database import Database, FileFault, LockedError, now
from probes.figures import counted
from probes.inventory.redact import clean_answer
from probes.redaction import HIDDEN, RULES, cleaned, hides


@dataclass(frozen=True, slots=True)
class _Column:
    """A text that others had a part in; ``clean`` takes its row's name ("" for none) and itself."""

    table: str
    run: str
    name: str
    text: str
    clean: Callable[[str, str], str]


def _by_look(_name: str, text: str) -> str:
    return cleaned(text)


def _by_name(name: str, text: str) -> str:
    return HIDDEN if hides(name, text) else text


_COLUMNS = (
    _Column("raw_answers", "run_id", "name", "answer", clean_answer),
    _Column("conditions", "run_id", "name", "value", _by_name),
    _Column("missing_facts", "run_id", "''", "because", _by_look),
    _Column("run_warnings", "run_id", "''", "message", _by_look),
    _Column("runs", "id", "''", "reason", _by_look),
    _Column("run_labels", "run_id", "''", "name", _by_look),
    _Column("run_labels", "run_id", "''", "notes", _by_look),
    _Column("run_labels", "run_id", "''", "project", _by_look),
    _Column("scenarios", "run_id", "''", "said", _by_look),
    _Column("judged_rows", "run_id", "''", "row", _by_look),
)


def clean_file(database: Database) -> tuple[str, ...]:
    """Clean a database that was not cleaned by the list of now; what its user should know.

    The file is rewritten, so that the old values, also those of deleted runs, are gone from it.
    Raises StoreError when the file can't be written.
    """
    if _was_cleaned(database):
        return ()
    # What is taken out is overwritten with zeros, also where the file can't be rewritten.
    database.execute("PRAGMA secure_delete = ON")
    hidden, runs = clean(database)
    gone = _written_anew(database)
    if gone:
        database.execute("INSERT OR IGNORE INTO cleanings VALUES (?, ?, ?)", (RULES, now(), hidden))
    if not hidden:
        return ()
    warning = (
        f"{counted(hidden, 'value')} that may be secrets, kept by an older Leadline in"
        f" {counted(runs, 'run')}, {'is' if hidden == 1 else 'are'} hidden now in {database.path}."
        " Reports and case files that were made of these runs may still hold them."
    )
    if not gone:
        warning += (
            " The file could not be rewritten, so what was deleted from it earlier may be there"
            " still: close other Leadline windows, make room on its disk, and start Leadline again."
        )
    return (warning,)


def clean_read_only(database: Database) -> tuple[str, ...]:
    """Clean the copy of a database that can't be written; what its user should know."""
    if _was_cleaned(database):
        return ()
    again = "start Leadline once where it may write the file, so that they are hidden there, too"
    return _clean_copy(database, again)


def clean_foreign(database: Database) -> tuple[str, ...]:
    """Clean the copy of a case file, whatever it reports; what its reader should know."""
    again = "have it exported again by this version, and change what others may have seen"
    return _clean_copy(database, again)


def _clean_copy(database: Database, advice: str) -> tuple[str, ...]:
    hidden, _ = clean(database)
    if not hidden:
        return ()
    return (
        f"{counted(hidden, 'value')} in {database.path} that may be secrets"
        f" {'is' if hidden == 1 else 'are'} hidden here. The file itself still holds"
        f" {'it' if hidden == 1 else 'them'}: {advice}.",
    )


def _was_cleaned(database: Database) -> bool:
    return bool(database.rows("SELECT 1 FROM cleanings WHERE rules = ?", (RULES,)))


def clean(database: Database) -> tuple[int, int]:
    """Hide what may be a secret, run by run; how many values that were, in how many runs."""
    hidden = runs = 0
    for row in database.rows("SELECT id FROM runs"):
        found = _clean_run(database, row["id"])
        hidden += found
        runs += found > 0
    return hidden, runs


def _clean_run(database: Database, run_id: int) -> int:
    """Clean one run in a transaction of its own, so that nobody waits for long."""
    changed = [
        (column, row["row"], clean, row["text"])
        for column in _COLUMNS
        for row in _rows(database, column, run_id)
        if (clean := column.clean(str(row["name"]), row["text"])) != row["text"]
    ]
    if not changed:
        return 0
    with database.transaction():
        database.execute("INSERT INTO cleaning VALUES (1)")
        for column, row, clean, _ in changed:
            database.execute(
                f"UPDATE {column.table} SET {column.text} = ? WHERE rowid = ?",  # noqa: S608 - ours
                (clean, row),
            )
        database.execute("DELETE FROM cleaning")
    return sum(max(1, clean.count(HIDDEN) - was.count(HIDDEN)) for _, _, clean, was in changed)


def _rows(database: Database, column: _Column, run_id: int) -> list[sqlite3.Row]:
    rows = database.lenient_rows(
        f"SELECT rowid AS row, {column.name} AS name, {column.text} AS text"  # noqa: S608 - ours
        f" FROM {column.table} WHERE {column.run} = ?",
        (run_id,),
    )
    return [row for row in rows if isinstance(row["text"], str)]


def _written_anew(database: Database) -> bool:
    """Rewrite the file and empty its log; False when others have it open or the disk is full."""
    try:
        database.execute("VACUUM")
        busy, _, _ = database.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0]
    except (LockedError, FileFault):
        return False
    return not busy
