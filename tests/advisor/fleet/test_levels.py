"""Since when a server works on another level: which figures moved, and what was set just before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from advisor.fleet.history import PastLook, SettingChange
from advisor.fleet.levels import HistoryFigure, new_levels
from advisor.lab.watched import PerQuery, WatchedLoad
from advisor.report.history import level_sentence
from advisor.run import RunKind

BEGIN = datetime(2026, 11, 1, tzinfo=UTC)
SET = SettingChange("innodb_io_capacity", "200", "1000")


def looks(
    count: int,
    every: timedelta,
    time_us: Callable[[int], float] = lambda _at: 2000.0,
    queries: Callable[[datetime], float] = lambda _at: 1000.0,
) -> list[PastLook]:
    scatter = np.random.default_rng(3).normal(1.0, 0.03, size=(count, 2))
    found = []
    for at, (one, other) in enumerate(scatter):
        when = BEGIN + at * every
        query = PerQuery(time_us=time_us(at) * one, page_reads=0.5)
        load = WatchedLoad("", 8.0, 2.0, queries(when) * other, query, {"Com_commit": 100.0})
        found.append(PastLook(at + 1, when.isoformat(), RunKind.WATCH, "8.0.33", load))
    return found


def moved(found: Sequence[PastLook]) -> list[tuple[int, list[HistoryFigure]]]:
    return [(each.run_id, [one.figure for one in each.moved]) for each in new_levels(found)]


def test_a_figure_that_moved_is_named_with_both_levels_and_what_was_set() -> None:
    slower = looks(30, timedelta(hours=1), lambda at: 2000.0 if at < 18 else 3000.0)
    slower[17] = replace(slower[17], changed=(SettingChange("sync_binlog", "0", "1"),))
    slower[18] = replace(slower[18], changed=(SET,))
    (level,) = new_levels(slower)
    assert (level.run_id, level.changed) == (19, (SET,))
    (time,) = level.moved
    assert (time.before, time.after) == pytest.approx((2000, 3000), rel=0.03)
    said = level_sentence(level).replace("\u202f", " ")
    assert said.startswith("Since 2026-11-01 a query takes ")
    assert said.endswith("Set just before: innodb_io_capacity 200 to 1000.")


def test_looks_without_a_load_are_passed_over_and_what_they_found_set_is_kept() -> None:
    slower = looks(30, timedelta(hours=1), lambda at: 2000.0 if at < 18 else 3000.0)
    slower[17] = replace(slower[17], load=None, changed=(SET,))
    assert [(level.run_id, level.changed) for level in new_levels(slower)] == [(19, (SET,))]


def test_day_and_night_are_no_other_level_and_a_new_one_is_found_within_them() -> None:
    def by_day(when: datetime) -> float:
        return 3000.0 if 8 <= when.hour < 20 else 300.0

    week = looks(7 * 12, timedelta(hours=2), queries=by_day)
    assert moved(week) == []
    slower = looks(
        7 * 12, timedelta(hours=2), lambda at: 2000.0 if at < 50 else 3000.0, queries=by_day
    )
    assert (51, [HistoryFigure.TIME]) in moved(slower)


def test_few_looks_and_small_steps_are_no_level() -> None:
    assert moved(looks(9, timedelta(hours=1), lambda at: 2000.0 if at < 5 else 9000.0)) == []
    assert moved(looks(60, timedelta(hours=1), lambda at: 2000.0 if at < 30 else 2150.0)) == []
