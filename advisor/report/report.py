"""All that a report tells, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.outcomes import Judgement
from advisor.store.store import RunSummary
from probes.events import Calibrated, CanaryBeat, Warned
from probes.plans.plan import Plan
from probes.points import Sample
from probes.targets.address import TargetSpec
from probes.trust.findings import Finding


@dataclass(frozen=True, slots=True)
class Report:
    """A run with its target, plan and warnings; ``judgement`` is of now, not of then.

    An import has no plan and is not judged: nobody knows what drive and server it was made on.
    ``host_samples`` are of imports alone.
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
