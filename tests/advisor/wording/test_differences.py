"""Differences as sentences have them."""

from __future__ import annotations

import pytest

from advisor.wording.measured.lab import difference
from probes.statistics.ranges import Range


@pytest.mark.parametrize(
    ("times", "sentence"),
    [
        (Range(1.19, 1.16, 1.22), "19 % more (16 % to 22 %)"),
        (Range(0.99, 0.96, 1.02), "1 % less (4 % less to 2 % more)"),
        (Range(1.0001, 0.93, 1.07), "the same (7 % less to 7 % more)"),
        (None, "more or less, nobody can tell"),
    ],
)
def test_what_a_ratio_means(times: Range | None, sentence: str) -> None:
    assert difference(times).replace("\u202f", " ") == sentence
