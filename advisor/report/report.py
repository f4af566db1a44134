"""All that a report tells, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.outcomes import Judgement
from advisor.store.store import RunSummary
from probes.events import Warned
from probes.plans.plan import Plan
from probes.targets.address import TargetSpec


@dataclass(frozen=True, slots=True)
class Report:
    """A run with its target, plan and warnings; ``judgement`` is of now, not of then."""

    case: Case
    judgement: Judgement
    target: TargetSpec
    run: RunSummary
    plan: Plan
    warnings: tuple[Warned, ...] = ()
