"""A stored run as rules see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.case import Case
from advisor.lab.findings import findings
from advisor.run import RunKind, RunState
from advisor.store.store import Store
from advisor.tried import Tried
from probes.inventory.read import read
from probes.points import Point
from probes.trust.review import review
from probes.trust.surroundings import Surroundings


def load_case(store: Store, run_id: int) -> Case:
    """A stored run as rules see it: its answers read again, its points, its conditions.

    The points' trust is judged again beside each other, as far as it can fall.
    """
    inventory = read(store.raw_inventory(run_id))
    conditions = dict(store.conditions(run_id))
    if conditions.get("mysql") == "sandbox" and inventory.mysql is not None:
        inventory = replace(inventory, mysql=replace(inventory.mysql, sandbox=True))
    summary = store.run(run_id)
    conditions["plan"] = summary.plan
    case = Case(summary.target, inventory, (), run_id, conditions, tried=tried(store, run_id))
    return with_points(case, store.points(run_id))


def tried(store: Store, run_id: int) -> tuple[Tried, ...]:
    """What labs have found for the target of a run, the latest first: of each value once."""
    found: dict[tuple[str, str, str, str, int], Tried] = {}
    for run in store.runs(store.run(run_id).target):
        if run.kind is RunKind.LAB and run.state is not RunState.RUNNING:
            for each in findings(store.lab(run.id), run.id, run.started_at[:10]):
                key = (each.setting, each.before, each.value, each.load, each.connections)
                found.setdefault(key, each)
    return tuple(found.values())


def with_points(case: Case, points: Sequence[Point]) -> Case:
    """The case with these points, their trust judged beside each other."""
    surroundings = Surroundings.of(case.inventory, case.conditions.get("directory", ""))
    return replace(case, points=tuple(review(points, surroundings)))
