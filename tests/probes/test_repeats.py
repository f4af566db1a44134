"""Repeats of one setting: none replaces another, and what lies between them is told."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Reading
from advisor.model.curves.doublewrite_price import doublewrite_prices
from advisor.report.curve_axis import rows
from probes.inventory.facts import Inventory
from probes.points import REACH, Point, Probe, Setting, Trust
from probes.statistics.repeats import (
    MOST_REPEATS,
    REPEATED,
    REPEATS,
    Repeat,
    combined,
    curves,
    repeats_in,
)
from tests.points import doubted, doubts_of, point

READ = Setting(Probe.RANDOM_READ, 4, 16384, 1, "/d")
SYNC = Setting(Probe.REDO_SYNC, 1, 4096, 1, "/d", {"sync": "fdatasync"})


def reads(*rates: float, half: float = 0.02) -> list[Point]:
    return [point(READ, rate, half, id=number) for number, rate in enumerate(rates, 1)]


def test_one_point_stays_as_it_is() -> None:
    [alone] = reads(1000.0)
    assert combined([alone]) == [alone]


def test_repeats_that_agree_are_surer_than_one() -> None:
    [made] = combined(reads(1000.0, 1000.0, 1000.0, 1000.0))
    assert made.rate_per_s == pytest.approx(1000)
    half = made.ci95_per_s[1] / made.rate_per_s - 1
    assert half == pytest.approx(0.01, rel=0.05)
    assert made.details[REPEATS] == 4


def test_repeats_that_disagree_are_as_unsure_as_they_lie_apart() -> None:
    [made] = combined(reads(500.0, 1000.0))
    assert made.rate_per_s == pytest.approx(math.sqrt(500 * 1000), rel=0.01)
    low, high = made.ci95_per_s
    assert low < 500 and high > 1000


def test_the_last_repeat_is_not_the_only_one_that_counts() -> None:
    disturbed = [*reads(1000.0, 1000.0, 1000.0), replace(reads(100.0)[0], id=9)]
    [curve] = curves([*disturbed, point(replace(READ, threads=8), 1500.0)])
    assert curve.points[0].rate_per_s > 400
    [row] = rows(disturbed)
    assert [each.rate_per_s for each in row.points.values()] == [curve.points[0].rate_per_s]


def test_facts_take_all_repeats() -> None:
    both = [point(SYNC, rate, id=number) for number, rate in enumerate((100.0, 400.0), 1)]
    case = Case("t", Inventory("2026-01-01T00:00:00Z"), tuple(both))
    reading = CATALOGUE["redo.fdatasync"].read(case)
    assert isinstance(reading, Reading) and isinstance(reading.value, Point)
    assert reading.value.rate_per_s == pytest.approx(200)
    assert reading.value.latency.p50_us == pytest.approx(5000)
    assert reading.value.ci95_per_s[0] < 100 and reading.value.ci95_per_s[1] > 400


def test_a_price_is_that_of_all_repeats() -> None:
    flush = Setting(Probe.PAGE_FLUSH, 4, 16384, 1, "/d", {"doublewrite": "off"})
    on = replace(flush, options={"doublewrite": "on"})
    taken = [point(flush, 1000.0), point(on, 800.0), point(on, 200.0), point(flush, 1000.0)]
    case = Case("t", Inventory("2026-01-01T00:00:00Z"), tuple(taken))
    [price] = doublewrite_prices(case.usable)
    assert price.on is not None and price.on.rate_per_s == pytest.approx(400)


def test_a_repeat_that_was_slowed_counts_less_than_one_that_was_not() -> None:
    slowed = replace(
        reads(500.0)[0], trust=Trust.DOUBTFUL, doubts=doubted("slow"), details={REACH: [1.0, 3.0]}
    )
    [made] = combined([slowed, *reads(1000.0)])
    assert made.rate_per_s > 850
    assert made.trust is Trust.OK and not doubts_of(made)
    assert made.reach[1] < 1.5


def test_rejected_repeats_count_only_where_there_is_no_other() -> None:
    rejected = replace(reads(10.0)[0], trust=Trust.REJECTED)
    assert combined([rejected, *reads(1000.0)]) == reads(1000.0)
    assert combined([rejected, replace(rejected, id=2)]) == [replace(rejected, id=2)]


def test_first_touches_and_other_engines_stay_apart() -> None:
    touch = replace(READ, options={"set": "first_touch", "touch": "first"})
    fio = point(READ, 1000.0, engine="fio")
    several = [point(touch, 10.0), point(touch, 20.0), *reads(1000.0), fio]
    assert combined(several) == several


def test_what_is_unknown_of_a_repeat_stays_unknown() -> None:
    unknown = replace(reads(1000.0)[0], ci95_per_s=(math.nan, math.nan))
    latency = replace(unknown.latency, p999_us=math.nan)
    [made] = combined([replace(unknown, latency=latency), replace(unknown, rate_per_s=1100.0)])
    assert made.ci95_per_s[0] < 1000 and made.ci95_per_s[1] > 1100
    assert math.isnan(made.latency.p999_us)


@pytest.mark.parametrize(("between", "least"), [(0.0, 0.93), (0.3, 0.80)])
def test_the_interval_covers_the_truth(between: float, least: float) -> None:
    """Of three repeats with or without a spread between them; a few repeats hardly tell theirs."""
    random = Random(1)
    inside = 0
    for _ in range(400):
        rates = [
            1000 * math.exp(random.gauss(0, between) + random.gauss(0, 0.05)) for _ in range(3)
        ]
        [made] = combined(reads(*rates, half=0.10))
        inside += made.ci95_per_s[0] <= 1000 <= made.ci95_per_s[1]
    assert inside / 400 >= least


def test_each_repeat_is_kept_with_when_it_came() -> None:
    other = point(replace(READ, threads=8), 1500.0)
    made = combined([*reads(1000.0), other, *reads(1100.0)])[0]
    assert [(each.position, each.rate_per_s) for each in repeats_in(made)] == [
        (0, 1000.0),
        (2, 1100.0),
    ]
    assert repeats_in(made)[0] == Repeat.of(0, reads(1000.0)[0])
    assert combined([made]) == [made]
    assert repeats_in(other) == ()


@pytest.mark.parametrize(
    "told",
    [
        "0",
        [[0, 1000.0, 0.01, 1.0]],
        [[0, 0.0, 0.01, 1.0, 1.0]],
        [[-1, 1000.0, 0.01, 1.0, 1.0]],
        [[0, math.inf, 0.01, 1.0, 1.0]],
        [[0, 1000.0, 0.0, 1.0, 1.0]],
        [[0, 1000.0, 0.01, 2.0, 1.0]],
        [[0, "1000", 0.01, 1.0, 1.0]],
        [[0, 1000.0, 0.01, 1.0, 1.0]] * (MOST_REPEATS + 1),
    ],
)
def test_what_is_no_list_of_repeats_counts_as_none(told: object) -> None:
    [one] = reads(1000.0)
    assert repeats_in(replace(one, details={REPEATED: told})) == ()
