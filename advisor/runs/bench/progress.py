"""What has become of a bench so far, followed event by event."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.runs.bench.values import BenchEvent, PlacesSeen, TurnFailed, TurnStarted, turns
from advisor.runs.events import Finished, Progressed, RunStarted
from probes.errors import LeadlineError
from probes.events import PointDone, SampleTaken
from probes.points import Point


@dataclass(slots=True)
class BenchProgress:
    """``runs`` and ``points`` are of each place, by its index, as is ``failed``.

    ``turn_s`` is what the present turn still takes, by its own plan. ``growing`` is the latest
    second of the point that is measured now.
    """

    seen: PlacesSeen | None = None
    now: TurnStarted | None = None
    runs: dict[int, list[int]] = field(default_factory=dict)
    done: dict[int, int] = field(default_factory=dict)
    points: dict[int, list[Point]] = field(default_factory=dict)
    failed: dict[int, LeadlineError] = field(default_factory=dict)
    fraction: float = 0.0
    turn_s: float = 0.0
    growing: SampleTaken | None = None

    def take(self, event: BenchEvent) -> None:
        """Follow one event."""
        match event:
            case PlacesSeen():
                self.seen = event
            case TurnStarted():
                self.now, self.fraction, self.turn_s = event, 0.0, 0.0
                self.growing = None
            case TurnFailed():
                self.failed[event.place] = event.error
            case _ if self.now is not None:
                self._take_turn(event, self.now.place)

    def _take_turn(self, event: BenchEvent, place: int) -> None:
        match event:
            case RunStarted():
                self.runs.setdefault(place, []).append(event.run_id)
            case SampleTaken():
                self.growing = event
            case PointDone():
                self.growing = None
                self.points.setdefault(place, []).append(event.point)
            case Progressed():
                self.fraction, self.turn_s = event.fraction, event.seconds_left
            case Finished():
                self.done[place] = self.done.get(place, 0) + 1

    @property
    def again(self) -> bool:
        """Whether the present turn is not its place's first."""
        places = 0 if self.seen is None else len(self.seen.places)
        return self.now is not None and self.now.number > places

    @property
    def share(self) -> float:
        """How much of the whole bench is over, 0..1."""
        if self.now is None:
            return 0.0
        return (self.now.number - 1 + self.fraction) / self.now.total

    @property
    def seconds_left(self) -> float:
        """What all turns that are not over still take, by their plans; no place that failed."""
        if self.now is None or self.seen is None:
            return 0.0
        places = self.seen.places
        order = turns(len(places), self.now.total // len(places))
        later = (at for at in order[self.now.number :] if at not in self.failed)
        return self.turn_s + sum(places[at].plan.seconds for at in later)

    @property
    def measured(self) -> dict[tuple[int, ...], str]:
        """The runs of each place that has points, with its name, in the places' order."""
        places = () if self.seen is None else self.seen.places
        return {
            tuple(self.runs[at]): place.name
            for at, place in enumerate(places)
            if self.points.get(at)
        }
