"""Keeping what a run yields, as it arrives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.judging.engine import time_of
from advisor.rulekit.facts import FactSource
from advisor.run import RunState
from advisor.runs.events import CheckEvent
from advisor.runs.shortfall import usable
from advisor.store.rows.runs import ALL_REJECTED, BESIDE_SERVER, IDLE
from advisor.store.store import Store
from probes.errors import Cancelled, LeadlineError, StoreError
from probes.events import Calibrated, CanaryBeat, EngineReady, PointDone, Warned
from probes.points import Point


@dataclass(frozen=True, slots=True)
class Recorder:
    """The run in the store to which everything that arrives is written."""

    store: Store
    run_id: int

    def keep(self, event: CheckEvent) -> CheckEvent:
        """Write what must survive; the event comes back as the store knows it."""
        match event:
            case PointDone():
                point = self.store.add_point(self.run_id, event.point, event.samples)
                self.note_load([point])
                return replace(event, point=point)
            case Warned():
                self.store.add_warning(self.run_id, event.code, event.message)
            case EngineReady():
                self._ready(event)
            case Calibrated():
                self.store.set_calibrated(self.run_id, event)
            case CanaryBeat():
                self.store.add_beat(self.run_id, event)
        return event

    def set(self, name: str, value: str) -> None:
        """Keep a condition of the run."""
        self.store.set_condition(self.run_id, name, value)

    def note_load(self, points: Iterable[Point]) -> None:
        """Remember of the run that points of it are beside the server's own load."""
        if any(point.beside_server for point in points):
            self.set(BESIDE_SERVER, "yes")

    def note_rejected(self, points: Sequence[Point]) -> None:
        """Remember of the run that none of its points can be used."""
        if points and not usable(points):
            self.set(ALL_REJECTED, "yes")

    def note_idle(self, case: Case) -> None:
        """Remember of the run that the server had no query at work while it was watched."""
        if case.inventory.watched is not None and time_of(FactSource(case)) is None:
            self.set(IDLE, "yes")

    def set_all(self, conditions: Mapping[str, str]) -> None:
        """Keep conditions of the run by name."""
        for name, value in conditions.items():
            self.set(name, value)

    def _ready(self, event: EngineReady) -> None:
        # The first engine is the run's; a second one only checks it.
        if "engine" not in self.store.conditions(self.run_id):
            self.set_all({"engine": event.engine, "engine_version": event.version})


@contextmanager
def recorded(store: Store, run_id: int) -> Iterator[Recorder]:
    """Give the run its end, whatever it is; what arrived before stays."""
    try:
        yield Recorder(store, run_id)
        store.end_run(run_id, RunState.DONE)
    except (Cancelled, GeneratorExit):
        _end_early(store, run_id, RunState.CANCELLED, "Stopped before its end.")
        raise
    except LeadlineError as error:
        _end_early(store, run_id, RunState.FAILED, error.sentence)
        raise
    except BaseException as error:
        fault = f"Unexpected fault: {type(error).__name__}."
        _end_early(store, run_id, RunState.FAILED, fault)
        raise


def _end_early(store: Store, run_id: int, state: RunState, reason: str) -> None:
    # What ended the run matters more than a store that has gone: that shows at the next start.
    with suppress(StoreError):
        store.end_run(run_id, state, reason)
