"""What people say of runs and targets, apart from what was measured.

A run's name, tags, notes, project and forecast scenarios; which steps of a target's change plan are
done.
"""

from __future__ import annotations

import json

from advisor.run import (
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_TAG,
    MOST_TAGS,
    NO_LABEL,
    RunLabel,
)
from advisor.store.database import Database, now
from advisor.store.typed import build
from probes.redaction import cleaned


def keep(database: Database, run_id: int, label: RunLabel) -> None:
    """Keep a run's label in place of an older one; an empty one is forgotten."""
    with database.transaction():
        database.execute("DELETE FROM run_labels WHERE run_id = ?", (run_id,))
        insert(database, run_id, label)


def insert(database: Database, run_id: int, label: RunLabel) -> None:
    """Write a run's first label, unless it is empty; within a transaction."""
    if label == NO_LABEL:
        return
    tags = json.dumps([cleaned(tag) for tag in label.tags], ensure_ascii=False)
    database.execute(
        "INSERT INTO run_labels (run_id, name, tags, notes, project) VALUES (?, ?, ?, ?, ?)",
        (run_id, cleaned(label.name), tags, cleaned(label.notes), cleaned(label.project)),
    )


def read(name: object, tags: object, notes: object, project: object) -> RunLabel:
    """A label as it was kept; what a damaged or foreign file has in its place is left out."""
    try:
        stored = json.loads(tags) if isinstance(tags, str) else []
    except ValueError:
        stored = []
    known = [tag for tag in stored if isinstance(tag, str)] if isinstance(stored, list) else []
    return RunLabel(
        _line(name, LONGEST_NAME),
        tuple(_line(tag, LONGEST_TAG) for tag in known[:MOST_TAGS]),
        notes[:LONGEST_NOTES] if isinstance(notes, str) else "",
        _line(project, LONGEST_NAME),
    )


def _line(text: object, most: int) -> str:
    shown = text if isinstance(text, str) else ""
    return "".join(letter for letter in shown[:most] if letter.isprintable())


def keep_scenario(database: Database, run_id: int, name: str, sentence: str) -> None:
    """Keep a scenario, in place of an older one of that name."""
    with database.transaction():
        database.execute(
            "INSERT INTO scenarios VALUES (?, ?, ?)"
            " ON CONFLICT (run_id, name) DO UPDATE SET said = excluded.said",
            (run_id, cleaned(name), cleaned(sentence)),
        )


def scenarios(database: Database, run_id: int) -> dict[str, str]:
    """A run's scenarios by name; raises Malformed."""
    rows = database.rows("SELECT name, said FROM scenarios WHERE run_id = ?", (run_id,))
    return build(dict[str, str], {row["name"]: row["said"] for row in rows}, "a scenario")


def mark_step(database: Database, target: str, step: str, *, done: bool) -> None:
    """Keep that a step was done, or that it was not."""
    with database.transaction():
        if done:
            database.execute(
                "INSERT OR IGNORE INTO done_steps VALUES (?, ?, ?)", (target, cleaned(step), now())
            )
        else:
            database.execute(
                "DELETE FROM done_steps WHERE target = ? AND step = ?", (target, cleaned(step))
            )


def last_done_at(database: Database, target: str) -> str:
    """When the latest of a target's steps was ticked: UTC, ISO 8601; "" where none is."""
    rows = database.lenient_rows("SELECT done_at FROM done_steps WHERE target = ?", (target,))
    return max((str(row["done_at"]) for row in rows), default="")


def done_steps(database: Database, target: str) -> frozenset[str]:
    """What was done at a target, each step in the words of its plan."""
    rows = database.lenient_rows("SELECT step FROM done_steps WHERE target = ?", (target,))
    return frozenset(str(row["step"]) for row in rows)
