"""Saved targets: how a server is reached, without any secret."""

from __future__ import annotations

from advisor.store.codec import dump, load_target
from advisor.store.database import Database, now
from probes.targets.address import TargetSpec


def save(database: Database, spec: TargetSpec) -> None:
    """Keep ``spec`` under its name, in place of an older one."""
    with database.transaction():
        database.execute(
            "INSERT INTO targets VALUES (?, ?, ?) ON CONFLICT (name)"
            " DO UPDATE SET spec = excluded.spec, saved_at = excluded.saved_at",
            (spec.name, dump(spec), now()),
        )


def read_all(database: Database) -> list[TargetSpec]:
    """The saved targets by name."""
    rows = database.rows("SELECT spec FROM targets ORDER BY name COLLATE NOCASE, name")
    return [load_target(row["spec"]) for row in rows]


def read(database: Database, name: str) -> TargetSpec | None:
    """The target that was saved as ``name``."""
    rows = database.rows("SELECT spec FROM targets WHERE name = ?", (name,))
    return load_target(rows[0]["spec"]) if rows else None


def delete(database: Database, name: str) -> None:
    """Forget a target; its runs stay."""
    with database.transaction():
        database.execute("DELETE FROM targets WHERE name = ?", (name,))
