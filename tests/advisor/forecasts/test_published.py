"""The bars on the published tables, and which of a run's curves a forecast is made from."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.held import Held
from advisor.forecasts.published import Replay, flushing_bound, replays, together
from advisor.forecasts.server.inputs import drive_rates, server_rates
from probes.errors import UsageError
from probes.points import Probe, Setting
from probes.ranges import Range
from tests.points import point

ROOT = Path(__file__).resolve().parents[3]


@cache
def found(*, blocked_read: bool = True) -> tuple[Replay, ...]:
    return tuple(replays(blocked_read=blocked_read))


def test_five_curves_on_flash_are_forecast_within_the_bars() -> None:
    whole = together(found())
    assert len(found()) == 5
    assert len(whole.points) == 55
    assert whole.median <= 0.06
    assert whole.percentile(90) <= 0.18
    assert whole.covered >= 0.8
    assert whole.passes


def test_the_documented_errors_are_those_that_are_found() -> None:
    page = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    for replay in found():
        (row,) = re.findall(rf"^\| {re.escape(replay.name)} \|(.*)\|$", page, re.MULTILINE)
        documented = [int(cell.strip(" *")) for cell in row.split("|")]
        errors = [100 * point.error for point in replay.points]
        assert documented == pytest.approx(errors, abs=1.0)


def test_without_the_cost_of_a_sleeping_read_many_connections_are_promised_too_much() -> None:
    bare, whole = together(found(blocked_read=False)), together(found())
    assert not bare.passes
    assert bare.covered >= 0.8
    many = [point for point in bare.points if point.threads >= 64]
    assert sum(point.error > 0 for point in many) > 0.8 * len(many)
    assert whole.percentile(90) < bare.percentile(90)


def test_lru_flushing_bounds_the_updates_of_the_fixed_server() -> None:
    bound = flushing_bound()
    assert bound.bound_per_s == 16_000
    errors = {each.threads: each.error for each in bound.points}
    assert abs(errors[8]) < 0.1
    assert abs(errors[16]) < 0.1
    assert bound.median == pytest.approx(0.038, abs=0.001)
    assert bound.passes
    one_of_three = replace(
        bound,
        points=(Held(8, 16_000.0, Range.exact(16_000.0)),)
        + 2 * (Held(16, 12_000.0, Range.exact(16_000.0)),),
    )
    assert not one_of_three.passes
    # With 32 clients the server does less than its flushing allows.
    assert errors[32] > 0


def reference(key: str) -> Contender:
    return next(each for each in library() if each.key == key)


def test_a_drive_is_its_random_reads_of_one_block_size() -> None:
    card = reference("callaghan-flash-2010")
    assert drive_rates(card).values.max() == 29_645
    assert drive_rates(card, 8192).values.max() == 43_296
    with pytest.raises(UsageError, match=r"no random reads of 4.KiB, only of 8.KiB, 16.KiB"):
        drive_rates(card, 4096)
    with pytest.raises(UsageError, match="has no random reads"):
        drive_rates(reference("callaghan-memory-2010-5147dev"))


def test_reads_of_other_files_are_not_the_drive() -> None:
    setting = Setting(Probe.RANDOM_READ, 1, 16384)
    small = replace(setting, options={"set": "small"})
    points = (
        *(point(replace(small, threads=each), 90_000.0) for each in (1, 2, 4)),
        *(point(replace(setting, threads=each), 5_000.0 * each) for each in (1, 2)),
    )
    made = Contender("made", "a test", {}, points)
    assert drive_rates(made).threads == (1, 2)


def test_a_server_is_its_lookups_in_memory() -> None:
    assert server_rates(reference("callaghan-memory-2010-5147dev")).values.max() == 39_325
    with pytest.raises(UsageError, match="no row lookups with all data in memory"):
        server_rates(reference("callaghan-flash-2010-5147dev"))
