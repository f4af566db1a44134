"""What is chosen in the window, and which run that means."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from advisor.run import RunKind, RunSummary, Voice, looks, speaking_run, voice_of
from advisor.target_names import SAMPLE
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

    @property
    def reachable(self) -> bool:
        """Whether the chosen target can be looked at."""
        return self.spec.has_address

    @property
    def sample(self) -> bool:
        """Whether it is the sample, which nothing newer will ever be known of."""
        return self._choice.target == SAMPLE

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
        return self._stored_runs.run(Voice(self._choice.run_id))

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
        """The chosen run, or what speaks for the chosen target with its latest curves.

        None where there is none, or while it is being read from the store.
        """
        voice = self.voice
        if voice is None:
            return None
        live = self._run_controller.run(self._choice.target)
        if live is not None and live.run_id == voice.run_id and voice.curves_id is None:
            return live
        return self._stored_runs.run(voice)

    @property
    def loading(self) -> bool:
        """Whether the run that ``latest`` gives is still being read from the store."""
        return self.voice is not None and self.latest is None

    @property
    def watching(self) -> Run | None:
        """``latest``, where that is a chosen run or looked at its server's work."""
        if self._choice.run_id is not None:
            return self.run
        return self.latest if speaking_run(self.runs) is not None else None

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

    @property
    def voice(self) -> Voice | None:
        """The chosen run, or what speaks for the chosen target."""
        if self._choice.run_id is not None:
            return Voice(self._choice.run_id)
        return voice_of(self.runs)

    @property
    def runs(self) -> list[RunSummary]:
        """All of the chosen target that are kept, the latest first."""
        return self._stored_runs.shelf.of(self._choice.target)

    @property
    def curves(self) -> RunSummary | None:
        """The run whose points stand beside what ``latest`` saw; None where those are its own."""
        voice = self.voice
        wanted = None if voice is None else voice.curves_id
        return next((run for run in self.runs if run.id == wanted), None)

    @property
    def passed_idle(self) -> bool:
        """Whether a later look than that of ``latest`` saw no query at work."""
        voice = self.voice
        if self._choice.run_id is not None or voice is None:
            return False
        return any(run.idle and run.id > voice.run_id for run in self.runs)

    @property
    def looked_again(self) -> bool:
        """Whether more than one look at the chosen target's server saw it at work."""
        loaded = [run for run in looks(self.runs) if not run.idle]
        return len(loaded) > 1 and any(run.kind is RunKind.WATCH for run in loaded)

    def _open(self) -> None:
        """Load what is chosen, where it is not there yet or more is known since."""
        voice = self.voice
        if voice is not None and (self.latest is None or self._stored_runs.run(voice) is not None):
            self._stored_runs.open(voice)

    def _run_opened(self, run_id: int) -> None:
        """Give a run of this session that ended early the judgement of its stored points."""
        stored = self._stored_runs.run(Voice(run_id))
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
            self._stored_runs.open(Voice(run.run_id))
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
