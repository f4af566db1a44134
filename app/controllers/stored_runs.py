"""What the store holds, as the window knows it: targets, their runs, and runs that were opened."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.run import RunKind, RunLabel, RunState, RunSummary, Voice
from advisor.runs.events import KeptRun, RefusedFile
from advisor.store.damage import DamagedError
from advisor.target_names import CASE_SUFFIX, in_order
from app.controllers.run import DoneRun, finding_sentences
from app.runtime.jobs import Job, JobRunner
from app.runtime.translation import tr
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.targets.address import TargetSpec

if TYPE_CHECKING:
    from advisor.runs.sent.asked import ServerTexts
    from advisor.store.store import Store

Answer = TypeVar("Answer")

UNDO_MS = 8000
"""How long a deletion can be taken back."""

LOCAL = TargetSpec()
"""This computer, there from the start."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All targets with their runs, latest first; values only.

    ``unsaved`` are the names of those that are known by their runs alone. ``left_open`` says what
    trials that were cut off may have left on their servers, a sentence or two for each.
    ``read_at_s`` is when its reading began, on the monotonic clock: of two, the later knows more.
    """

    targets: tuple[TargetSpec, ...] = (LOCAL,)
    runs: tuple[RunSummary, ...] = ()
    warnings: tuple[str, ...] = ()
    unsaved: frozenset[str] = frozenset()
    left_open: tuple[str, ...] = ()
    read_at_s: float = field(default_factory=time.monotonic, compare=False)

    def of(self, target: str) -> list[RunSummary]:
        """The runs of one target, latest first."""
        return [run for run in self.runs if run.target == target]

    def spec(self, name: str) -> TargetSpec | None:
        """The target of that name."""
        return next((spec for spec in self.targets if spec.name == name), None)


@dataclass(slots=True)
class Deletion:
    """Something that has left the list and leaves the store when its time is up."""

    sentence: str
    commit: Callable[[Store], None]
    hides_run: int | None = None
    hides_target: str = ""
    timer: QTimer = field(default_factory=QTimer)


@dataclass(frozen=True, slots=True)
class Imports:
    """What has become of the files of one import; ``cases`` are the case files that were taken."""

    kept: tuple[KeptRun, ...]
    refused: tuple[RefusedFile, ...]
    cases: tuple[Path, ...] = ()

    @classmethod
    def of(cls, found: Sequence[KeptRun | RefusedFile], files: Sequence[Path] = ()) -> Imports:
        """What came of ``files``, taken apart, each in their order."""
        refused = tuple(one for one in found if isinstance(one, RefusedFile))
        left_out = {one.file for one in refused}
        return cls(
            tuple(one for one in found if isinstance(one, KeptRun)),
            refused,
            tuple(one for one in files if one.suffix == CASE_SUFFIX and one not in left_out),
        )


class StoredRuns(QObject):
    """Reads and changes the store in short jobs; lives in the GUI thread.

    Signals: ``changed()`` when targets or runs differ, ``opened(run_id)`` when a stored run is
    there, ``warned(sentence)`` when the store has something to say, ``failed(LeadlineError)``,
    ``deleted(Deletion)`` when something can be taken back, ``imported(Imports)`` at the end of an
    import, once all of it is on the shelf.
    """

    changed = Signal()
    opened = Signal(int)
    warned = Signal(str)
    failed = Signal(LeadlineError)
    deleted = Signal(Deletion)
    imported = Signal(Imports)

    def __init__(self, runner: JobRunner, use_cases: UseCases) -> None:
        super().__init__()
        self._runner, self._use_cases = runner, use_cases
        self._shelf = self._visible = Shelf()
        self._read, self._read_at_s = False, 0.0
        self._opened: dict[Voice, DoneRun] = {}
        self._opening, self._stale = set[Voice](), set[Voice]()
        self._warned, self._deletions = set[str](), list[Deletion]()

    @property
    def shelf(self) -> Shelf:
        """Targets and runs, without what is about to be deleted; one value until they differ."""
        return self._visible

    @property
    def known(self) -> bool:
        """Whether the store was read: before that, nothing is on the shelf."""
        return self._read

    def _see(self) -> None:
        """Leave out what is about to be deleted."""
        if not self._deletions:
            self._visible = self._shelf
            return
        hidden_runs = {deletion.hides_run for deletion in self._deletions}
        hidden_targets = {deletion.hides_target for deletion in self._deletions}
        runs = tuple(
            run
            for run in self._shelf.runs
            if run.id not in hidden_runs and run.target not in hidden_targets
        )
        # A target that nobody saved goes with its last run.
        hidden_targets |= self._shelf.unsaved - {run.target for run in runs}
        targets = tuple(spec for spec in self._shelf.targets if spec.name not in hidden_targets)
        self._visible = Shelf(targets, runs, unsaved=self._shelf.unsaved)

    def refresh(self) -> None:
        """Read targets and runs again."""
        self._ask("read the store", _read_shelf, self.take_shelf)

    def run(self, voice: Voice) -> DoneRun | None:
        """An opened run with its curves; None until ``opened`` has named it."""
        return self._opened.get(voice)

    def open(self, voice: Voice) -> None:
        """Load a run with its curves, by the rules of today; again where later runs have ended."""
        if (voice in self._opened and voice not in self._stale) or voice in self._opening:
            return
        self._stale.discard(voice)
        self._opening.add(voice)
        self._ask(
            f"open run {voice.run_id}",
            lambda store: _load(store, voice, self._use_cases),
            partial(self._take_run, voice),
            lambda: self._opening.discard(voice),
        )

    def keep(self, run: DoneRun) -> None:
        """Take over a run that was just measured, so that it need not be loaded."""
        self._opened[Voice(run.run_id)] = run

    def forget_opened(self) -> None:
        """Have each run loaded and judged again when it is next opened."""
        self._opened.clear()

    def save(self, spec: TargetSpec, instead_of: str, then: Callable[[], None]) -> None:
        """Keep a target; ``instead_of`` is its name before; ``then`` is called once it is known."""

        def write(store: Store) -> Shelf:
            store.save_target(spec)
            if instead_of and instead_of != spec.name:
                store.delete_target(instead_of)
            return _read_shelf(store)

        def taken(shelf: Shelf) -> None:
            self.take_shelf(shelf)
            then()

        self._ask("save the target", write, taken)

    def import_files(self, files: Sequence[Path]) -> None:
        """Take in what other programs have measured; what can't be read is left out."""
        self._take_in(lambda store: self._use_cases.import_files(store, files), files)

    def import_server(
        self,
        texts: ServerTexts,
        taken: Callable[[], object],
        refused: Callable[[LeadlineError], object],
    ) -> None:
        """Take in what somebody sent of a server that nobody here can reach.

        ``taken`` is called once it is kept, ``refused`` with what kept it from being read.
        """
        job = self._taking_in(lambda store: self._use_cases.take_server(store, texts))
        job.succeeded.connect(taken)
        job.failed.connect(refused)
        self._runner.start(job)

    def take_sample(self) -> None:
        """Take in the sample that ships; nothing comes of it where it is there."""
        self._take_in(self._use_cases.take_sample)

    def _take_in(
        self, read: Callable[[Store], Iterator[KeptRun | RefusedFile]], files: Sequence[Path] = ()
    ) -> None:
        job = self._taking_in(read, files)
        job.failed.connect(self.failed)
        self._runner.start(job)

    def _taking_in(
        self, read: Callable[[Store], Iterator[KeptRun | RefusedFile]], files: Sequence[Path] = ()
    ) -> Job:
        found: list[KeptRun | RefusedFile] = []

        def work(_token: CancelToken) -> Iterator[object]:
            with self._use_cases.open_store() as store:
                yield from read(store)
                yield _read_shelf(store)

        def take(one: KeptRun | RefusedFile | Shelf) -> None:
            if isinstance(one, Shelf):
                self.take_shelf(one)
                self.imported.emit(Imports.of(found, files))
            else:
                found.append(one)

        job = Job("import", work)
        job.reported.connect(take)
        job.failed.connect(lambda _error: self.refresh())
        return job

    def label_run(self, run_id: int, label: RunLabel) -> None:
        """Keep what a run is called."""

        def write(store: Store) -> Shelf:
            store.label_run(run_id, label)
            return _read_shelf(store)

        self._ask("name a run", write, self.take_shelf)

    def delete_run(self, run_id: int, sentence: str) -> None:
        """Delete a run, unless it is taken back in time; ``sentence`` says that it is gone."""
        self._delete(
            Deletion(
                sentence,
                lambda store: store.delete_run(run_id),
                hides_run=run_id,
            )
        )

    def delete_target(self, name: str) -> None:
        """Forget a target and delete its runs, unless it is taken back in time."""

        def commit(store: Store) -> None:
            for run in store.runs(name):
                store.delete_run(run.id)
            store.delete_target(name)

        text = tr("{name} and its runs deleted.", name=name)
        self._delete(Deletion(text, commit, hides_target=name))

    def take_back(self, deletion: Deletion) -> None:
        """Undo a deletion; nothing happens when its time is up."""
        if deletion in self._deletions:
            deletion.timer.stop()
            self._forget(deletion)
            self.changed.emit()

    def commit_deletions(self) -> None:
        """Carry out what can still be taken back; before the program ends."""
        for deletion in list(self._deletions):
            self._commit(deletion)

    def _delete(self, deletion: Deletion) -> None:
        self._deletions.append(deletion)
        self._see()
        deletion.timer.setSingleShot(True)
        deletion.timer.timeout.connect(partial(self._commit, deletion))
        deletion.timer.start(UNDO_MS)
        # Emitted first: who takes it back comes back to what is chosen now.
        self.deleted.emit(deletion)
        self.changed.emit()

    def _commit(self, deletion: Deletion) -> None:
        deletion.timer.stop()

        def write(store: Store) -> Shelf:
            deletion.commit(store)
            return _read_shelf(store)

        def taken(shelf: Shelf) -> None:
            self._forget(deletion)
            self.take_shelf(shelf)

        self._ask("delete", write, taken, lambda: self._forget(deletion))

    def _forget(self, deletion: Deletion) -> None:
        if deletion in self._deletions:
            self._deletions.remove(deletion)
            self._see()

    def _ask(
        self,
        name: str,
        call: Callable[[Store], Answer],
        take: Callable[[Answer], None],
        done: Callable[[], None] | None = None,
    ) -> None:
        """Work with the store in a job; ``done`` is called at its end, whatever came of it."""

        def work(_token: CancelToken) -> Answer:
            with self._use_cases.open_store() as store:
                return call(store)

        self._runner.ask(name, work, take, self.failed, done=done)

    def take_shelf(self, shelf: Shelf) -> None:
        """Show what was read, unless something was read later already."""
        if shelf.read_at_s < self._read_at_s:
            # Asked for before the one that is shown, and overtaken by it.
            return
        self._read, self._read_at_s = True, shelf.read_at_s
        if shelf != self._shelf:
            self._stale |= self._outrun(shelf)
            self._shelf = shelf
            self._see()
        for warning in shelf.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                self.warned.emit(warning)
        self.changed.emit()

    def _outrun(self, shelf: Shelf) -> set[Voice]:
        """Open runs of targets of which a later run has ended."""
        known = {(run.id, run.state) for run in self._shelf.runs}
        ended = (run for run in reversed(shelf.runs) if run.state is not RunState.RUNNING)
        latest = {run.target: run.id for run in ended if (run.id, run.state) not in known}
        opened = self._opened.items()
        return {voice for voice, run in opened if latest.get(run.target, 0) > max(voice.ids)}

    def _take_run(self, voice: Voice, run: DoneRun | None) -> None:
        if run is not None:
            self._opened[voice] = run
        self.opened.emit(voice.run_id)


def _read_shelf(store: Store) -> Shelf:
    read_at_s = time.monotonic()
    runs = tuple(store.runs())
    saved = {spec.name: spec for spec in store.targets()}
    unsaved = {run.target for run in runs} - saved.keys() - {LOCAL.name}
    for run in runs:
        if run.target not in saved and run.target != LOCAL.name:
            saved[run.target] = _target_of(store, run)
    here = saved.pop(LOCAL.name, LOCAL)
    others = sorted(saved.values(), key=lambda spec: in_order(spec.name))
    left = store.left_open
    warnings = tuple(one for one in store.warnings if one not in left)
    return Shelf((here, *others), runs, warnings, frozenset(unsaved), left, read_at_s)


def _target_of(store: Store, run: RunSummary) -> TargetSpec:
    """What a run was made on; its name alone where the rest is damaged."""
    try:
        return store.run_target(run.id)
    except DamagedError:
        return TargetSpec(name=run.target)


def _load(store: Store, voice: Voice, use_cases: UseCases) -> DoneRun | None:
    """A run, judged; None for one that another program measures now."""
    summary = store.run(voice.run_id)
    if summary.state is RunState.RUNNING:
        return None
    from advisor.fleet.history import changed_since  # noqa: PLC0415 - in a job's thread

    case = use_cases.load_case(store, voice)
    return DoneRun(
        summary,
        case,
        use_cases.judge(case),
        # Worked out later, they would have the page laid out and drawn a second time.
        finding_sentences(case.inventory, case.points),
        None if summary.kind is RunKind.IMPORT else store.plan(voice.measured_id),
        case.conditions.get("engine", ""),
        tuple(warning.message for warning in store.run_warnings(voice.run_id)),
        answer=use_cases.answer(store, summary),
        outdated=changed_since(store, summary.target, voice.run_id),
    )
