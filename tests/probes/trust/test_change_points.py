"""Cliffs of long writes are found where they are, and none are found in noise."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.points import Sample
from probes.trust.change_points import Phase, phases, read_phases
from probes.trust.levels import levels
from tests.probes.trust.made import samples

BLOCK = 1 << 20


def noise(
    chance: random.Random, count: int, *, mean: float, swing: float, alike: float
) -> list[float]:
    """Rates that swing around a mean; each is like the one before by ``alike``."""
    state, made = chance.gauss(0, swing), []
    for _ in range(count):
        state = alike * state + chance.gauss(0, swing * math.sqrt(1 - alike * alike))
        made.append(max(0.0, mean * (1 + state)))
    return made


def skewed(chance: random.Random, count: int) -> list[float]:
    return [1000 * math.exp(chance.gauss(0, 0.4)) for _ in range(count)]


def stalling(chance: random.Random, count: int) -> list[float]:
    """A drive that nearly stops for one sample in seven."""
    return [(100 if n % 7 == 0 else 1000) * chance.uniform(0.9, 1.1) for n in range(count)]


NOISES: dict[str, Callable[[random.Random, int], list[float]]] = {
    "small": lambda chance, n: noise(chance, n, mean=1000, swing=0.1, alike=0),
    "large": lambda chance, n: noise(chance, n, mean=1000, swing=0.3, alike=0),
    "wandering": lambda chance, n: noise(chance, n, mean=1000, swing=0.2, alike=0.5),
    "skewed": skewed,
    "stalling": stalling,
}


@pytest.mark.parametrize("name", NOISES)
def test_noise_has_one_phase(name: str) -> None:
    """At most 1 of 50 minutes of noise is taken for more than one phase."""
    chance = random.Random(3)
    wrong = sum(len(phases(samples(NOISES[name](chance, 300)), BLOCK)) > 1 for _ in range(50))
    assert wrong <= 1


@pytest.mark.parametrize(("swing", "alike"), [(0.05, 0.0), (0.2, 0.0), (0.2, 0.5)])
@pytest.mark.parametrize("after", [700.0, 500.0, 100.0])
def test_a_cliff_is_found_where_it_is(swing: float, alike: float, after: float) -> None:
    chance = random.Random(5)
    found = 0
    for _ in range(20):
        rates = [
            *noise(chance, 150, mean=1000, swing=swing, alike=alike),
            *noise(chance, 200, mean=after, swing=swing, alike=alike),
        ]
        parts = phases(samples(rates), BLOCK)
        found += len(parts) == 2 and abs(parts[1].start_s - 30) <= 1.5
    assert found >= (18 if after < 700 or swing < 0.1 else 13)


def test_a_cliff_tells_rates_times_and_bytes() -> None:
    rates = [*[500.0] * 5, *[2000.0] * 50, *[400.0] * 100]
    before, after = phases(samples(rates, begin=5), BLOCK)
    assert (before.start_s, before.bytes_before) == (0.0, 500 * BLOCK)
    assert before.rate_per_s == pytest.approx(2000)
    assert (after.start_s, after.seconds) == pytest.approx((10, 20))
    assert after.rate_per_s == pytest.approx(400)
    assert after.bytes_before == pytest.approx((500 + 20_000) * BLOCK, rel=0.001)


def test_a_burst_that_comes_back_has_three_phases() -> None:
    rates = [*[1000.0] * 100, *[200.0] * 100, *[1000.0] * 100]
    assert [round(p.rate_per_s) for p in phases(samples(rates), BLOCK)] == [1000, 200, 1000]


ROUGH_MB_PER_S = [
    1463, 1502, 1488, 1495, 1471, 1510, 1483, 1490, 1476, 1501, 1468, 1494, 1489, 1480, 1497, 1475,
    1492, 1485, 1470, 1499, 1330, 611, 402, 455, 498, 380, 441, 470, 415, 509, 433, 391, 462, 480,
    402, 447, 421, 466, 437, 459, 410, 488, 399, 452, 431, 475, 418, 440, 463, 407,
]  # fmt: skip
"""Falls to a third within two seconds and is rougher after that; made, one value a second."""


def test_a_rough_cliff_of_seconds() -> None:
    seen = [Sample(n + 1.0, rate, 0.0, 0.0) for n, rate in enumerate(ROUGH_MB_PER_S)]
    fast, slow = phases(seen, 10**6)
    assert slow.start_s == pytest.approx(21, abs=1)
    assert slow.bytes_before == pytest.approx(31e9, rel=0.05)
    assert fast.rate_per_s / slow.rate_per_s == pytest.approx(3.3, abs=0.2)


RECORDED_PER_S = [
    7370.4, 7330.8, 7557.8, 6616.0, 7576.2, 7354.7, 7269.1, 7678.7, 7491.0, 8021.7, 8020.1, 7735.5,
    8063.5, 7589.4, 7751.1, 7514.9, 7802.5, 7350.1, 7405.6, 20.0, *[40.0] * 11, 40.1, *[40.0] * 14,
]  # fmt: skip
"""Writes of 1 MiB into a loop device of a virtual machine, each 0.2 s; after 3.8 s the kernel's
control group held them to 40 MiB/s."""


def test_a_recorded_throttle() -> None:
    [before, after] = phases(samples(RECORDED_PER_S), BLOCK)
    assert before.seconds == pytest.approx(3.8)
    assert before.rate_per_s == pytest.approx(7552.6, rel=0.01)
    assert after.rate_per_s == pytest.approx(40, rel=0.03)


def test_half_an_hour_is_cut_to_the_sample() -> None:
    chance = random.Random(11)
    rates = [
        *noise(chance, 6017, mean=1000, swing=0.1, alike=0.3),
        *noise(chance, 2983, mean=300, swing=0.1, alike=0.3),
    ]
    [_, after] = phases(samples(rates), BLOCK)
    assert after.start_s == pytest.approx(6017 * 0.2, abs=0.6)


def test_nothing_and_little() -> None:
    assert phases([], BLOCK) == []
    assert phases(samples([100.0], begin=1), BLOCK) == []
    assert [p.rate_per_s for p in phases(samples([100.0]), BLOCK)] == [pytest.approx(100)]
    assert [p.rate_per_s for p in phases(samples([0.0] * 50), BLOCK)] == [0]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=120), st.integers(2, 10))
def test_levels_cover_the_series_without_gap(values: list[float], shortest: int) -> None:
    found = levels(values, shortest=shortest, factor=1.5)
    assert [found[0].start, found[-1].end] == [0, len(values)]
    assert all(a.end == b.start for a, b in itertools.pairwise(found))
    if len(found) > 1:
        assert min(level.end - level.start for level in found) >= shortest


@given(st.lists(st.floats(0, 1e5), max_size=80))
def test_phases_hold_all_that_was_written(rates: list[float]) -> None:
    found = phases(samples(rates), 4096)
    written = sum(phase.rate_per_s * phase.seconds for phase in found)
    assert written == pytest.approx(sum(rates) * 0.2, rel=1e-3, abs=1e-3)


def test_phases_survive_their_way_through_json() -> None:
    made = phases(samples([1000.0] * 50 + [100.0] * 50), BLOCK)
    assert read_phases({"phases": [phase.as_detail() for phase in made]}) == [
        Phase(round(p.start_s, 3), round(p.seconds, 3), round(p.rate_per_s, 3), p.bytes_before)
        for p in made
    ]


@pytest.mark.parametrize("told", [None, 7, "phases", [1], [{}], [{"start_s": "x"}], {}])
def test_unreadable_phases_are_none(told: object) -> None:
    assert read_phases({"phases": told}) == []
