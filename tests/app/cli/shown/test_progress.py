"""What is said while a check works: lines in a pipe, growing curves at a terminal."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from advisor.runs.events import (
    CheckEvent,
    InventoryTaken,
    PlanMade,
    Progressed,
    RunStarted,
    Stage,
    StageStarted,
)
from app.cli.shown import progress
from app.cli.shown.progress import calibrated_line, display, point_line
from probes.events import CanaryBeat, PointDone, PointStarted, Preparing, SampleTaken, Warned
from probes.figures import THIN
from probes.points import Probe, Sample, Setting
from tests.advisor.report.builders import inventory, points
from tests.advisor.store.builders import CALIBRATED, PLAN
from tests.points import doubts_of

MIB = 1 << 20


@pytest.fixture(autouse=True)
def real_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the tests themselves are started in, as by a build that calls it dumb."""
    monkeypatch.setenv("TERM", "xterm-256color")


def events() -> list[CheckEvent]:
    first, second, *_ = points()
    doubtful = next(point for point in points() if doubts_of(point))
    found: list[CheckEvent] = [
        StageStarted(Stage.CONNECT, "Connecting to db7."),
        InventoryTaken(inventory()),
        PlanMade(PLAN, ("Plan quick: 2 points in about 80 s.", "Commands: leadline-agent probe.")),
        RunStarted(12),
        *(Preparing("probe files", done * MIB, 256 * MIB) for done in range(0, 257, 8)),
    ]
    for index, point in enumerate((first, second, doubtful)):
        found += [
            PointStarted(point.setting, index, 3),
            SampleTaken(point.setting, Sample(0.2, 1234.0, 1.0, 2.0)),
            PointDone(point, ()),
            Progressed((index + 1) / 3, 60.0 - 20 * index),
        ]
    return [*found, *[Warned("clock", "The clock is [coarse].")] * 2]


def shown(*, terminal: bool) -> str:
    file = io.StringIO()
    console = Console(
        file=file, force_terminal=terminal, width=100, height=30, markup=False, highlight=False
    )
    with display(console) as target:
        for event in events():
            target.show(event)
    return file.getvalue().replace(THIN, " ")


def test_a_wide_interval_is_told_by_its_ends() -> None:
    wide = replace(points()[0], rate_per_s=15_300.0, ci95_per_s=(11_600.0, 19_000.0))
    assert ": 15 k/s (12 to 19 k/s), p95 " in point_line(wide).replace(THIN, " ")


def test_a_pipe_gets_a_line_for_each_thing() -> None:
    text = shown(terminal=False)
    lines = text.splitlines()
    assert lines[0] == "Connecting to db7."
    assert lines.index("Plan quick: 2 points in about 80 s.") < lines.index(
        "[1/3] random read 4 KiB, 1 thread: 1.50 k/s (±2 %), p95 1.33 ms"
    )
    assert any("doubtful: The rate drifted by 31 %" in line for line in lines)
    assert [line for line in lines if line.startswith("Preparing")] == [
        f"Preparing probe files: {done} MiB of 256 MiB" for done in (64, 128, 192, 256)
    ]
    # It came with two points, and is said once.
    assert lines.count("Note: The clock is [coarse].") == 1
    assert "MariaDB 10.11.6" in text
    assert "\x1b" not in text


def test_a_terminal_sees_curves_grow_and_the_time_left() -> None:
    text = shown(terminal=True)
    assert "random read 4 KiB" in text
    assert "1.50k" in text
    assert "3.00k" in text
    assert "33 %" in text
    assert "1 min left" in text
    assert "2 of 3: random read 4 KiB, 2 threads" in text
    assert text.count("Note: The clock is [coarse].") == 1


def test_a_question_before_the_run_is_not_drawn_over() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=100, height=30)
    with display(console) as target:
        target.show(StageStarted(Stage.CONNECT, "Connecting to db7."))
        assert file.getvalue().splitlines() == ["Connecting to db7."]


def drawn(events: list[CheckEvent], encoding: str = "utf-8") -> str:
    """What a terminal of 40 lines shows."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="replace", write_through=True)
    console = Console(
        file=file, force_terminal=True, width=100, height=40, markup=False, highlight=False
    )
    with display(console) as target:
        for event in events:
            target.show(event)
    return raw.getvalue().decode(encoding).replace(THIN, " ")


def test_a_terminal_draws_the_curve_and_one_without_the_dots_does_not() -> None:
    assert "reads/s" in drawn(events())
    assert "⠀" in drawn(events())
    plain = drawn(events(), "ascii")
    assert "reads/s" not in plain
    assert "random read 4" in plain


def test_a_long_write_grows_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REDRAW_S", 0.0)
    setting = Setting(Probe.STEADY_WRITE, 2, MIB)
    samples = [
        SampleTaken(setting, Sample(each * 0.2, 900.0 if each < 8 else 100.0, 1.0, 2.0))
        for each in range(1, 16)
    ]
    text = drawn([RunStarted(1), PointStarted(setting, 0, 1), *samples])
    assert "writes/s" in text
    assert "time" in text


def test_a_live_server_is_watched_below_the_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REDRAW_S", 0.0)
    beat = CanaryBeat(850.0, 400.0, 50_400.0, 3, 0)
    text = drawn([RunStarted(1), beat])
    assert (
        "Server: slowest read 850 µs (before 400 µs, stops at 50.4 ms),"
        " 3 running, 0 waiting for row locks" in text
    )


def test_the_calibration_is_told_once() -> None:
    line = calibrated_line(CALIBRATED).replace(THIN, " ")
    assert line == (
        "Calibrated: the prober takes 310 ns of CPU for each operation,"
        " up to 410 k reads/s from memory."
    )
    bare = calibrated_line(replace(CALIBRATED, ceiling_per_s={}))
    assert "from memory" not in bare


def test_levels_that_may_be_left_out_are_counted_with_care() -> None:
    first = points()[0]
    plan = replace(PLAN, adaptive=True)
    file = io.StringIO()
    console = Console(file=file, width=100, markup=False, highlight=False)
    with display(console) as target:
        for event in (PlanMade(plan, ()), PointStarted(first.setting, 6, 9), PointDone(first, ())):
            target.show(event)
    assert file.getvalue().strip().startswith("[7/~9] random read")
