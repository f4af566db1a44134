"""The same advice gives the same plan, and none gives none."""

from __future__ import annotations

from advisor.outcomes import Recommendation
from advisor.plan.planning import make_plan
from tests.plan.builders import (
    MYSQL80,
    advice,
    case_of,
    command,
    setting,
)
from tests.plan.test_planning import CAPACITY


def test_an_empty_plan() -> None:
    plan = make_plan(case_of(MYSQL80, {}), [])
    assert (plan.actions, plan.left_out) == ((), ())


def test_the_same_advice_gives_the_same_plan_in_any_order() -> None:
    now = {"innodb_lru_scan_depth": "1024", "innodb_flush_neighbors": "1", **CAPACITY}
    chosen: list[Recommendation] = [
        advice("a.x", setting("innodb_lru_scan_depth", "1024", "2048")),
        advice("b.y", setting("innodb_flush_neighbors", "1", "0")),
        advice("c.z", setting("innodb_io_capacity", "200", "800")),
        advice("d.host", command()),
    ]
    case = case_of(MYSQL80, now)
    assert make_plan(case, chosen) == make_plan(case, chosen[::-1])
