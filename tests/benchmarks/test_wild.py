"""Forecasts of servers that the wild bench recorded, beside what they then did."""

from __future__ import annotations

from statistics import median

from benchmarks.wild.drawn import drawn
from benchmarks.wild.held import held

READING = (5, 14, 27, 32)
"""Servers that only read: by what limits them, the drive's limit, processors, or both."""


def test_recorded_servers_do_about_what_is_forecast() -> None:
    found = held([each for each in drawn() if each.number in READING])
    assert len(found) == 16
    assert not [each.refused for each in found if each.refused]
    assert median(each.error for each in found) <= 0.15
    assert sum(each.inside for each in found) >= 14
    assert all(each.sign for each in found if each.sign is not None)
