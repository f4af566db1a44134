"""The bars on the published tables."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.model.published import Held, Replay, bars, flushing_bound, lines, replays, together
from benchmarks.shared.report import status
from probes.statistics.ranges import Range

ROOT = Path(__file__).resolve().parents[2]


@cache
def found(*, blocked_read: bool = True) -> tuple[Replay, ...]:
    return tuple(replays(blocked_read=blocked_read))


def test_five_curves_on_flash_are_forecast_within_the_bars() -> None:
    whole = together(found())
    assert len(found()) == 5
    assert len(whole.points) == 55
    assert whole.percentile(50) <= 0.06
    assert whole.percentile(90) <= 0.18
    assert whole.covered >= 0.8
    assert status(bars(whole, flushing_bound())) == 0


def test_the_documented_errors_are_those_that_are_found() -> None:
    page = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    for replay in found():
        (row,) = re.findall(rf"^\| {re.escape(replay.name)} \|(.*)\|$", page, re.MULTILINE)
        documented = [int(cell.strip(" *")) for cell in row.split("|")]
        errors = [100 * point.error for point in replay.points]
        assert documented == pytest.approx(errors, abs=1.0)


def test_without_the_cost_of_a_sleeping_read_many_connections_are_promised_too_much() -> None:
    bare, whole = together(found(blocked_read=False)), together(found())
    assert bare.percentile(50) > 0.06
    assert status(bars(bare, flushing_bound())) == 1
    assert bare.covered >= 0.8
    many = [point for point in bare.points if point.threads >= 64]
    assert sum(point.error > 0 for point in many) > 0.8 * len(many)
    assert whole.percentile(90) < bare.percentile(90)


def test_lru_flushing_bounds_the_updates_of_the_fixed_server() -> None:
    bound = flushing_bound()
    assert {each.forecast_per_s.value for each in bound.points} == {16_000}
    errors = {each.threads: each.error for each in bound.points}
    assert errors == pytest.approx({8: 0.0376, 16: 0.0313, 32: 0.1741}, abs=1e-4)
    assert bound.percentile(50) == pytest.approx(0.0376, abs=1e-4)
    points = (8, 16_000.0), (16, 12_000.0), (16, 12_000.0)
    one_of_three = Replay(
        "LRU", tuple(Held(threads, rate, Range.exact(16_000.0)) for threads, rate in points)
    )
    assert status(bars(together(found()), one_of_three)) == 1


def test_the_errors_are_shown_to_people(tmp_path: Path) -> None:
    shown, _ = lines(tmp_path / "no.sqlite3")
    text = "\n".join(shown)
    assert "| published points: median error | 0.058 |" in text
    assert "| 5147dev-8k | +27* | -6 |" in text
    assert "Without the CPU cost of a blocking read: 7.0% median error" in text
    assert "own changes" not in text
