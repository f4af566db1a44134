"""How many queries wait for rows: by the time of waits that ended, and by looks at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from advisor.case import Case
from advisor.facts.readings import Absent, Reading
from advisor.facts.watched.watch import WATCH_ROW_LOCKS
from probes.statistics.ranges import Range
from tests.rules.casework import build

STEADY = [1000.0 * at * 37 for at in range(30)]
"""37 s of waits end in each second."""


def locked(ended_ms: Sequence[float], now: Sequence[float] | None = None) -> Range:
    series = {"Innodb_row_lock_time": ended_ms}
    series |= {} if now is None else {"Innodb_row_lock_current_waits": now}
    found = WATCH_ROW_LOCKS.read(case_of(series))
    assert isinstance(found, Reading)
    assert isinstance(found.value, Range)
    return found.value


def case_of(series: dict[str, Sequence[float]]) -> Case:
    return build({"version": "8.0.36", "watched": {"running": [62] * 30, "series": series}})


def test_the_time_of_waits_that_end_each_second_is_how_many_wait() -> None:
    assert locked(STEADY) == Range(*[pytest.approx(37.0)] * 3)  # type: ignore[arg-type]
    seen = locked(STEADY, [36.0, 40.0] * 15)
    assert seen.value == pytest.approx(37.0)
    assert 38.0 <= seen.high < 39.0


def test_waits_that_end_after_the_watch_are_seen_while_they_go_on() -> None:
    found = locked([0.0] * 30, [12.0] * 30)
    assert (found.value, found.low, found.high) == (12.0, 0.0, 12.0)


def test_a_wait_that_began_long_before_the_watch_is_not_as_many_as_its_time() -> None:
    """One of 90 s that ends within 30: three by its time, one by all looks but the last."""
    found = locked([0.0] * 29 + [90_000.0], [1.0] * 29 + [0.0])
    assert found.low < 1


def test_a_gauge_that_was_counted_below_zero_bears_no_witness() -> None:
    assert locked(STEADY, [2.0**64 - 1] * 30).high == pytest.approx(37.0)


def test_without_its_time_nothing_is_known() -> None:
    found = WATCH_ROW_LOCKS.read(case_of({"Innodb_row_lock_current_waits": [12.0] * 30}))
    assert isinstance(found, Absent)
