"""The record that rules earn: what was forecast of their advice, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from advisor.trial.outcome import OutcomeSource, RuleOutcome
from advisor.trial.record import TrialVerdict
from advisor.tried import RuleRecord


def rule_records(outcomes: Iterable[RuleOutcome]) -> tuple[RuleRecord, ...]:
    """One for each rule whose advice was tried or carried out, by its name; each outcome once."""
    by_rule: dict[str, list[RuleOutcome]] = {}
    for each in {each.key: each for each in outcomes}.values():
        by_rule.setdefault(each.rule, []).append(each)
    return tuple(_record(rule, found) for rule, found in sorted(by_rule.items()))


def _record(rule: str, outcomes: list[RuleOutcome]) -> RuleRecord:
    verdicts = [each.verdict for each in outcomes]
    sources = [each.source for each in outcomes]
    held = [
        (each.gain.value, each.forecast)
        for each in outcomes
        if each.forecast is not None and each.gain is not None
    ]
    ratios = [
        (gain - 1) / (forecast.value - 1) for gain, forecast in held if forecast.value > 1.001
    ]
    return RuleRecord(
        rule,
        len(outcomes),
        verdicts.count(TrialVerdict.KEPT),
        verdicts.count(TrialVerdict.BACK),
        verdicts.count(TrialVerdict.UNDECIDED),
        len(held),
        sum(gain in forecast for gain, forecast in held),
        median(ratios) if ratios else None,
        labs=sources.count(OutcomeSource.LAB),
        watches=sources.count(OutcomeSource.WATCH),
    )
