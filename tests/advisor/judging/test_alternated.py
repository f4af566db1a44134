"""How the ratio of settings is drawn that were measured in turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import geometric_mean

import pytest

from advisor.case import Case
from advisor.judging.draws.draws import draws
from advisor.judging.over_draws import judge
from advisor.model.curves.ratio import rate_ratio
from advisor.outcomes import Verdict
from probes.points import BUFFERS, Point, Probe, Setting
from probes.statistics.repeats import combined
from tests.points import point
from tests.rules.casework import build

NUMBER = 64
SYNC = Setting(Probe.REDO_SYNC, 1, 4096, 1, "/d", {"sync": "fdatasync"})
FLUSH = Setting(Probe.PAGE_FLUSH, 4, 16384, 1, "/d", {"doublewrite": "off"})
MIXED = Setting(Probe.MIXED, 16, 16384, 1, "/d", {"part": "reads", "flush_per_s": "0"})
READ = Setting(Probe.RANDOM_READ, 64, 16384, 1, "/d", {BUFFERS: "huge"})

WAYS = {
    "ways to sync": (SYNC, {"sync": "fsync"}),
    "doublewrite": (FLUSH, {"doublewrite": "on"}),
    "flushing beside reads": (MIXED, {"flush_per_s": "1000"}),
    "buffers": (READ, {BUFFERS: "ordinary"}),
}

SLOWER = (1000.0, 2000.0, 750.0, 1400.0)
TIMES = (1.18, 1.20, 1.21, 1.23)


def pairs(first: Setting, options: dict[str, str], *, in_turns: bool = True) -> list[Point]:
    """Four pairs that neighbours moved by far more than they differ in."""
    second = replace(first, options={**first.options, **options})
    over = [point(first, times * rate) for times, rate in zip(TIMES, SLOWER, strict=True)]
    under = [point(second, rate) for rate in SLOWER]
    if not in_turns:
        return numbered([*over, *under])
    turned = [
        pair if number % 2 == 0 else pair[::-1]
        for number, pair in enumerate(zip(over, under, strict=True))
    ]
    return numbered([each for pair in turned for each in pair])


def numbered(points: Sequence[Point]) -> list[Point]:
    return [
        replace(each, id=at, details={BUFFERS: each.setting.options.get(BUFFERS, "huge")})
        for at, each in enumerate(points, 1)
    ]


def ratios(points: Sequence[Point]) -> list[float]:
    case: Case = replace(build({}), points=tuple(points))
    found = []
    for draw in draws(case, (), NUMBER):
        drawn = draw.case.points
        first = [each.rate_per_s for each in drawn if each.setting == drawn[0].setting]
        second = [each.rate_per_s for each in drawn if each.setting != drawn[0].setting]
        found.append(geometric_mean(first) / geometric_mean(second))
    return sorted(found)


@pytest.mark.parametrize("way", WAYS)
def test_the_ratio_is_drawn_as_the_pairs_have_it(way: str) -> None:
    drawn = ratios(pairs(*WAYS[way]))
    assert 1.15 < drawn[0] < 1.205 < drawn[-1] < 1.27


def test_what_was_not_measured_in_turns_is_drawn_apart() -> None:
    drawn = ratios(pairs(*WAYS["doublewrite"], in_turns=False))
    assert drawn[2] < 1.1 and drawn[-3] > 1.3


def test_a_ratio_of_pairs_keeps_what_each_rate_may_be() -> None:
    """The neighbours moved both rates: that stands in each of them as before."""
    points = pairs(*WAYS["doublewrite"])
    case = replace(build({}), points=tuple(points))
    for at, each in enumerate(combined(points)):
        drawn = sorted(draw.case.points[at].rate_per_s for draw in draws(case, (), NUMBER))
        assert drawn[1] < 0.8 * each.rate_per_s and drawn[-2] > 1.25 * each.rate_per_s


def test_the_interval_of_a_price_is_that_of_the_pairs() -> None:
    off, on = combined(pairs(*WAYS["doublewrite"]))
    ratio = rate_ratio(off, on)
    assert ratio.value == pytest.approx(1.205, abs=0.01)
    assert 1.17 < ratio.low < ratio.high < 1.24
    apart = rate_ratio(*combined(pairs(*WAYS["doublewrite"], in_turns=False)))
    assert apart.low < 0.9


def test_kinds_of_buffers_are_there_in_each_draw() -> None:
    """What only they tell is said to users, too."""
    found = judge(
        build(
            {
                "version": "8.0.33",
                "variables": {"innodb_buffer_pool_size": str(1 << 30), "large_pages": "OFF"},
                "host": {"memory_gib": 16.0},
                "buffers": {"ordinary": [30000, 30200], "huge": [39000, 39300]},
            }
        )
    )
    [said] = [each for each in found.recommendations if each.rule == "buffer-pool.large-pages"]
    assert said.verdict is Verdict.WATCH
