"""Which steps of a target's change plan people have ticked as done."""

from __future__ import annotations

from advisor.store.database import Database, now
from probes.redaction import cleaned


def mark(database: Database, target: str, step: str, *, done: bool) -> None:
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


def of(database: Database, target: str) -> frozenset[str]:
    """What was done at a target, each step in the words of its plan."""
    rows = database.lenient_rows("SELECT step FROM done_steps WHERE target = ?", (target,))
    return frozenset(str(row["step"]) for row in rows)
