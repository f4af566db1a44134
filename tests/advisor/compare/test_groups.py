"""Who ties with whom goes by intervals, and is said in one sentence."""

from __future__ import annotations

import math

import pytest

from advisor.compare import compare
from advisor.compare.groups import standing
from advisor.compare.roles import RoleComparison
from probes.figures import THIN
from probes.points import Probe
from tests.advisor.compare.contenders import contender, rated, reads


def role(*rates: tuple[float, float]) -> RoleComparison:
    """Reads with one thread; each rate with its interval as a share of it."""
    sides = [
        contender(name, *reads({1: rate}, within))
        for name, (rate, within) in zip("ABCDE", rates, strict=False)
    ]
    return next(each for each in compare(sides).roles if each.name == "random_read_1")


@pytest.mark.parametrize(
    ("rates", "sentence"),
    [
        (((2100, 0.02), (2110, 0.02), (1000, 0.02)), "B and A tie, C 2.11× slower"),
        (((1000, 0.02), (2110, 0.02), (1010, 0.02)), "B leads, C and A 2.09× slower"),
        (((1000, 0.02), (1001, 0.02), (1002, 0.02)), "C, B and A tie"),
        (((1000, 0.02), (500, 0.02), (100, 0.02)), "A leads, B 2.00× slower, C 10.0× slower"),
        # An unsure one ties with the best although a sure one between them does not.
        (((1000, 0.02), (800, 0.02), (700, 0.6)), "A and C tie, B 1.25× slower"),
        (((1000, math.nan), (500, math.nan)), "A leads, B 2.00× slower"),
    ],
)
def test_groups_go_by_intervals(rates: tuple[tuple[float, float], ...], sentence: str) -> None:
    assert standing(role(*rates).groups, "ABCDE").replace(THIN, " ") == sentence


def test_who_is_behind_has_the_ratio_with_its_interval() -> None:
    first, second = role((2000, 0.02), (1000, 0.02)).groups
    assert (first.members, first.behind) == ((0,), None)
    assert second.members == (1,)
    assert second.behind is not None
    assert second.behind.low < 2.0 < second.behind.high


def test_of_times_the_shorter_leads() -> None:
    sides = [
        contender(name, rated(Probe.REDO_SYNC, 1, rate, block=4096, sync="fdatasync"))
        for name, rate in (("A", 500.0), ("B", 5000.0))
    ]
    (commit,) = [each for each in compare(sides).roles if each.name == "redo_latency"]
    assert standing(commit.groups, "AB").replace(THIN, " ") == "B leads, A 10.0× slower"


def test_where_nothing_is_compared_nobody_stands_anywhere() -> None:
    assert standing((), "AB") == ""
