"""What a run's points were made of, fetched when somebody looks at it: samples and histograms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from advisor.model.curves.latency_bins import shares
from app.controllers.run import Run
from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.points import Point, Sample

Answer = TypeVar("Answer")


class PointDetails(QObject):
    """Fills in the ``Details`` of runs, in jobs of its own; lives in the GUI thread.

    Signals: ``arrived(Run)`` when there is more of its points; ``failed(LeadlineError)``.
    """

    arrived = Signal(object)
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases) -> None:
        super().__init__()
        self._runner, self._use_cases = runner, use_cases
        self._busy: set[tuple[str, int]] = set()

    def want_samples(self, run: Run) -> None:
        """Fetch the samples of a stored run, unless they are there or on their way."""
        if run.details.samples is not None or run.run_id is None or run.running:
            return
        ids = [point.id for point in run.points if point.id is not None]

        def work(token: CancelToken) -> dict[int, tuple[Sample, ...]]:
            with self._use_cases.open_store() as store:
                found = {}
                for point_id in ids:
                    token.check()
                    found[point_id] = tuple(store.samples(point_id))
                return found

        self._start("samples", run, work, self._take_samples)

    def want_heat(self, run: Run, points: Sequence[Point]) -> None:
        """Read the histograms of points, unless they are read or on their way."""
        missing = [one for one in points if one.id is not None and one.id not in run.details.heat]

        def work(token: CancelToken) -> dict[int, tuple[float, ...]]:
            found = {}
            for point in missing:
                token.check()
                if point.id is not None:
                    found[point.id] = shares(point.histogram)
            # All at once: each answer has the views redrawn.
            return found

        if missing:
            self._start("histograms", run, work, self._take_heat)

    def _start(
        self,
        what: str,
        run: Run,
        work: Callable[[CancelToken], Answer],
        take: Callable[[Run, Answer], None],
    ) -> None:
        key = (what, id(run.details))
        if key in self._busy:
            return
        self._busy.add(key)
        self._runner.ask(
            f"{what} of run {run.run_id}",
            work,
            partial(take, run),
            self.failed,
            done=lambda: self._busy.discard(key),
        )

    def _take_samples(self, run: Run, samples: dict[int, tuple[Sample, ...]]) -> None:
        run.details.samples = samples
        self.arrived.emit(run)

    def _take_heat(self, run: Run, found: dict[int, tuple[float, ...]]) -> None:
        run.details.heat.update(found)
        self.arrived.emit(run)
