"""CASE on a command line: a run by its number, a target by its name, or a case file."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.case import Case
from advisor.report.report import Report, gather, read_case
from advisor.run import RunKind, RunState, RunSummary, Voice, voice_of
from advisor.runs.importing import name_of_case
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX, LOCAL
from app.cli.opening import opened_store, warn
from probes.errors import UsageError

WHERE = "`leadline runs` lists the runs by number and target."


@dataclass(frozen=True, slots=True)
class LoadedCase:
    """What CASE stands for: a run in full, judged by the rules of now."""

    report: Report

    @property
    def case(self) -> Case:
        """What the rules judge."""
        return self.report.case


def load(case: str, *, past: bool = False) -> LoadedCase:
    """Find and read what CASE names; a file needs no database.

    A target that is named counts as its ``voice_of`` has it; ``past`` as in ``gather``.

    Raises UsageError when nothing has that name, the file is no case, or it is an import, which
    no rule can judge; StoreError when the run can't be read.
    """
    if case.endswith(CASE_SUFFIX):
        return LoadedCase(_named_by_file(read_case(Path(case), warn), Path(case)))
    with opened_store() as store:
        voice = voice_named(case, store)
        if store.run(voice.run_id).kind is RunKind.IMPORT:
            raise UsageError(
                f"Run {voice.run_id} was imported, and nothing is known of the server and machine "
                "it was made on: there is nothing to judge.",
                "`leadline runs show` shows what was measured.",
            )
        return LoadedCase(gather(store, voice, past=past))


def _named_by_file(report: Report, file: Path) -> Report:
    """What was the sender's own computer is no reader's: it is called what an import calls it."""
    if report.case.target != LOCAL:
        return report
    name = name_of_case(file)
    case, run = replace(report.case, target=name), replace(report.run, target=name)
    return replace(report, case=case, run=run)


def voice_named(case: str, store: Store) -> Voice:
    """What CASE counts as, when it is no file: of a target what speaks for it; raises as ``find``.

    Where that is not its newest run, the user reads so.
    """
    newest = find(case, store)
    if case.isdecimal():
        return Voice(newest.id)
    found = voice_of(store.runs(newest.target)) or Voice(newest.id)
    if found.run_id != newest.id:
        curves = "" if found.curves_id is None else f", with the curves of run {found.curves_id}"
        warn(
            f"Of {newest.target} run {found.run_id} counts here, which saw its server at work"
            f"{curves}. The newest alone is run {newest.id}."
        )
    return found


def find(case: str, store: Store) -> RunSummary:
    """The run that CASE stands for, when it is no file; raises UsageError when there is none."""
    return _named(case, store.runs())


def _named(case: str, runs: Sequence[RunSummary]) -> RunSummary:
    """The run that CASE stands for; the latest comes first in ``runs``."""
    if case.isdecimal():
        by_number = next((run for run in runs if str(run.id) == case), None)
        if by_number is None:
            raise UsageError(f"There is no run {case}.", WHERE)
        return by_number
    of_target = [run for run in runs if run.target == case and not run.kind.has_answer]
    if not of_target:
        close = difflib.get_close_matches(case, {run.target for run in runs}, n=1, cutoff=0.5)
        hint = f" Is it {close[0]}?" if close else ""
        if "/" in case:
            hint = f" A case file's name ends in {CASE_SUFFIX}."
        raise UsageError(f"There is no run of a target named {case!r}.{hint}", WHERE)
    finished = next((run for run in of_target if run.state is RunState.DONE), None)
    if finished is None:
        latest = of_target[0]
        raise UsageError(
            f"No run of {case} came to its end; the latest, run {latest.id}, is "
            f"{latest.state.value}.",
            f"`leadline check {case}` makes one. A run's number takes it as it is.",
        )
    return finished
