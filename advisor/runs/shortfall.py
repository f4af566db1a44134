"""Why a run gave no point that can be used."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence

from advisor.runs.events import CheckEvent
from advisor.wording.measured.doubts import sentence
from probes.errors import NothingMeasured
from probes.events import PointStarted, Preparing, Warned
from probes.figures import counted, percent, seconds
from probes.plans.plan import Plan
from probes.points import Point, Trust

BUDGET = "budget"
"""The warning that something was left out for want of a budget."""

BESIDE_THE_POINT = {
    "buffered",
    "fewer_threads",
    "short_writes",
    "io_priority",
    "calibrate",
    "guard",
}
"""Warnings of what was measured all the same."""

MARGIN = 1.5
"""What is advised to be allowed, as a multiple of what preparing was on its way to take."""

STEP_S = 10.0
"""Advised times are whole multiples of it."""

MEASURE_ELSEWHERE = "Measure in another directory, or again when the machine is quiet."

Clock = Callable[[], float]


def usable(points: Sequence[Point]) -> list[Point]:
    """Those of a run's points that can be used: doubtful ones count as measured."""
    return [point for point in points if point.trust is not Trust.REJECTED]


class Shortfall:
    """Follows a run's events; ``check`` says at its end what kept it from measuring anything."""

    def __init__(self, plan: Plan, clock: Clock = time.monotonic) -> None:
        self._budget_s = plan.budget.seconds
        self._clock = clock
        self._left_out: Warned | None = None
        self._preparing: Preparing | None = None
        self._began_at = 0.0
        self._took_s = 0.0

    def following(self, events: Iterator[CheckEvent]) -> Iterator[CheckEvent]:
        """Pass on the events of a run."""
        for event in events:
            self._saw(event)
            yield event

    def check(self, points: Sequence[Point]) -> None:
        """Raise NothingMeasured unless one of ``points``, all of the run's, can be used."""
        if not usable(points):
            raise _rejected(points) if points else self._nothing()

    def _saw(self, event: CheckEvent) -> None:
        match event:
            case Warned() if event.code not in BESIDE_THE_POINT:
                self._left_out = event
            case Preparing():
                if self._preparing is None or self._preparing.what != event.what:
                    self._began_at = self._clock()
                self._preparing = event
                self._took_s = self._clock() - self._began_at
            case PointStarted():
                self._preparing = None

    def _nothing(self) -> NothingMeasured:
        if self._left_out is None:
            return NothingMeasured("No point was measured.")
        if self._left_out.code == BUDGET and self._preparing is not None and self._budget_s:
            return self._still_preparing(self._preparing)
        return NothingMeasured(self._left_out.message)

    def _still_preparing(self, preparing: Preparing) -> NothingMeasured:
        """The time was used up before the first point."""
        done = preparing.done_bytes / max(preparing.total_bytes, 1)
        sentence = (
            f"The budget of {seconds(self._budget_s)} was used up before the first point: "
            f"{percent(done)} of {preparing.what} was prepared."
        )
        if not 0 < done < 1:
            return NothingMeasured(sentence, "Allow more time.")
        whole_s = self._took_s / done
        allow_s = math.ceil(MARGIN * whole_s / STEP_S) * STEP_S
        return NothingMeasured(
            sentence,
            f"At this speed that takes about {seconds(round(whole_s))}: "
            f"allow {seconds(max(allow_s, self._budget_s + STEP_S))} or more.",
        )


def _rejected(points: Sequence[Point]) -> NothingMeasured:
    """Of all that was measured nothing may be used; all reasons of one point say why."""
    one = len(points) == 1
    which = "The only point was" if one else f"All {counted(len(points), 'point')} were"
    text = " ".join([f"{which} rejected.", *map(sentence, points[0].doubts)])
    return NothingMeasured(text, MEASURE_ELSEWHERE)
