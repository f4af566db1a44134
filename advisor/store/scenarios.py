"""What was forecast of a run's server, by the names that people gave it."""

from __future__ import annotations

from advisor.store.database import Database
from advisor.store.typed import build
from probes.redaction import cleaned


def keep(database: Database, run_id: int, name: str, said: str) -> None:
    """Keep a scenario, in place of an older one of that name."""
    with database.transaction():
        database.execute(
            "INSERT INTO scenarios VALUES (?, ?, ?)"
            " ON CONFLICT (run_id, name) DO UPDATE SET said = excluded.said",
            (run_id, cleaned(name), cleaned(said)),
        )


def of(database: Database, run_id: int) -> dict[str, str]:
    """A run's scenarios by name; raises Malformed."""
    rows = database.rows("SELECT name, said FROM scenarios WHERE run_id = ?", (run_id,))
    return build(dict[str, str], {row["name"]: row["said"] for row in rows}, "a scenario")
