"""Where a function crosses 0."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from probes.statistics.crossing import crossing


@pytest.mark.parametrize(
    ("of", "low", "high", "at"),
    [
        (lambda x: 2.0 - x * x, 0.0, 2.0, math.sqrt(2)),
        (lambda x: math.exp(-x) - 1e-6, 0.0, 700.0, math.log(1e6)),
        (lambda x: 1.0 if x < 0.3 else -1.0, 0.0, 1.0, 0.3),
        (lambda x: math.inf if x < 0.3 else -math.inf, 0.0, 1.0, 0.3),
        (lambda x: 1 - x**21, -5.0, 30.0, 1.0),
    ],
    ids=["parabola", "flat", "step", "no number", "steep"],
)
def test_it_is_found(of: Callable[[float], float], low: float, high: float, at: float) -> None:
    asked = []

    def counted(x: float) -> float:
        asked.append(x)
        return of(x)

    assert crossing(counted, low, high, 1e-9) == pytest.approx(at, abs=1e-8)
    assert len(asked) < 100


def test_a_smooth_one_takes_few_values() -> None:
    asked = []

    def smooth(x: float) -> float:
        asked.append(x)
        return 5 - math.exp(x)

    assert crossing(smooth, -7.0, 7.0, 1e-9) == pytest.approx(math.log(5))
    assert len(asked) <= 15


def test_without_a_crossing_it_is_an_end() -> None:
    assert crossing(lambda x: 1 + x, 0.0, 3.0, 1e-9) == 3.0
    assert crossing(lambda x: -1 - x, 0.0, 3.0, 1e-9) == 0.0
