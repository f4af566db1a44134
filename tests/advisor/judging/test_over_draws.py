"""What is said of a case whose figures are ranges."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from advisor.judging import engine
from advisor.judging.over_draws import LIKELY, SURE, WORTH_A_TRY, judge
from advisor.outcomes import Confidence, NotJudged, Recommendation, Verdict
from probes.points import Trust
from probes.trust.doubt import Doubt, lower, slowed
from tests.rules.casework import build

SERVER: dict[str, Any] = {
    "version": "8.0.33",
    "variables": {"innodb_flush_neighbors": "1", "innodb_io_capacity": "200"},
    "drive": {"rotational": True},
    "host": {"memory_gib": 16.0, "cpus": 4, "virtual": True},
    "reads_16k": [[1, 14000], [4, 40000], [16, 60000], [64, 61000]],
}


Named = TypeVar("Named", Recommendation, NotJudged)


def of(rule: str, outcomes: tuple[Named, ...]) -> Named:
    return next(one for one in outcomes if one.rule == rule)


def test_exact_figures_give_what_the_rules_give() -> None:
    case = build({key: value for key, value in SERVER.items() if key != "reads_16k"})
    assert judge(case) == engine.judge(case)


def test_the_same_case_is_judged_alike() -> None:
    case = build(SERVER | {"trust": "doubtful"})
    assert judge(case) == judge(case)


@pytest.mark.parametrize("stolen", [0.2, 0.45])
def test_a_fast_read_under_steal_is_a_fast_read(stolen: float) -> None:
    """At 71 us a read, somebody took time from it: the drive alone is faster still."""
    case = build(SERVER)
    doubt = Doubt(Trust.DOUBTFUL, "steal", most=slowed(stolen))
    case = type(case)(
        case.target, case.inventory, tuple(lower(point, [doubt]) for point in case.points)
    )
    found = of("flushing.flush-neighbors", judge(case).recommendations)
    assert found.verdict is Verdict.RECOMMEND
    assert found.share >= SURE
    assert found.confidence == of(found.rule, engine.judge(case).recommendations).confidence


def test_a_figure_on_both_sides_of_its_bound_leaves_the_question_open() -> None:
    """Doubted without a figure, a rate may be half or twice what was measured."""
    near = {"version": "8.0.33", "sync": {"fdatasync": 1000.0}, "trust": "doubtful"}
    judged = judge(build(SERVER | near))
    found = of("durability.redo-sync", judged.not_judged)
    assert found in judged.open
    assert found not in judged.unknown
    assert found.turns_on == "redo.sync_cost"
    assert found.because.startswith("It turns on what a sync of the redo log takes")
    assert "Over what the figures may truly be, it is " in found.because


def test_what_lacks_a_fact_is_not_open() -> None:
    judged = judge(build({"version": "8.0.33"}))
    assert judged.not_judged
    assert judged.open == ()
    assert judged.unknown == judged.not_judged


def test_less_sure_advice_says_so_and_weighs_less() -> None:
    shares = {}
    for p50_us in (1200.0, 1300.0, 1400.0, 1500.0, 1700.0):
        spec = SERVER | {"sync": {"fdatasync": p50_us}, "trust": "doubtful"}
        for one in judge(build(spec)).recommendations:
            if one.share < SURE:
                shares[one.rule] = one.share
                assert one.share >= (WORTH_A_TRY if one.verdict is Verdict.RECOMMEND else LIKELY)
                assert one.confidence is not Confidence.HIGH
                likely = "Likely" if one.share >= LIKELY else "Worth a try"
                assert f"{likely}: it holds for " in one.because
    assert shares
