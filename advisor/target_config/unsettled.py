"""Which parts of a server's load a plan changes, so that it has to be looked at again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod

from advisor.case import Case
from advisor.facts.watched.redo import REDO_CAPACITY
from advisor.model.server.redo_log import WANTED_S
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.target import whole
from advisor.rulekit.facts import Facts, FactSource
from advisor.steps import SetVariable
from advisor.workload.flushing.checkpoint import redo_log
from advisor.workload.pool.held import filled

POOL, CAPACITY = "innodb_buffer_pool_size", "innodb_redo_log_capacity"
LOG_SIZES = (CAPACITY, "innodb_log_file_size", "innodb_log_files_in_group")
OPENS = ("innodb_flush_method", "innodb_data_file_buffering")
PACE = ("innodb_io_capacity", "innodb_io_capacity_max")

WORTH_A_LOOK = 1.2
"""A pool or a log that changes by less leaves the load as it is."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """Which parts of the load are others once a plan is done."""

    pool: bool = False
    redo: bool = False
    opening: bool = False
    pace: bool = False

    @property
    def any(self) -> bool:
        """Whether the server has to be looked at again."""
        return self.pool or self.redo or self.opening or self.pace

    @property
    def writes(self) -> bool:
        """Whether nobody knows how many pages will be written."""
        return self.pool or self.redo or self.pace


def unsettled_by(case: Case, plan: ChangePlan) -> Unsettled:
    """Say which parts of the load a plan changes."""
    steps = [step for _, step in plan.settings(Group.ONLINE, Group.RESTART)]
    moved = {step.name: _factor(step) for step in steps}
    much = {name for name, factor in moved.items() if not 1 / WORTH_A_LOOK < factor < WORTH_A_LOOK}
    # Whether a lower pace is enough only a look shows: else it would go down again and again.
    slower = any(moved.get(name, 1.0) <= 1 / WORTH_A_LOOK for name in PACE)
    facts = Facts(FactSource(case))
    return Unsettled(
        pool=POOL in much and not _keeps_all(facts, steps),
        redo=not much.isdisjoint(LOG_SIZES) and not _holds_an_hour(facts, moved),
        opening=not moved.keys().isdisjoint(OPENS),
        pace=slower,
    )


def _keeps_all(facts: Facts, steps: Iterable[SetVariable]) -> bool:
    """Whether a smaller pool has room for every page that the server's own ever held."""
    now, then = pool_sizes(steps)
    return filled(facts, now) <= then < now


def pool_sizes(steps: Iterable[SetVariable]) -> tuple[float, float]:
    """The pool's size before and after these steps, in bytes; equal where none of them sets it."""
    pool = next((step for step in steps if step.name == POOL), None)
    sizes = (None, None) if pool is None else (whole(pool.standing.value), whole(pool.value))
    return (float(sizes[0]), float(sizes[1])) if sizes[0] and sizes[1] else (1.0, 1.0)


def _holds_an_hour(facts: Facts, moved: Mapping[str, float]) -> bool:
    """Whether the redo log holds an hour of its growth before and after: pages don't feel it."""
    capacity = facts.find(REDO_CAPACITY)
    now = None if capacity is None else redo_log(facts, capacity)
    if now is None:
        return False
    then = replace(now, capacity=now.capacity * prod(moved.get(each, 1.0) for each in LOG_SIZES))
    return min(now.held_s, then.held_s) >= WANTED_S and not then.late


def _factor(step: SetVariable) -> float:
    try:
        return max(float(step.value), 1.0) / max(float(step.standing.value), 1.0)
    except ValueError:
        return 1.0
