"""What is one setting, by its script's statements: whatever a file says there."""

from __future__ import annotations

import pytest

from probes.imports import apart
from probes.imports.apart import MOST_MIXES, PER_TRANSACTION, scripts_alike
from probes.imports.points import Figures, make_point
from probes.points import Point, Probe, Setting


def made_of(statements: str) -> Point:
    setting = Setting(Probe.OLTP, 4, options={PER_TRANSACTION: statements})
    return make_point(setting, "sysbench", Figures(rate_per_s=100.0, seconds=10.0, operations=1000))


def mixes(*said: str) -> list[str]:
    """The options that points of these scripts end with."""
    found = scripts_alike(made_of(each) for each in said)
    return [point.setting.options[PER_TRANSACTION] for point in found]


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        ("13_reads_and_13_writes", "13.2_reads_and_12.5_writes", True),
        ("13_reads_and_13_writes", "13_reads_and_15_writes", False),
        ("13_reads", "13_writes", False),
        ("1e+03_reads", "1.05e+03_reads", True),
        ("1.2.3_reads", "1.2.4_reads", False),
        ("1.2.30_reads", "1.2.31_reads", True),
        ("\u0661_reads", "\u0662_reads", False),
        ("#_reads", "5_reads", False),
        ("1e999_reads", "2e999_reads", False),
        (".", "..", False),
    ],
)
def test_which_scripts_are_one(first: str, second: str, one: bool) -> None:
    assert mixes(first, second) == [first, first if one else second]


def test_no_file_makes_more_comparisons_than_there_are_curves_to_look_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0

    class Counting(apart._Mix):
        def is_like(self, other: apart._Mix) -> bool:
            nonlocal compared
            compared += 1
            return super().is_like(other)

    monkeypatch.setattr(apart, "_Mix", Counting)
    said = [f"{1.5**at:g}_reads_of_{at}" for at in range(2 * MOST_MIXES)]
    assert mixes(*said, said[0]) == [*said, said[0]]
    assert compared <= MOST_MIXES * len(said)
