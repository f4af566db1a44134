"""Forecasts against a server's own later runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from advisor.case import Case
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from benchmarks.model.published import own_lines, own_replays
from probes.errors import UsageError
from tests.advisor.forecasts.live_servers import on_a_slow_drive

SLOW = [[1, 700], [4, 2_600], [16, 7_000], [64, 9_500], [256, 9_800]]


def run(
    number: int, rate: float = 20_000.0, pool: int = 16, series: Mapping[str, Any] | None = None
) -> Case:
    """The server with so many queries per second, and a pool of so many GiB."""
    case = on_a_slow_drive(
        reads_16k=SLOW,
        variables={"innodb_buffer_pool_size": str(pool << 30)},
        watched={"series": {"Questions": [rate * at for at in range(30)], **(series or {})}},
    )
    return replace(case, run_id=number)


def test_a_larger_pool_that_came_is_held_against_what_was_forecast_of_it() -> None:
    (found,) = own_replays([run(1), run(2, 28_000.0, pool=32)])
    assert (found.before, found.after) == (1, 2)
    assert found.changed == (("innodb_buffer_pool_size", str(16 << 30), str(32 << 30)),)
    assert found.held.measured_per_s == pytest.approx(28_000, rel=0.01)
    assert found.held.inside
    assert abs(found.held.error) < 0.15
    said = " ".join(own_lines([found]))
    assert re.search(
        r"run 2: measured were 28,0\d\d queries/s, forecast from run 1 [23]\d,\d{3} \(", said
    )
    assert f"innodb_buffer_pool_size {16 << 30} to {32 << 30}" in said


def test_a_forecast_that_was_wrong_is_said_to_be() -> None:
    (found,) = own_replays([run(1), run(2, 15_000.0, pool=32)])
    assert not found.held.inside
    assert found.held.error > 0.5
    assert "disproved" in " ".join(own_lines([found]))


def test_runs_without_a_change_or_of_another_load_are_no_replays() -> None:
    assert not list(own_replays([run(1), run(2, 25_000.0)]))
    reading = {"Com_update": [0.0] * 30}
    assert not list(own_replays([run(1), run(2, pool=32, series=reading)]))
    idle = replace(run(2, pool=32), target="another")
    assert not list(own_replays([run(1), idle]))
    unwatched = replace(run(2), inventory=replace(run(2).inventory, watched=None))
    assert len(list(own_replays([run(1), unwatched, run(3, pool=32)]))) == 1
    assert own_lines([]) == []


def test_a_smaller_pool_after_one_that_held_all_is_no_replay() -> None:
    """No page was missed, so nobody knows what a smaller pool would miss."""
    held = run(1, series={"Innodb_buffer_pool_reads": [0.0] * 30})
    assert not list(own_replays([held, run(2, pool=8)]))
    with pytest.raises(UsageError, match="What a smaller pool would read is not known"):
        turned(live(held), {"buffer_pool": "8G"})
