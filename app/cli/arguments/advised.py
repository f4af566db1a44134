"""What a rule advises for a target, as values that a trial can set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.outcomes import Recommendation, Verdict
from advisor.report.report import gather
from advisor.steps import SetVariable
from advisor.store.store import Store
from advisor.variables.sheets import SHEETS
from app.cli.arguments.case import find
from probes.errors import UsageError
from probes.statistics.ranges import Range

_MOST_GAIN = 0.95


@dataclass(frozen=True, slots=True)
class AdvisedValues:
    """Values by setting; ``forecast`` is how many times faster statements were forecast to be."""

    rule: str
    values: Mapping[str, str]
    forecast: Range | None


def advised_plan(store: Store, target: str) -> list[AdvisedValues]:
    """All that the target's latest run advises and a trial may switch, the largest gain first.

    Raises UsageError where there is no run, or nothing of that kind is advised.
    """
    run = find(target, store)
    judged = gather(store, run.id).judgement.recommendations
    found = [
        AdvisedValues(each.rule, values, None if each.gain is None else _times(each.gain))
        for each in judged
        if each.verdict is Verdict.RECOMMEND and (values := _values(each)) and _switched(values)
    ]
    if not found:
        raise UsageError(f"Nothing that run {run.id} of {target} advises can be switched.")
    return sorted(found, key=lambda each: -(each.forecast.value if each.forecast else 0.0))


def advised_by(store: Store, target: str, rule: str) -> AdvisedValues:
    """What a rule advises by the target's latest run.

    Raises UsageError where there is no run, or the rule advises no setting.
    """
    run = find(target, store)
    judged = gather(store, run.id).judgement.recommendations
    proposed = [each for each in judged if each.verdict is Verdict.RECOMMEND]
    found = next((each for each in proposed if each.rule == rule), None)
    if found is None:
        known = ", ".join(sorted(each.rule for each in proposed if _values(each)))
        raise UsageError(
            f"{rule} recommends nothing by run {run.id} of {target}.",
            f"Those that propose settings: {known}." if known else "No rule proposes a setting.",
        )
    values = _values(found)
    if not values:
        raise UsageError(f"What {rule} advises is no setting that can be switched.")
    return AdvisedValues(rule, values, None if found.gain is None else _times(found.gain))


def _switched(values: Mapping[str, str]) -> bool:
    return all(name in SHEETS and SHEETS[name].switch is not None for name in values)


def _values(one: Recommendation) -> dict[str, str]:
    return {step.name: step.value for step in one.steps if isinstance(step, SetVariable)}


def _times(gain: Range) -> Range:
    """How many times faster statements are when that share of their time is gone."""
    low, value, high = (
        1 / (1 - min(_MOST_GAIN, max(-1.0, each))) for each in (gain.low, gain.value, gain.high)
    )
    return Range(value, low, high)
