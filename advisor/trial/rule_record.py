"""The record that rules earn: what was forecast of their advice, and what trials found."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from advisor.trial.record import TrialRecord, TrialVerdict
from advisor.tried import RuleRecord


def rule_records(trials: Iterable[TrialRecord]) -> tuple[RuleRecord, ...]:
    """One for each rule whose advice was tried, by its name."""
    by_rule: dict[str, list[TrialRecord]] = {}
    for each in trials:
        if each.asked.rule and each.verdict is not None:
            by_rule.setdefault(each.asked.rule, []).append(each)
    return tuple(_record(rule, found) for rule, found in sorted(by_rule.items()))


def _record(rule: str, trials: list[TrialRecord]) -> RuleRecord:
    verdicts = [each.verdict for each in trials]
    held = [
        (each.gain.value, forecast)
        for each in trials
        if (forecast := each.asked.forecast) is not None and each.gain is not None
    ]
    ratios = [
        (gain - 1) / (forecast.value - 1) for gain, forecast in held if forecast.value > 1.001
    ]
    return RuleRecord(
        rule,
        len(trials),
        verdicts.count(TrialVerdict.KEPT),
        verdicts.count(TrialVerdict.BACK),
        verdicts.count(TrialVerdict.UNDECIDED),
        len(held),
        sum(gain in forecast for gain, forecast in held),
        median(ratios) if ratios else None,
    )
