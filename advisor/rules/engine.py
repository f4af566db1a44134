"""Runs all rules on a case. No I/O, no clock: the same case always gets the same judgement."""

from __future__ import annotations

from advisor.case import Case
from advisor.outcomes import Confidence, Judgement, NotJudged, Recommendation, Verdict
from advisor.rules.catalogue import CATALOGUE
from advisor.rules.facts import Facts, FactSource
from advisor.rules.readings import Absent
from advisor.rules.registry import all_rules
from advisor.rules.rule import Judged, Rule, Unjudged

SURENESS = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.6, Confidence.LOW: 0.3}
"""How much of an expected effect counts towards a recommendation's weight."""

_ORDER = {Verdict.RECOMMEND: 0, Verdict.WATCH: 1, Verdict.FINE: 2}


def judge(case: Case) -> Judgement:
    """Judge a case by every rule; never raises on account of a rule."""
    source = FactSource(case)
    outcomes = [judge_by(rule, source) for rule in all_rules()]
    judged = [outcome for outcome in outcomes if isinstance(outcome, Recommendation)]
    judged.sort(key=lambda outcome: (-outcome.weight, _ORDER[outcome.verdict], outcome.rule))
    return Judgement(
        tuple(judged),
        tuple(outcome for outcome in outcomes if isinstance(outcome, NotJudged)),
    )


def judge_by(rule: Rule, source: FactSource) -> Recommendation | NotJudged:
    """Give one rule's outcome; the rule is not called when a fact that it needs is absent."""
    for name in rule.needs:
        reading = source.read(name, about_server=rule.about_server)
        if isinstance(reading, Absent):
            return NotJudged(rule.id, rule.title, _sentence(name, reading))
    facts = Facts(source, rule.needs + rule.uses, about_server=rule.about_server)
    try:
        answer = rule.check(facts)
    except Exception as error:  # noqa: BLE001 - one rule's fault must not hide the others' advice
        because = f"The rule failed on this case: {type(error).__name__}: {error}."
        return NotJudged(rule.id, rule.title, because)
    if isinstance(answer, Unjudged):
        return NotJudged(rule.id, rule.title, answer.because)
    return _recommendation(rule, answer, facts)


def _sentence(name: str, absent: Absent) -> str:
    meaning = CATALOGUE[name].meaning
    return f"Unknown: {meaning}, because {absent.because}."


def _recommendation(rule: Rule, answer: Judged, facts: Facts) -> Recommendation:
    return Recommendation(
        rule=rule.id,
        title=rule.title,
        topic=rule.topic,
        verdict=answer.verdict,
        saw=answer.saw,
        setting=answer.setting,
        now=answer.now,
        proposed=answer.proposed,
        effect=answer.effect,
        confidence=answer.confidence,
        risk=answer.risk,
        needs=answer.needs,
        apply=answer.apply,
        undo=answer.undo,
        flips_when=answer.flips_when,
        weight=round(answer.gain * SURENESS[answer.confidence], 3),
        evidence=facts.evidence,
    )
