"""A stored run as rules see it."""

from __future__ import annotations

from dataclasses import replace

from advisor.case import Case
from advisor.store.store import Store
from probes.inventory.read import read
from probes.trust.review import review
from probes.trust.surroundings import Surroundings


def load_case(store: Store, run_id: int) -> Case:
    """A stored run as rules see it: its answers read again, its points, its conditions.

    The points' trust is judged anew beside each other, as far as it can fall.
    """
    inventory = read(store.raw_inventory(run_id))
    conditions = dict(store.conditions(run_id))
    if conditions.get("mysql") == "sandbox" and inventory.mysql is not None:
        inventory = replace(inventory, mysql=replace(inventory.mysql, sandbox=True))
    summary = store.run(run_id)
    conditions["plan"] = summary.plan
    surroundings = Surroundings.of(inventory, conditions.get("directory", ""))
    points = tuple(review(store.points(run_id), surroundings))
    return Case(summary.target, inventory, points, run_id, conditions)
