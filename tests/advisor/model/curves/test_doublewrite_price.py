"""What doublewrite costs, from flushing with it and without it."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from advisor.model.curves.doublewrite_price import doublewrite_prices
from advisor.model.curves.ratio import Ratio, rate_ratio
from probes.points import Trust
from probes.statistics.repeats import combined
from tests.advisor.model.curves.mixtures import flushing


def test_the_price_of_both_ways() -> None:
    [price] = doublewrite_prices(
        [flushing("off", 10_000.0), flushing("on", 6000.0), flushing("legacy", 2400.0)]
    )
    assert price.on_ratio is not None
    assert price.on_ratio.value == pytest.approx(0.6)
    assert 0.58 < price.on_ratio.low < 0.6 < price.on_ratio.high < 0.62
    assert price.on_ratio.is_sure
    assert price.legacy_ratio is not None
    assert price.legacy_ratio.value == pytest.approx(0.24)
    assert price.renewal is not None
    assert price.renewal.value == pytest.approx(2.5)


def test_a_price_that_may_be_chance_is_not_sure() -> None:
    [price] = doublewrite_prices(
        [flushing("off", 1000.0, half=0.1), flushing("on", 980.0, half=0.1)]
    )
    assert price.on_ratio is not None
    assert not price.on_ratio.is_sure
    assert (price.legacy, price.legacy_ratio, price.renewal) == (None, None, None)


def test_only_what_is_alike_is_compared() -> None:
    points = [
        flushing("off", 10_000.0),
        flushing("on", 6000.0, threads=1),
        flushing("on", 9000.0, size=4096),
        flushing("on", 8000.0, engine="fio"),
    ]
    assert doublewrite_prices(points) == []
    assert len(doublewrite_prices([*points, flushing("legacy", 3000.0)])) == 1


def test_all_repeats_count_and_rejected_ones_do_not() -> None:
    later = [flushing("off", 10_000.0), flushing("on", 4000.0), flushing("on", 6250.0)]
    [price] = doublewrite_prices(combined(later))
    assert price.on_ratio is not None
    assert price.on_ratio.value == pytest.approx(0.5)
    assert doublewrite_prices([replace(point, trust=Trust.REJECTED) for point in later]) == []


def test_the_interval_of_a_ratio_holds_it_as_often_as_it_says() -> None:
    """Of 400 pairs of rates with a true ratio of 0.6, about 380 intervals hold it."""
    chance = random.Random(9)
    off, on = flushing("off", 1000.0, half=0.05), flushing("on", 600.0, half=0.05)
    held = 0
    for _ in range(400):
        pair = []
        for point in (on, off):
            rate = point.rate_per_s * (1 + chance.gauss(0, 0.05 / 1.96))
            pair.append(replace(point, rate_per_s=rate, ci95_per_s=(rate * 0.95, rate * 1.05)))
        ratio = rate_ratio(*pair)
        held += ratio.low <= 0.6 <= ratio.high
    assert 368 <= held <= 392


def test_an_unknown_interval_stays_unknown() -> None:
    unknown = replace(flushing("on", 600.0), ci95_per_s=(math.nan, math.nan))
    ratio = rate_ratio(unknown, flushing("off", 1000.0))
    assert ratio.value == pytest.approx(0.6)
    assert math.isnan(ratio.low)
    assert not ratio.is_sure
    assert Ratio(2.0, 1.5, 2.5).is_sure
