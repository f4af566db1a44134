"""What people call runs: name, tags, notes and project, apart from what was measured."""

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
from advisor.store.database import Database
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
        told = json.loads(tags) if isinstance(tags, str) else []
    except ValueError:
        told = []
    known = [tag for tag in told if isinstance(tag, str)] if isinstance(told, list) else []
    return RunLabel(
        _line(name, LONGEST_NAME),
        tuple(_line(tag, LONGEST_TAG) for tag in known[:MOST_TAGS]),
        notes[:LONGEST_NOTES] if isinstance(notes, str) else "",
        _line(project, LONGEST_NAME),
    )


def _line(text: object, most: int) -> str:
    said = text if isinstance(text, str) else ""
    return "".join(letter for letter in said[:most] if letter.isprintable())
