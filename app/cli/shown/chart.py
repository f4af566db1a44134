"""A curve that grows, drawn in a terminal with the dots of Braille characters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotille
from rich.text import Text

from advisor.report.curve_axis import axis, level, rows
from advisor.wording.measured.cells import MARKS, short
from probes.figures import seconds
from probes.kinds.words import title, unit
from probes.points import Point, Sample, Setting, Trust

COLOURS = ("cyan", "magenta", "yellow", "green", "blue")
"""Of the latest lines, the newest first; more can't be distinguished."""

LABEL_WIDTH = 8
LEAST_WIDTH = 40
LEAST_HEIGHT = 5


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Dots joined by a line; ``marks`` is one character for each, ``bars`` their intervals."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    marks: str
    bars: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Ticks:
    """Where the horizontal axis has its names, ascending; ``name`` says what it shows."""

    name: str
    places: tuple[float, ...]
    labels: tuple[str, ...]


def chart(points: Sequence[Point], planned: Sequence[Setting], width: int, height: int) -> Text:
    """The curves of the probe that was measured last, over threads (of mixed: over flushing).

    ``planned`` are all settings of the run: the axis reaches over those of this probe. ``width``
    and ``height`` are in characters, names included. "" where there is nothing to draw or no room.
    """
    drawn = [point for point in points if point.trust is not Trust.REJECTED]
    if not drawn:
        return Text("")
    last = drawn[-1].setting
    same = [point for point in drawn if _picture(point.setting) == _picture(last)]
    levels = [each for each in planned if _picture(each) == _picture(last)]
    ticks = _ticks([*levels, *(point.setting for point in same)])
    return _drawn(_lines(same), ticks, f"{unit(last)}/s", width, height)


def timeline(setting: Setting, samples: Sequence[Sample], width: int, height: int) -> Text:
    """The rate of one long point over its time; "" where there is no room."""
    seen = [sample for sample in samples if sample.at_s >= 0]
    if len(seen) < 2:
        return Text("")
    xs = tuple(sample.at_s for sample in seen)
    line = ChartLine(title(setting), xs, tuple(sample.rate_per_s for sample in seen), "")
    ends = (0.0, xs[-1] / 2, xs[-1])
    ticks = Ticks("time", ends, tuple(seconds(round(each)) for each in ends))
    return _drawn([line], ticks, f"{unit(setting)}/s", width, height)


def _picture(setting: Setting) -> tuple[str, str]:
    """Settings with the same are drawn into one chart."""
    return setting.probe.value, setting.options.get("part", "")


def _lines(points: Sequence[Point]) -> list[ChartLine]:
    """The newest first: that of the last point."""
    found = rows(points)
    latest = {id(point): position for position, point in enumerate(points)}
    found.sort(key=lambda row: -max(latest[id(point)] for point in row.points.values()))
    return [
        ChartLine(
            row.name,
            tuple(level.place for level in row.points),
            tuple(point.rate_per_s for point in row.points.values()),
            "".join(MARKS[point.trust] or "o" for point in row.points.values()),
            tuple(point.ci95_per_s for point in row.points.values()),
        )
        for row in found[: len(COLOURS)]
    ]


def _ticks(settings: Sequence[Setting]) -> Ticks:
    levels = sorted({level(each) for each in settings})
    return Ticks(
        axis(settings[0].probe),
        tuple(each.place for each in levels),
        tuple(each.label for each in levels),
    )


def _drawn(lines: Sequence[ChartLine], ticks: Ticks, rate: str, width: int, height: int) -> Text:
    """The field with its axes, and below it the lines' names in their colours."""
    columns = width - LABEL_WIDTH - 3 - len(ticks.name) - 2
    rows = height - 3 - len(lines)
    if columns < LEAST_WIDTH or rows < LEAST_HEIGHT:
        return Text("")
    top = _round_up(max(max(line.ys) for line in lines))
    field = _field(lines, ticks, top, columns, rows)
    text = Text(f"{rate:>{LABEL_WIDTH}}\n")
    for row, dots in enumerate(field):
        at = top * (rows - row) / rows
        label = short(at) if row % max(1, rows // 4) == 0 else ""
        text.append(f"{label:>{LABEL_WIDTH}} │", style="dim").append_text(dots).append("\n")
    text.append(f"{'':>{LABEL_WIDTH}} └{'─' * columns}\n", style="dim")
    text.append(f"{'':>{LABEL_WIDTH}}  {_below(ticks, columns)}\n", style="dim")
    for line, colour in zip(lines, COLOURS, strict=False):
        text.append(f"{'':>{LABEL_WIDTH}}  ─ {line.name}\n", style=colour)
    text.rstrip()
    return text


def _field(
    lines: Sequence[ChartLine], ticks: Ticks, top: float, columns: int, rows: int
) -> list[Text]:
    figure = plotille.Figure()
    figure.width, figure.height = columns, rows
    figure.color_mode = "names"
    figure.origin = figure.with_x_axis = figure.with_y_axis = False
    low, high = _reach(ticks)
    figure.set_x_limits(low, high)
    figure.set_y_limits(0, top)
    for line, colour in reversed(list(zip(lines, COLOURS, strict=False))):
        figure.plot(line.xs, line.ys, lc=colour)
        for x, bar in zip(line.xs, line.bars, strict=False):
            if all(map(math.isfinite, bar)):
                figure.plot([x, x], [max(0.0, bar[0]), min(top, bar[1])], lc=colour)
        for x, y, mark in zip(line.xs, line.ys, line.marks, strict=False):
            figure.text([x], [y], [mark], lc=colour)
    return list(Text.from_ansi(figure.show()).split("\n"))


def _reach(ticks: Ticks) -> tuple[float, float]:
    low, high = ticks.places[0], ticks.places[-1]
    edge = (high - low) * 0.03 or 0.5
    return low - edge, high + edge


def _below(ticks: Ticks, columns: int) -> str:
    """The names under their places, as many as there is room for; last what the axis shows."""
    low, high = _reach(ticks)
    row = ""
    for place, label in zip(ticks.places, ticks.labels, strict=True):
        start = round((place - low) / (high - low) * (columns - 1)) - len(label) // 2
        if (start > len(row) or not row) and start + len(label) <= columns:
            row = f"{row:<{max(0, start)}}{label}"
    return f"{row[:columns]:<{columns}}  {ticks.name}"


def _round_up(value: float) -> float:
    """The next figure with two digits, so that the scale seldom moves."""
    if value <= 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(value) - 1)
    return math.ceil(value * 1.05 / unit) * unit
