"""Few levels show a whole curve: its first, its knee, its peak."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.plans.spend import bend
from tests.probes.plans.drives import Shape

LEVELS = [1 << exponent for exponent in range(11)]


def saturating(half: float) -> Shape:
    """The rate climbs ever slower; at ``half`` threads it is half of what it can be."""
    return lambda threads: 1000 * threads / (threads + half)


def roof(width: float, fall: float = 0.0) -> Shape:
    """Linear up to ``width`` threads, then flat or falling: two asymptotes and nothing else."""
    return lambda threads: 1000 * min(threads / width, (width / threads) ** fall)


def scalability(contention: float, coherency: float) -> Shape:
    """Gunther's universal scalability law: a hump."""
    return lambda threads: (
        100 * threads / (1 + contention * (threads - 1) + coherency * threads * (threads - 1))
    )


SHAPES = st.one_of(
    st.builds(saturating, st.floats(0.1, 500)),
    st.builds(roof, st.floats(1, 1024), st.floats(0, 1)),
    st.builds(scalability, st.floats(0, 0.5), st.floats(0, 0.01)),
)


def explore(shape: Shape, levels: list[int], broken: frozenset[int] = frozenset()) -> list[int]:
    """The levels that are tried, in their order; those in ``broken`` give no point."""
    rates: dict[int, tuple[float, float]] = {}
    tried: list[int] = []
    for look in (bend.climb, bend.refine):
        while (level := look(levels, rates, tried)) is not None:
            assert level in levels
            assert level not in tried
            tried.append(level)
            if level not in broken:
                rates[level] = (shape(level), shape(level))
    return tried


@given(SHAPES)
def test_the_first_the_knee_and_the_peak_are_among_them(shape: Shape) -> None:
    tried = explore(shape, LEVELS)
    whole = {level: (shape(level), shape(level)) for level in LEVELS}
    assert tried[0] == 1
    assert bend.knee(whole) in tried
    highest = max(rate for rate, _ in whole.values())
    assert max(shape(level) for level in tried) >= 0.9 * highest


@given(SHAPES, st.sets(st.integers(1, 1024), min_size=1, max_size=40).map(sorted))
def test_any_levels_will_do(shape: Shape, levels: list[int]) -> None:
    tried = explore(shape, levels)
    assert tried[0] == levels[0]
    highest = max(shape(level) for level in levels)
    assert max(shape(level) for level in tried) >= 0.85 * highest


@given(SHAPES, st.sets(st.sampled_from(LEVELS)))
def test_levels_that_give_no_point_end_it_all_the_same(shape: Shape, broken: set[int]) -> None:
    tried = explore(shape, LEVELS, frozenset(broken))
    assert len(tried) <= len(LEVELS)


def test_a_flat_curve_is_left_early() -> None:
    assert set(explore(lambda _: 500.0, LEVELS)) <= {1, 2, 4, 8, 16}


def test_one_slow_reading_at_few_threads_does_not_hide_the_rest() -> None:
    disturbed = {1: (11_200.0, 13_000.0), 4: (4_600.0, 5_200.0)}
    assert bend.climb(LEVELS, disturbed, [1, 4]) == 16
    assert bend.climb(LEVELS, disturbed | {16: (11_000.0, 11_500.0)}, [1, 4, 16]) is None


def test_where_nothing_works_it_gives_up_after_two() -> None:
    assert explore(lambda _: 1.0, LEVELS, frozenset(LEVELS)) == [1, 4]


@pytest.mark.parametrize("half", [2, 8, 32, 100])
def test_levels_that_tell_nothing_are_left_out(half: float) -> None:
    assert len(explore(saturating(half), LEVELS)) <= 8


def test_one_step_that_may_still_have_gained_is_not_the_end() -> None:
    known = {1: (50.0, 50.0), 4: (100.0, 100.0)}
    wide = known | {16: (101.0, 120.0)}
    sure = known | {16: (101.0, 104.0)}
    assert bend.climb(LEVELS, wide, [1, 4, 16]) == 64
    assert bend.climb(LEVELS, sure, [1, 4, 16]) is None


@pytest.mark.parametrize(
    ("levels", "coarse"),
    [
        ([1, 2, 4, 8, 16, 32, 64], [1, 4, 16, 64]),
        ([1, 2, 4, 8], [1, 4, 8]),
        ([7], [7]),
        ([3, 5], [3, 5]),
    ],
)
def test_coarse_levels(levels: list[int], coarse: list[int]) -> None:
    assert bend.coarse(levels) == coarse


def test_without_rates_there_is_no_knee() -> None:
    assert bend.knee({}) is None
    assert bend.refine(LEVELS, {}, []) is None
