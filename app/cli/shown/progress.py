"""A check while it works: curves that grow on a terminal, plain lines anywhere else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from advisor.report.curve_axis import rows
from advisor.report.forms.text import renderable
from advisor.report.inventory_rows import inventory_rows
from advisor.report.sections.measured import curves_along
from advisor.runs.events import (
    CheckEvent,
    InventoryTaken,
    PlanMade,
    Progressed,
    Queued,
    RunStarted,
    StageStarted,
)
from advisor.wording.measured.cells import MARKS, interval_text, rate_cell
from advisor.wording.measured.doubts import sentence
from app.cli.shown.chart import chart, timeline
from probes.events import (
    STEPPED_BACK,
    Calibrated,
    CanaryBeat,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.figures import duration_us, percent, rate, seconds, size
from probes.kinds.words import setting_line
from probes.points import Point, Probe, Sample, Setting

REDRAW_S = 0.12
"""The least time between two pictures: more often nobody sees it, and drawing costs CPU."""

LINES_AROUND = 8
"""What a terminal's height must hold besides the curves."""

CHART_LINES = 18
"""As high as the chart gets; it takes half of the terminal at most."""

SAMPLES_PER_DRAWING = 5
"""How many samples make a long point's rate over time worth redrawing: a second of them."""


class Display(Protocol):
    """What a check's events are shown on."""

    def show(self, event: CheckEvent) -> None:
        """Take one event."""


@contextmanager
def display(console: Console) -> Iterator[Display]:
    """A display for this console, gone again when the context is left."""
    if not console.is_interactive:
        yield PlainDisplay(console)
        return
    live = Live(console=console, auto_refresh=False, transient=True)
    try:
        yield LiveDisplay(console, live)
    finally:
        live.stop()


class PlainDisplay:
    """A line for each thing that happens."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._place = ""
        self._adaptive = False
        self._quarter = 0
        self._noted: set[str] = set()

    def show(self, event: CheckEvent) -> None:
        """Print what the event says; samples and progress would be too many lines."""
        for line in self._lines(event):
            self._console.print(line, soft_wrap=True)

    def _lines(self, event: CheckEvent) -> list[str]:
        match event:
            case PlanMade():
                self._adaptive = event.plan.adaptive
                return ["", *event.lines, ""]
            case PointStarted():
                # Some levels will be left out and some repeated: then nobody knows how many.
                about = "~" if self._adaptive else ""
                self._place = f"[{event.index + 1}/{about}{event.total}] "
            case PointDone():
                return [self._place + point_line(event.point)]
            case Preparing():
                return self._prepared(event)
            case _:
                return fresh_lines(event, self._noted)
        return []

    def _prepared(self, event: Preparing) -> list[str]:
        quarter = 4 * event.done_bytes // max(1, event.total_bytes)
        news = quarter > self._quarter
        self._quarter = quarter
        return [preparing_line(event)] if news else []


class LiveDisplay:
    """The curves so far, what is measured now, and how long it still takes."""

    def __init__(self, console: Console, live: Live) -> None:
        self._console = console
        self._live = live
        self._points: list[Point] = []
        self._planned: list[Setting] = []
        self._adaptive = False
        self._writing: Setting | None = None
        self._samples: list[Sample] = []
        self._chart = Text("")
        self._charted: tuple[int, ...] = ()
        self._now = ""
        self._canary = ""
        self._place = ""
        self._progress: Progressed | None = None
        self._drawn_at = 0.0
        self._noted: set[str] = set()

    def show(self, event: CheckEvent) -> None:
        """Take one event; redraws at a bearable pace."""
        match event:
            case PlanMade():
                self._planned = [step.setting for step in event.plan.steps]
                self._adaptive = event.plan.adaptive
                self._say(["", *event.lines, ""])
            case RunStarted():
                self._say(common_lines(event))
                # Not sooner: a question for a password would be drawn over.
                self._live.start()
            case PointStarted():
                about = "about " if self._adaptive else ""
                self._place = f"{event.index + 1} of {about}{event.total}: "
                self._now = self._place + setting_line(event.setting)
                self._samples = []
            case SampleTaken():
                now_rate = rate(event.sample.rate_per_s)
                self._now = f"{self._place}{setting_line(event.setting)}  {now_rate}"
                self._seen(event)
            case PointDone():
                self._points.append(event.point)
                self._samples = []
            case CanaryBeat():
                self._canary = canary_line(event)
            case Preparing():
                self._now = preparing_line(event)
            case Progressed():
                self._progress = event
            case _:
                if isinstance(event, Warned) and event.code == STEPPED_BACK:
                    self._now = "Waiting until the server has recovered"
                self._say(fresh_lines(event, self._noted))
        self._draw(at_once=isinstance(event, PointDone))

    def _seen(self, event: SampleTaken) -> None:
        """The one point of a long write is a curve over time."""
        if event.setting.probe is Probe.STEADY_WRITE:
            self._writing = event.setting
            self._samples.append(event.sample)

    def _charted_anew(self) -> Text:
        """Drawing takes some milliseconds of the machine that may be measured: only for news."""
        width, height = self._chart_room()
        state = (len(self._points), len(self._samples) // SAMPLES_PER_DRAWING, width, height)
        if state != self._charted:
            self._charted = state
            if self._samples and self._writing is not None:
                self._chart = timeline(self._writing, self._samples, width, height)
            else:
                self._chart = chart(self._points, self._planned, width, height)
        return self._chart

    def _chart_room(self) -> tuple[int, int]:
        """Columns and lines; none where the terminal can't show the dots."""
        if self._console.options.ascii_only:
            return 0, 0
        return self._console.width - 1, min(CHART_LINES, self._console.height // 2)

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self._console.print(line)

    def _draw(self, *, at_once: bool) -> None:
        if not self._live.is_started:
            return
        if at_once or time.monotonic() - self._drawn_at >= REDRAW_S:
            self._live.update(self._picture(), refresh=True)
            self._drawn_at = time.monotonic()

    def _picture(self) -> RenderableType:
        drawing = self._charted_anew()
        lines = len(drawing.split("\n")) + 1 if drawing else 0
        room = max(1, self._console.height - LINES_AROUND - lines)
        parts: list[RenderableType] = [drawing, Text("")] if drawing else []
        if self._points:
            curves = curves_along(rows(self._points)[-room:], latency=False)
            parts += [renderable(curves), Text("")]
        parts.append(Text(self._now, no_wrap=True, overflow="ellipsis"))
        if self._canary:
            parts.append(Text(self._canary, no_wrap=True, overflow="ellipsis", style="dim"))
        if self._progress is not None:
            parts.append(_bar(self._progress))
        return Group(*parts)


def _bar(progress: Progressed) -> Table:
    line = Table.grid(padding=(0, 2, 0, 0))
    left = max(0.0, progress.seconds_left)
    line.add_row(
        ProgressBar(total=1.0, completed=progress.fraction, width=40),
        percent(round(progress.fraction, 2)),
        f"{seconds(round(left))} left",
    )
    return line


def common_lines(event: CheckEvent) -> list[str]:
    """The lines that both displays print for an event."""
    match event:
        case StageStarted():
            return [event.text]
        case InventoryTaken():
            return [f"  {label}: {text}" for label, text in inventory_rows(event.inventory)]
        case RunStarted():
            return [f"Run {event.run_id}: every point is kept as it arrives."]
        case Calibrated():
            return [calibrated_line(event)]
        case Queued() | Warned():
            return [note_line(event)]
        case _:
            return []


def fresh_lines(event: CheckEvent, noted: set[str]) -> list[str]:
    """The same, but a warning that comes with every point is said once; ``noted`` remembers it."""
    if isinstance(event, Warned):
        if event.message in noted:
            return []
        noted.add(event.message)
    return common_lines(event)


def note_line(event: Queued | Warned) -> str:
    """What is to be known before or beside the figures."""
    if isinstance(event, Queued):
        return f"{event.text} --start-anyway does not wait; Ctrl-C gives up."
    return f"Note: {event.message}"


def point_line(point: Point) -> str:
    """``random read 16 KiB, 8 threads: 31.2 k/s (±2 %), p95 1.24 ms``; why it is not trusted.

    A wide interval is written as its ends: ``15 k/s (12 to 19 k/s)``.
    """
    line = (
        f"{setting_line(point.setting)}: {rate_cell(point, rate)}{MARKS[point.trust]}"
        f" ({interval_text(point, rate, ' to ')}), p95 {duration_us(point.latency.p95_us)}"
    )
    reasons = " ".join(map(sentence, point.doubts))
    return f"{line} ({point.trust.value}: {reasons})" if reasons else line


def canary_line(beat: CanaryBeat) -> str:
    """How the live server fares, and where the probe would stop."""
    limit = f", stops at {duration_us(beat.limit_us)}" if beat.limit_us > 0 else ""
    return (
        f"Server: slowest read {duration_us(beat.latency_us)}"
        f" (before {duration_us(beat.baseline_us)}{limit}),"
        f" {beat.threads_running} running, {beat.row_lock_waits} waiting for row locks"
    )


def calibrated_line(calibrated: Calibrated) -> str:
    """What the prober costs, and what it could do at most."""
    ceilings = [most for rates in calibrated.ceiling_per_s.values() for most in rates.values()]
    most = f", up to {rate(max(ceilings), 'reads')} from memory" if ceilings else ""
    each = duration_us(calibrated.overhead_ns_per_op / 1000)
    return f"Calibrated: the prober takes {each} of CPU for each operation{most}."


def preparing_line(event: Preparing) -> str:
    """``Filling probe files: 256 MiB of 1 GiB``."""
    return f"Preparing {event.what}: {size(event.done_bytes)} of {size(event.total_bytes)}"
