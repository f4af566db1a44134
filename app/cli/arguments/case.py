"""CASE on a command line: a run by its number, a target by its name, or a case file."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.case import Case
from advisor.report.report import Report, gather, read_case
from advisor.run import RunKind, RunState, RunSummary
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX
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


def load(case: str, *, watched: bool = False, past: bool = False) -> LoadedCase:
    """Find and read what CASE names; a file needs no database.

    Of a target that is named, the latest run counts; with ``watched`` the latest that saw the
    server at work, where there is one; ``past`` as in ``gather``.

    Raises UsageError when nothing has that name, the file is no case, or it is an import, which
    no rule can judge; StoreError when the run can't be read.
    """
    if case.endswith(CASE_SUFFIX):
        return LoadedCase(read_case(Path(case), warn))
    with opened_store() as store:
        run = find(case, store)
        if run.kind is RunKind.IMPORT:
            raise UsageError(
                f"Run {run.id} was imported, and nothing is known of the server and machine it was "
                "made on: there is nothing to judge.",
                "`leadline runs show` shows what was measured.",
            )
        if watched and not case.isdecimal():
            run = _at_work(store, run)
        return LoadedCase(gather(store, run.id, past=past))


def _at_work(store: Store, newest: RunSummary) -> RunSummary:
    """The latest run of a target whose server was watched at work; its newest where none was."""
    from advisor.forecasts.server.live import was_watched_at_work  # noqa: PLC0415 - heavy to load

    of_target = (run for run in store.runs(newest.target) if run.state is RunState.DONE)
    judged = (run for run in of_target if run.kind in (RunKind.CHECK, RunKind.WATCH))
    for run in judged:
        if was_watched_at_work(load_case(store, run.id)):
            if run.id != newest.id:
                warn(
                    f"Run {newest.id} of {newest.target} did not see its server at work: "
                    f"run {run.id} counts here."
                )
            return run
    return newest


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
