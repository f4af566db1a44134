"""What is chosen in the window, and which run that means."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from advisor.run import RunKind, RunState, RunSummary, looks, speaking_run
from app.controllers.run import DoneRun, LiveRun, Run
from app.controllers.run_controller import RunController
from app.controllers.stored_runs import LOCAL, StoredRuns
from app.runtime.debounce import Debounce
from probes.inventory.facts import Inventory
from probes.targets.address import TargetSpec


@dataclass(frozen=True, slots=True)
class Choice:
    """A target, and one of its runs or None for the target itself."""

    target: str = LOCAL.name
    run_id: int | None = None


GATHER_MS = 400
"""Events may come far more often than anybody can look: views hear no more often. What
they draw then is most of what a live run takes of a processor."""


class Selection(QObject):
    """The choice of the user and what follows from it; lives in the GUI thread.

    Signals: ``chosen()`` when another target or run was chosen; ``advanced()`` when what is shown
    of it has changed, at most every ``GATHER_MS``.
    """

    chosen = Signal()
    advanced = Signal()

    def __init__(self, stored_runs: StoredRuns, run_controller: RunController) -> None:
        super().__init__()
        self._stored_runs = stored_runs
        self._run_controller = run_controller
        self._choice = Choice()
        self._news = Debounce(self, GATHER_MS, self.advanced.emit)
        run_controller.advanced.connect(self._target_advanced)
        run_controller.looked.connect(self._target_advanced)
        run_controller.stored.connect(self._run_stored)
        run_controller.ended.connect(self._run_ended)
        stored_runs.opened.connect(self._run_opened)
        stored_runs.changed.connect(self._stored_runs_changed)

    @property
    def choice(self) -> Choice:
        """What is chosen."""
        return self._choice

    @property
    def up_to_date(self) -> bool:
        """Whether views have heard all that is known: ``advanced`` comes a moment later."""
        return not self._news.isActive()

    @property
    def spec(self) -> TargetSpec:
        """The chosen target."""
        return self._stored_runs.shelf.spec(self._choice.target) or LOCAL

    def choose(self, choice: Choice) -> None:
        """Show another target or run."""
        if choice == self._choice:
            return
        self._choice = choice
        self._open()
        self.chosen.emit()

    @property
    def run(self) -> Run | None:
        """The chosen run; for a target alone, one that is beginning or has failed to begin."""
        live = self._run_controller.run(self._choice.target)
        if self._choice.run_id is None:
            return live if live is not None and live.run_id is None else None
        if live is not None and live.run_id == self._choice.run_id:
            return live
        return self._stored_runs.run(self._choice.run_id)

    @property
    def kind(self) -> RunKind | None:
        """How the chosen run came to be; None for a target."""
        run_id = self._choice.run_id
        if run_id is None:
            return None
        live = self._run_controller.run(self._choice.target)
        if live is not None and live.run_id == run_id:
            return live.kind
        runs = self._stored_runs.shelf.runs
        return next((run.kind for run in runs if run.id == run_id), None)

    @property
    def imported(self) -> bool:
        """Whether the chosen run comes from another program's file."""
        return self.kind is RunKind.IMPORT

    @property
    def busy(self) -> LiveRun | None:
        """The run that goes on now on the chosen target."""
        live = self._run_controller.run(self._choice.target)
        return live if isinstance(live, LiveRun) and live.running else None

    @property
    def latest(self) -> Run | None:
        """The chosen run, or the chosen target's latest with points; without one its last watch."""
        return self._kept(self.wanted_id())

    @property
    def loading(self) -> bool:
        """Whether the run that ``latest`` gives is still being read from the store."""
        return self.wanted_id() is not None and self.latest is None

    @property
    def watching(self) -> Run | None:
        """The chosen run, or the chosen target's latest that looked at its server's work.

        None where there is none, or while ``open_watching`` has it loaded.
        """
        if self._choice.run_id is not None:
            return self.run
        return self._kept(self.watching_id())

    def open_watching(self) -> bool:
        """Have what ``watching`` gives loaded; whether there is anything to wait for."""
        latest = self.watching_id()
        if self._choice.run_id is None and latest is not None and self.watching is None:
            self._stored_runs.open(latest)
            return True
        return False

    @property
    def inventory(self) -> Inventory | None:
        """The chosen run's inventory; for a target the last look's, or that of its latest run."""
        run = self.run
        if run is not None and run.inventory is not None:
            return run.inventory
        looked = self._run_controller.look_at(self._choice.target)
        if self._choice.run_id is None and looked is not None and looked.inventory is not None:
            return looked.inventory
        latest = self.latest
        return latest.inventory if latest is not None else None

    def _kept(self, run_id: int | None) -> Run | None:
        """A run of the chosen target: of this session, or as it was stored; None until loaded."""
        if run_id is None:
            return None
        live = self._run_controller.run(self._choice.target)
        return live if live is not None and live.run_id == run_id else self._stored_runs.run(run_id)

    def wanted_id(self) -> int | None:
        """Of the chosen run, or of the chosen target's latest."""
        return self.latest_id() if self._choice.run_id is None else self._choice.run_id

    def latest_id(self) -> int | None:
        """Of the chosen target's latest run that has points, or that looked at its server."""
        finished = (RunState.DONE, RunState.CANCELLED, RunState.INTERRUPTED)
        runs = self._stored_runs.shelf.of(self._choice.target)
        best = sorted(
            (run for run in runs if run.state in finished and run.points),
            key=lambda run: (run.state is not RunState.DONE, -run.id),
        )
        if not best:
            return self.watching_id()
        return self._loaded_before(best[0]) or best[0].id

    def _loaded_before(self, latest: RunSummary) -> int | None:
        """What saw the server at work, where the latest run saw it idle; None where it did not."""
        watching = self.watching_id()
        known = {run.id: run for run in self._stored_runs.shelf.of(self._choice.target)}
        return watching if latest.idle and watching and not known[watching].idle else None

    @property
    def passed_idle(self) -> bool:
        """Whether ``latest`` is not the latest run: that saw no query at work."""
        runs = self._stored_runs.shelf.of(self._choice.target)
        latest = self.latest_id()
        chosen = self._choice.run_id is not None
        return (
            not chosen and latest is not None and any(run.idle and run.id > latest for run in runs)
        )

    @property
    def looked_again(self) -> bool:
        """Whether more than one look at the chosen target's server saw it at work."""
        runs = self._stored_runs.shelf.of(self._choice.target)
        loaded = [run for run in looks(runs) if not run.idle]
        return len(loaded) > 1 and any(run.kind is RunKind.WATCH for run in loaded)

    def watching_id(self) -> int | None:
        """Of finished runs the latest watch of a server at work, else the latest such check.

        Where none saw it at work, the latest watch or check that there is.
        """
        found = speaking_run(self._stored_runs.shelf.of(self._choice.target))
        return None if found is None else found.id

    def _open(self) -> None:
        """Load what is chosen, where it is not there yet."""
        run_id = self.wanted_id()
        live = self._run_controller.run(self._choice.target)
        if run_id is not None and (live is None or live.run_id != run_id):
            self._stored_runs.open(run_id)

    def _run_opened(self, run_id: int) -> None:
        """Give a run of this session that ended early the judgement of its stored points."""
        stored = self._stored_runs.run(run_id)
        settled = None if stored is None else self._run_controller.settle(stored)
        if settled is not None:
            self._stored_runs.keep(settled)
        self.advanced.emit()

    def _target_advanced(self, target: str) -> None:
        if target == self._choice.target:
            self._news.ask()

    def _run_stored(self, target: str, run_id: int) -> None:
        self._stored_runs.refresh()
        if self._choice == Choice(target):
            self.choose(Choice(target, run_id))

    def _run_ended(self, target: str) -> None:
        run = self._run_controller.run(target)
        if isinstance(run, DoneRun):
            self._stored_runs.keep(run)
        elif run is not None and run.run_id is not None:
            self._stored_runs.open(run.run_id)
        self._stored_runs.refresh()

    def _stored_runs_changed(self) -> None:
        shelf = self._stored_runs.shelf
        gone = shelf.spec(self._choice.target) is None
        if gone:
            self.choose(Choice())
            return
        run_id, live = self._choice.run_id, self._run_controller.run(self._choice.target)
        known = {run.id for run in shelf.runs}
        beginning = live is not None and live.running and live.run_id == run_id
        if run_id is not None and run_id not in known and not beginning:
            self.choose(Choice(self._choice.target))
            return
        self._open()
        self.advanced.emit()
