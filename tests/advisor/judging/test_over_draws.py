"""What is said of a case whose figures are ranges."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from advisor.judging import engine
from advisor.judging.over_draws import LIKELY, SURE, WORTH_A_TRY, judge
from advisor.outcomes import Confidence, NotJudged, Recommendation, Verdict
from advisor.wording.advice.why import sentence
from probes.doubts import stated
from probes.trust.doubt import Remark, lower, slowed
from tests.rules.casework import build

SERVER: dict[str, Any] = {
    "version": "8.0.33",
    "variables": {"innodb_flush_neighbors": "1", "innodb_io_capacity": "200"},
    "drive": {"rotational": True},
    "host": {"memory_gib": 16.0, "cpus": 4, "virtual": True},
    "reads_16k": [[1, 14000], [4, 40000], [16, 60000], [64, 61000]],
}


COMMITS_SLOWED: dict[str, Any] = {
    "drive": {"name": "nvme0n1", "rotational": False},
    "mixed": [[0, 100, 800], [2000, 102, 820], [8000, 110, 1100]],
    "rates": {"Innodb_pages_written": 9000},
    "trust": "doubtful",
}
"""Commits that are a third slower beside what the server flushes, or no slower at all."""


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
    remark = Remark(stated("steal"), most=slowed(stolen))
    case = type(case)(
        case.target, case.inventory, tuple(lower(point, [remark]) for point in case.points)
    )
    found = of("flushing.flush-neighbors", judge(case).recommendations)
    assert found.verdict is Verdict.RECOMMEND
    assert found.share >= SURE
    assert found.confidence == of(found.rule, engine.judge(case).recommendations).confidence


def test_a_figure_on_both_sides_of_its_bound_leaves_the_question_open() -> None:
    """Doubted without a figure, a rate may be half or twice what was measured."""
    judged = judge(build(SERVER | COMMITS_SLOWED))
    found = of("placement.redo", judged.not_judged)
    assert found in judged.open
    assert found not in judged.unknown
    assert found.turns_on == "mysql.status.Innodb_pages_written"
    because = sentence(found.why)
    assert because.startswith("It turns on pages written.")
    assert "Over the ranges of the figures, it is fine in " in because


def test_what_is_fine_or_only_watched_is_no_question() -> None:
    """Nothing is done in either case, so most of the draws have it, with their share."""
    near = {"version": "8.0.33", "sync": {"fdatasync": 1000.0}, "trust": "doubtful"}
    judged = judge(build(SERVER | near))
    found = of("durability.redo-sync", judged.recommendations)
    assert found.verdict in {Verdict.FINE, Verdict.WATCH}
    assert 0.5 <= found.share < LIKELY
    assert found.confidence is Confidence.LOW
    assert "of what the figures may truly be" in found.because


def test_a_change_that_would_wait_for_another_is_no_question() -> None:
    """Before the redo log is larger nobody would buy a drive for it: it is watched meanwhile."""
    small = {
        "variables": SERVER["variables"] | {"innodb_redo_log_capacity": "104857600"},
        "rates": COMMITS_SLOWED["rates"] | {"Innodb_redo_log_current_lsn": 6e6},
    }
    judged = judge(build(SERVER | COMMITS_SLOWED | small))
    assert of("redo.capacity", judged.recommendations).verdict is Verdict.RECOMMEND
    found = of("placement.redo", judged.recommendations)
    assert "placement.redo" not in {one.rule for one in judged.open}
    assert found.verdict in {Verdict.FINE, Verdict.WATCH}
    assert found.share < SURE
    assert not found.steps


@pytest.mark.parametrize(("age", "is_open"), [(20, False), (60, True)])
def test_a_change_that_is_made_only_where_it_is_asked_for_is_no_question(
    age: int, is_open: bool
) -> None:
    """A drive that is good at 8,000 pages/s and not at 16,000 does not decide a plan of 10,000."""
    found = judge(
        build(
            {
                "version": "8.4.6",
                "writes_many": [[1, 24500], [16, 90000], [64, 92000]],
                "flush": {"off": 72000, "on": 39000, "legacy": 28000},
                "mixed": [[0, 100, 40], [4000, 108, 42], [8000, 124, 45], [16000, 190, 60]],
                "variables": {"innodb_io_capacity": "10000", "innodb_io_capacity_max": "20000"},
                "rates": {"Innodb_pages_written": 2600},
                "gauges": {"Innodb_checkpoint_age": age, "Innodb_checkpoint_max_age": 100},
            }
        )
    )
    assert ("flushing.io-capacity" in {one.rule for one in found.open}) is is_open


@pytest.mark.parametrize(
    ("commits", "low", "high"), [(600, SURE, 1.0), (240, WORTH_A_TRY, LIKELY), (100, SURE, 1.0)]
)
def test_what_a_hand_over_takes_is_drawn(commits: int, low: float, high: float) -> None:
    """It takes 100 us of a processor, 50 to 200: 1 % of two of them are 200 commits/s of these."""
    spec: dict[str, Any] = {
        "version": "8.0.33",
        "variables": {"innodb_log_writer_threads": "ON"},
        "host": {"cpus": 2},
        "rates": {"Com_commit": commits, "Com_update": commits},
    }
    found = of("redo.writer-threads", judge(build(spec)).recommendations)
    assert (found.verdict is Verdict.RECOMMEND) is (commits > 200)
    assert low <= found.share <= high
    spec["rates"] = {"Com_commit": 200, "Com_update": 200}
    one = of(found.rule, judge(build(spec)).open)
    assert one.turns_on == "redo.hand_over"
    # It was measured elsewhere: no longer look at this server narrows it.
    assert one.closes_s is None


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
                # What is fine or only watched is said by most of the draws.
                assert one.share >= (WORTH_A_TRY if one.verdict is Verdict.RECOMMEND else 0.5)
                assert one.confidence is not Confidence.HIGH
                likely = "Likely" if one.share >= LIKELY else "Worth a try"
                assert f"{likely}: it holds for " in one.because
    assert shares


def test_what_brings_too_little_to_be_felt_is_no_question() -> None:
    """Redo syncs take 0.3 % of query time: which of two calls is faster decides nothing."""
    server: dict[str, Any] = {
        "version": "8.0.36",
        "variables": {"innodb_use_fdatasync": "OFF", "log_bin": "OFF"},
        "sync": {"fdatasync": 32, "fsync": 35.4},
        "rates": {"Com_commit": 310, "Com_insert": 310, "Com_update": 0, "Com_delete": 0},
        "watched": {
            "running": [4.5, 4.6, 4.7] * 10,
            "files": [["redo", "sync", 330, 48, 46, 50]],
        },
        "trust": "doubtful",
    }
    found = judge(build(server))
    assert "durability.use-fdatasync" not in {one.rule for one in found.open}
    alone = {key: value for key, value in server.items() if key != "watched"}
    assert "durability.use-fdatasync" in {one.rule for one in judge(build(alone)).open}
