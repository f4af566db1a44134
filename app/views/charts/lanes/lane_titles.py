"""The titles of lanes, laid out: what does not fit beside the title goes on in further lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QFontMetricsF

from app.presenters.charts.lanes import Lane, LaneTrace
from app.theme import tokens

SWATCH_ROOM = 14


@dataclass(frozen=True, slots=True)
class LaneFigure:
    """Where the figure of a trace stands: its line below the title's, and how far to the right."""

    trace: LaneTrace
    line: int
    left: float


def entries(lane: Lane, room: float, metrics: QFontMetricsF) -> Iterator[LaneFigure]:
    """Each trace of a lane, with room for the longest of its figures."""
    line, left = 0, metrics.horizontalAdvance(lane.title) + tokens.SPACE_L
    for trace in lane.traces:
        # Lines must not come and go while a cursor reads one figure after the other.
        longest = max((trace.summary, *(spot.text for spot in trace.spots)), key=len)
        wide = SWATCH_ROOM + metrics.horizontalAdvance(f"{trace.name} {longest}".strip())
        if left > 0 and left + wide > room:
            line, left = line + 1, 0.0
        yield LaneFigure(trace, line, left)
        left += wide + tokens.SPACE_L
