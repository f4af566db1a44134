"""What huge pages bring, from points of both kinds in turns."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from advisor.model.curves.huge_pages_gain import huge_pages_gain
from probes.points import BUFFERS, Point, Trust
from tests.probes.trust.made import read


def one(kind: str, rate: float, **changes: Any) -> Point:
    details = {BUFFERS: kind, "pieces_per_block": 2.5 if kind == "ordinary" else 1}
    made = replace(read(rate, 64, buffers=kind), details=details)
    return replace(made, **changes)


def test_it_is_the_ratio_of_both_kinds_with_its_interval() -> None:
    gain = huge_pages_gain([one("ordinary", 1000), one("huge", 1300), one("huge", 1300)])
    assert gain is not None
    assert gain.ratio.value == pytest.approx(1.3)
    assert gain.ratio.low == pytest.approx(1.3 * math.exp(-0.01 * math.sqrt(1.5)), rel=1e-3)
    assert (gain.threads, gain.pieces) == (64, 2.5)
    assert gain.is_worth_it
    assert gain.text == "1.30 times the reads at 64 in flight"


def test_repeats_that_lie_apart_make_it_unsure() -> None:
    gain = huge_pages_gain([one("ordinary", 700), one("huge", 1300), one("ordinary", 1400)])
    assert gain is not None
    assert gain.ratio.value > 1.1
    assert not gain.is_worth_it


def test_a_little_more_is_not_worth_it() -> None:
    gain = huge_pages_gain([one("ordinary", 1000), one("huge", 1090)])
    assert gain is not None
    assert gain.ratio.low > 1
    assert not gain.is_worth_it


@pytest.mark.parametrize(
    "points",
    [
        [],
        [one("huge", 1300)],
        [one("ordinary", 1000), one("huge", 1300, trust=Trust.REJECTED)],
        # The kernel had no huge page left.
        [one("ordinary", 1000), one("huge", 1000, details={BUFFERS: "ordinary"})],
        [one("ordinary", 1000), replace(read(1300, 64), details={BUFFERS: "huge"})],
    ],
)
def test_without_both_kinds_there_is_none(points: list[Point]) -> None:
    assert huge_pages_gain(points) is None
