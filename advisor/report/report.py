"""All that a report says, as one value, and a stored run as such: judged by the rules of today."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.case import Case
from advisor.fleet.history import (
    BeforeAfter,
    SettingChange,
    before_after,
    changed_since,
    history,
)
from advisor.forecasts.kept import KeptScenario, kept
from advisor.judging.over_draws import judge
from advisor.lab.record import Record
from advisor.outcomes import Judgement
from advisor.run import RunKind, RunSummary, Voice
from advisor.store import casefile
from advisor.store.cases import labs, load_case, trials
from advisor.store.store import Store
from advisor.trial.record import TrialRecord
from probes.events import Calibrated, CanaryBeat, Warned
from probes.plans.plan import Plan
from probes.points import Sample
from probes.targets.address import TargetSpec
from probes.trust.findings import Finding, findings
from probes.trust.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Report:
    """A run with its target, plan and warnings; ``judgement`` is of now, not of then.

    An import has no plan and is not judged: nobody knows what drive and server it was made on.
    ``host_samples`` are of imports alone. ``of_file`` is the case file that it was read from, ""
    where the run is stored here. ``trials`` and ``labs`` are those of the target, each with its
    day, the latest first; ``since`` is what looks at it found before and after settings changed.
    ``curves`` is the run that measured the points, where that is another; ``outdated`` is what
    later looks found set otherwise, and trials have kept.
    """

    case: Case
    judgement: Judgement
    target: TargetSpec
    run: RunSummary
    plan: Plan | None
    warnings: tuple[Warned, ...] = ()
    calibrated: Calibrated | None = None
    beats: tuple[CanaryBeat, ...] = ()
    host_samples: tuple[Sample, ...] = ()
    findings: tuple[Finding, ...] = ()
    scenarios: tuple[KeptScenario, ...] = ()
    of_file: str = ""
    trials: tuple[tuple[str, TrialRecord], ...] = ()
    labs: tuple[tuple[str, Record], ...] = ()
    since: tuple[BeforeAfter, ...] = ()
    curves: RunSummary | None = None
    outdated: tuple[SettingChange, ...] = ()

    @property
    def is_watch_alone(self) -> bool:
        """Whether it is a watch without the curves of another run: its drive was not measured."""
        return self.run.kind is RunKind.WATCH and self.case.curves_id is None


_APART = {
    RunKind.LAB: "a lab, which measured servers of its own",
    RunKind.TRIAL: "a trial, which switched a setting of the live server",
}


def kept_apart(report: Report) -> str:
    """Where to read what a lab or a trial found; "" for other runs."""
    if report.run.kind not in _APART:
        return ""
    shown = f"`leadline runs show {report.run.id}` shows"
    if report.of_file:
        shown = f"`leadline report {shlex.quote(report.of_file)} -o FILE` shows"
    return f"This run is {_APART[report.run.kind]}: {shown} what it found."


def _nothing_judged(_: Case) -> Judgement:
    """An import's: there is no server to advise."""
    return Judgement((), ())


def gather(
    store: Store,
    voice: Voice,
    *,
    past: bool = False,
    judged: Callable[[Case], Judgement] | None = None,
) -> Report:
    """Read a run and judge it; with ``past`` also what its target's labs and other looks found.

    ``judged`` gives the judgement, of an import too, where there is one already. Raises StoreError
    when there is no such run.
    """
    case = load_case(store, voice)
    run_id, measured_id = voice.run_id, voice.measured_id
    run = store.run(run_id)
    surroundings = Surroundings.of(case.inventory, case.conditions.get("directory", ""))
    imported = run.kind is RunKind.IMPORT
    looked = history(store, run.target) if past else ()
    if judged is None:
        judged = _nothing_judged if imported else judge
    return Report(
        case=case,
        judgement=judged(case),
        target=store.run_target(run_id),
        run=run,
        plan=None if imported else store.plan(measured_id),
        warnings=tuple(warning for each in voice.ids for warning in store.run_warnings(each)),
        calibrated=store.calibrated(measured_id),
        beats=tuple(store.beats(measured_id)),
        host_samples=tuple(store.host_samples(run_id)),
        findings=tuple(findings(case.points, surroundings)),
        scenarios=tuple(kept(store.scenarios(run_id))),
        trials=trials(store, run.target),
        labs=tuple(labs(store, run.target)) if past else (),
        curves=None if voice.curves_id is None else store.run(voice.curves_id),
        since=tuple(before_after(looked)),
        outdated=() if imported else changed_since(store, run.target, run_id),
    )


def read_case(path: Path, tell: Callable[[str], object] = lambda _warning: None) -> Report:
    """What a case file holds, judged by the rules of now; raises UsageError where it is none.

    ``tell`` gets what the file's reader should know: that secrets were found in it, and hidden.
    """
    with casefile.opened(path, tell) as (store, voice):
        return replace(gather(store, voice, past=True), of_file=str(path))
