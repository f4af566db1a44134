"""The local database: targets, runs, points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from advisor.lab.asked import Asked
from advisor.lab.record import LabTurn, Record
from advisor.run import RunKind, RunLabel, RunState, RunSummary
from advisor.store.damage import of_run
from advisor.store.database import Database
from advisor.store.drive_turns import DriveTurn
from advisor.store.lives import Lives
from advisor.store.rows import imports, labels, labs, notes, points, runs, targets, trials
from advisor.store.schema import cleaning, copying, foreign
from advisor.store.schema.opening import open_database
from advisor.store.trial_journal import JournalEntry, TrialJournal, left_text
from advisor.trial.outcome import RuleOutcome
from advisor.trial.record import TrialPair, TrialRecord
from advisor.tried import Pinned
from probes.events import Calibrated, CanaryBeat, Warned
from probes.home import home
from probes.imports.imported import Imported
from probes.inventory.facts import RawInventory
from probes.plans.plan import Plan
from probes.points import Point, Sample
from probes.targets.address import TargetSpec

DATABASE = "leadline.sqlite3"


class Store:
    """One connection to the database; belongs to the thread that opened it. A context manager.

    No secret is kept: what may be one is hidden before it is written.

    Methods raise StoreError when the file can't be used, when a run that is asked for by its number
    does not exist, and DamagedError when what is kept of it can't be read. A run that has ended
    never changes: the database itself refuses it.
    """

    def __init__(self, database: Database, warnings: tuple[str, ...] = ()) -> None:
        self._database = database
        self._lives = Lives(database.path)
        self.trial_journal = TrialJournal(database.path)
        self.warnings = warnings
        self.left_open: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open (and migrate) the database.

        ``None`` means the platform's data directory or LEADLINE_HOME. A corrupt file is kept aside
        and a new one started, and secrets that an older program kept are hidden; ``warnings`` then
        says so. ``left_open``, which is among them, is what trials may have left on servers. Runs
        whose process is gone become ``interrupted``. A file that can't be written is read all the
        same; then every method that would change it raises StoreError. Raises StoreError (locked,
        newer than the program).
        """
        database, warnings = open_database(path or home() / DATABASE)
        store = cls(database, warnings)
        with ExitStack() as half_way:
            half_way.callback(store.close)
            runs.interrupt_dead(database, store._lives)
            clean = cleaning.clean_read_only if database.read_only else cleaning.clean_file
            store.warnings += clean(database)
            store.warnings += tuple(
                f"What is kept of the target {name} is damaged: it is left out. Save it again."
                for name in targets.damaged(database)
            )
            store.left_open = tuple(map(left_text, store.open_trials()))
            store.warnings += store.left_open
            if database.read_only:
                database.keep_nothing()
            half_way.pop_all()
        return store

    def drive_turn(self, drives: Iterable[str]) -> DriveTurn:
        """The turn on drives, among all programs that use this database; not taken yet."""
        path = self._database.path
        return DriveTurn(path.with_name(f"{path.name}.drives"), drives)

    @classmethod
    def open_copy(cls, path: Path) -> Self:
        """A copy in memory of a file that ``export_runs`` wrote: what is done to it is not kept.

        Raises StoreError: NewerError for a newer program's file, CorruptError for one that is
        damaged or none of Leadline's, OverLimitError for one that is too large.
        """
        database = foreign.read(path)
        with ExitStack() as half_way:
            half_way.callback(database.close)
            store = cls(database, cleaning.clean_foreign(database))
            half_way.pop_all()
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; a run of this store that has not ended counts as interrupted."""
        self._lives.close()
        self._database.close()

    def require_writable(self) -> None:
        """Raises StoreError where nothing can be kept, before work is done that would be lost."""
        self._database.require_writable()

    def save_target(self, spec: TargetSpec) -> None:
        """Keep ``spec`` under its name, in place of an older one."""
        targets.save(self._database, spec)

    def targets(self) -> list[TargetSpec]:
        """The saved targets by name."""
        return targets.read_all(self._database)

    def target(self, name: str) -> TargetSpec | None:
        """The target that was saved as ``name``."""
        return targets.read(self._database, name)

    def delete_target(self, name: str) -> None:
        """Forget a target; its runs stay."""
        targets.delete(self._database, name)

    def start_run(
        self, spec: TargetSpec, raw: RawInventory, plan: Plan, kind: str = RunKind.CHECK
    ) -> int:
        """Begin a run (``check`` or ``probe``); it counts as running while this store is open."""
        return runs.start(self._database, self._lives, spec, raw, plan, kind=RunKind(kind))

    def add_lab(self, run_id: int, asked: Asked) -> None:
        """Keep what a lab is asked, right after its run has begun."""
        labs.add(self._database, run_id, asked)

    def set_lab_known(self, run_id: int, record: Record) -> None:
        """Keep what is known of a lab's servers by now; its turns are kept as they come."""
        labs.set_known(self._database, run_id, record)

    def add_lab_turn(self, run_id: int, turn: LabTurn) -> None:
        """Keep a turn of a running lab."""
        labs.add_turn(self._database, run_id, turn)

    def labs_of(self, target: str) -> list[tuple[int, str]]:
        """The labs of a target that are over, the latest first: number and start (ISO 8601)."""
        return runs.over_in(self._database, "labs", target)

    def lab(self, run_id: int) -> Record:
        """A lab as far as it has come; a run that is none is a StoreError."""
        with of_run(self._database.path, run_id):
            return labs.read(self._database, run_id)

    def add_trial(self, run_id: int, record: TrialRecord) -> None:
        """Keep what a trial is asked and how it is made, right after its run has begun."""
        trials.add(self._database, run_id, record)

    def set_trial_known(self, run_id: int, record: TrialRecord) -> None:
        """Keep what is known of a running trial by now; its pairs are kept as they come."""
        trials.set_known(self._database, run_id, record)

    def add_trial_pair(self, run_id: int, pair: TrialPair) -> None:
        """Keep a pair of a running trial, in place of what had its number."""
        trials.add_pair(self._database, run_id, pair)

    def open_trials(self) -> tuple[JournalEntry | Path, ...]:
        """Trials that nobody is at any more, and that are not known to have gone back."""
        entries = tuple(self.trial_journal.entries())
        if not entries:
            return ()
        running = {run.id for run in self.runs() if run.state is RunState.RUNNING}
        return tuple(
            entry
            for entry in entries
            if not isinstance(entry, JournalEntry) or entry.run_id not in running
        )

    def trials_of(self, target: str) -> list[tuple[int, str]]:
        """The trials of a target that are over, the latest first: number and start (ISO 8601)."""
        return runs.over_in(self._database, "trials", target)

    def outcomes(self) -> list[RuleOutcome]:
        """What came of rules' advice, on all targets."""
        return trials.outcomes(self._database)

    def keep_outcomes(self, found: Iterable[RuleOutcome]) -> None:
        """Keep what labs and later looks have found of rules' advice."""
        trials.keep_outcomes(self._database, found)

    def keep_pin(self, target: str, pin: Pinned) -> None:
        """Keep that a person keeps a setting of a target as it is."""
        trials.keep_pin(self._database, target, pin)

    def remove_pin(self, target: str, setting: str) -> None:
        """Forget that."""
        trials.remove_pin(self._database, target, setting)

    def pins(self, target: str) -> tuple[Pinned, ...]:
        """What a person keeps on a target, by setting, those of the past as well."""
        return trials.pins(self._database, target)

    def trial(self, run_id: int) -> TrialRecord:
        """A trial as far as it has come; a run that is none is a StoreError."""
        with of_run(self._database.path, run_id):
            return trials.read(self._database, run_id)

    def add_import(self, imported: Imported, name: str) -> int:
        """Keep what was read from another program's file as a run that has ended, under ``name``.

        It is kept whole or not at all.
        """
        return imports.add(self._database, imported, name)

    def take_over(self, case: Store, run_id: int, name: str) -> int:
        """Keep a run of an opened case file as one of the target ``name``; its number here."""
        with of_run(case._database.path, run_id):
            return copying.take_over(case._database, run_id, self._database, name)

    def add_answers(self, run_id: int, answers: Mapping[str, str]) -> None:
        """Keep raw answers that came later than the run's inventory, under names of their own."""
        runs.add_answers(self._database, run_id, answers)

    def renew_answers(self, run_id: int, answers: Mapping[str, str]) -> None:
        """Keep raw answers in place of those of the same names, of a run that is not over."""
        runs.renew_answers(self._database, run_id, answers)

    def keep_judged(self, run_id: int, made_of: str, row: str) -> None:
        """Keep how the run that speaks for a server was judged, in place of its target's rows."""
        runs.keep_judged(self._database, run_id, made_of, row)

    def judged(self, run_id: int, made_of: str) -> str | None:
        """The row of a run that was judged from the same; None where there is none."""
        return runs.judged(self._database, run_id, made_of)

    def add_point(self, run_id: int, point: Point, samples: Sequence[Sample]) -> Point:
        """Keep a point in a transaction of its own; returns it with its id."""
        return points.add(self._database, run_id, point, samples)

    def set_condition(self, run_id: int, name: str, value: str) -> None:
        """Keep a fact about the run itself, in place of an older value."""
        notes.set_condition(self._database, run_id, name, value)

    def add_warning(self, run_id: int, code: str, message: str) -> None:
        """Keep something to know about the run."""
        notes.add_warning(self._database, run_id, code, message)

    def set_calibrated(self, run_id: int, calibrated: Calibrated) -> None:
        """Keep what the prober costs and can do on this machine, in place of an older value."""
        notes.set_calibrated(self._database, run_id, calibrated)

    def add_beat(self, run_id: int, beat: CanaryBeat) -> None:
        """Keep how the live server fared within one second."""
        notes.add_beat(self._database, run_id, beat)

    def end_run(self, run_id: int, state: RunState, reason: str = "") -> None:
        """Close a run; raises StoreError when it has ended already."""
        runs.end(self._database, self._lives, run_id, state, reason)

    def label_run(self, run_id: int, label: RunLabel) -> None:
        """Keep what a run is called, in place of what it was called before."""
        runs.exists(self._database, run_id)
        labels.keep(self._database, run_id, label)

    def keep_scenario(self, run_id: int, name: str, text: str) -> None:
        """Keep what was forecast of a run's server, in place of what had that name."""
        runs.exists(self._database, run_id)
        labels.keep_scenario(self._database, run_id, name, text)

    def mark_step(self, target: str, step: str, *, done: bool) -> None:
        """Keep whether a step of a target's change plan was done."""
        labels.mark_step(self._database, target, step, done=done)

    def done_steps(self, target: str) -> frozenset[str]:
        """The steps of a target's change plan that were done, in the words of the plan."""
        return labels.done_steps(self._database, target)

    def last_done_at(self, target: str) -> str:
        """When the latest of a target's steps was ticked: UTC, ISO 8601; "" where none is."""
        return labels.last_done_at(self._database, target)

    def scenarios(self, run_id: int) -> dict[str, str]:
        """What was forecast of a run's server, by name."""
        with of_run(self._database.path, run_id):
            return labels.scenarios(self._database, run_id)

    def runs(self, target: str | None = None) -> list[RunSummary]:
        """All runs, or those of one target; the latest first."""
        return runs.summaries(self._database, target)

    def run(self, run_id: int) -> RunSummary:
        """One run as a list shows it."""
        return runs.summary(self._database, run_id)

    def run_target(self, run_id: int) -> TargetSpec:
        """The target as it was when the run began; of an import only its name means anything."""
        with of_run(self._database.path, run_id):
            return runs.target_of(self._database, run_id)

    def run_warnings(self, run_id: int) -> list[Warned]:
        """What came up during the run, in its order."""
        with of_run(self._database.path, run_id):
            return notes.warnings(self._database, run_id)

    def raw_inventory(self, run_id: int) -> RawInventory:
        """The answers that a run's inventory was read from."""
        with of_run(self._database.path, run_id):
            return runs.raw_inventory(self._database, run_id)

    def plan(self, run_id: int) -> Plan:
        """The plan that a run followed; an import followed none, which is a StoreError too."""
        with of_run(self._database.path, run_id):
            return runs.plan_of(self._database, run_id)

    def points(self, run_id: int) -> list[Point]:
        """The points of a run in the order of their arrival."""
        with of_run(self._database.path, run_id):
            return points.read_all(self._database, run_id)

    def samples(self, point_id: int) -> list[Sample]:
        """The samples that a point was made of."""
        with of_run(self._database.path, points.run_of(self._database, point_id)):
            return points.read_samples(self._database, point_id)

    def host_samples(self, run_id: int) -> list[Sample]:
        """What an import knows of the host over time, apart from its points."""
        with of_run(self._database.path, run_id):
            return imports.host_samples(self._database, run_id)

    def calibrated(self, run_id: int) -> Calibrated | None:
        """What the prober cost and could do; None when it was not calibrated."""
        with of_run(self._database.path, run_id):
            return notes.calibrated(self._database, run_id)

    def beats(self, run_id: int) -> list[CanaryBeat]:
        """How the live server fared, in the order of the seconds."""
        with of_run(self._database.path, run_id):
            return notes.beats(self._database, run_id)

    def conditions(self, run_id: int) -> dict[str, str]:
        """Facts about the run itself, by name."""
        with of_run(self._database.path, run_id):
            return notes.conditions(self._database, run_id)

    def export_runs(self, run_ids: Sequence[int], path: Path) -> None:
        """Write runs of one target that have ended to a file of their own, which is not there yet.

        Left out are how the target is reached and InnoDB's status text.
        """
        with of_run(self._database.path, run_ids[0]):
            copying.write(self._database, run_ids, path)

    def delete_run(self, run_id: int) -> None:
        """Remove a run with all that was measured; raises StoreError while it is being measured."""
        runs.delete(self._database, self._lives, run_id)
