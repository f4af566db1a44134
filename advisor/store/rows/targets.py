"""Saved targets: how a server is reached, without any secret."""

from __future__ import annotations

from advisor.store.codec import dump, load_target
from advisor.store.damage import DamagedError
from advisor.store.database import Database, now
from advisor.target_names import in_order
from probes.boundary.malformed import Malformed
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
    """The saved targets by name, without those that are damaged."""
    return [spec for spec in _kept(database).values() if spec is not None]


def damaged(database: Database) -> list[str]:
    """The names of those that are damaged."""
    return [name for name, spec in _kept(database).items() if spec is None]


def read(database: Database, name: str) -> TargetSpec | None:
    """The target that was saved as ``name``; raises DamagedError."""
    rows = database.lenient_rows("SELECT spec FROM targets WHERE name = ?", (name,))
    if not rows:
        return None
    try:
        return load_target(str(rows[0]["spec"]))
    except Malformed as error:
        raise DamagedError(
            f"What is kept of the target {name} is damaged: {error}.", "Save it again."
        ) from error


def _kept(database: Database) -> dict[str, TargetSpec | None]:
    """All of them by name, None for what can't be read."""
    rows = database.lenient_rows("SELECT name, spec FROM targets")
    kept = {str(row["name"]): _spec(str(row["spec"])) for row in rows}
    return dict(sorted(kept.items(), key=lambda item: (in_order(item[0]), item[0])))


def _spec(text: str) -> TargetSpec | None:
    try:
        return load_target(text)
    except Malformed:
        return None


def delete(database: Database, name: str) -> None:
    """Forget a target; its runs stay."""
    with database.transaction():
        database.execute("DELETE FROM targets WHERE name = ?", (name,))
