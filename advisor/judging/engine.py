"""Runs all rules on a case. No I/O, no clock: the same case always gets the same judgement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace

from advisor.case import Case
from advisor.facts.readings import Absent, Reading
from advisor.gain import QueryTime, Stakes
from advisor.judging.applies import no_question, no_way_to_tell
from advisor.judging.order import in_order
from advisor.judging.resolve import resolved
from advisor.judging.tried import pinned, with_record, with_tried
from advisor.knowledge.analogy import by_analogy
from advisor.outcomes import (
    Confidence,
    Judgement,
    Knowledge,
    NotApplicable,
    NotJudged,
    Outcome,
    Recommendation,
    Verdict,
)
from advisor.plan.step_texts import step_texts
from advisor.ranking import stakes
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.card import WATCHED
from advisor.rulekit.facts import Facts, FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.steps import HostCommand
from advisor.why import Lacks, RiskBeside, RuleFailed
from advisor.workload.query_time import mean_at_work, query_time
from probes.kinds.words import capital

IN_CONTAINER = (
    "This is a container: the commands are for its host, and count for all that runs there."
)

SENTENCES = ("effect", "risk", "valid", "because", "cost_of_error", "side_effects")
"""Fields of a card that rules may give as a clause."""

_BEGINS_WITH_WORD = re.compile(r"[a-z]+(?=[ ,:;.]|$)")


def judge(case: Case) -> Judgement:
    """Judge a case by every rule, its figures taken as they are; never raises on account of one."""
    source = FactSource(case)
    time = time_of(source)
    return judgement([_judged(rule, source, time) for rule in all_rules()], time)


def judgement(outcomes: Sequence[Outcome], time: QueryTime | None) -> Judgement:
    """Put all rules' outcomes together: what conflicts is held back, what matters most is first."""
    outcomes = not_fine_beside_risks(outcomes, all_rules())
    judged = resolved([one for one in outcomes if isinstance(one, Recommendation)], all_rules())
    return Judgement(
        tuple(in_order(judged, all_rules())),
        tuple(outcome for outcome in outcomes if isinstance(outcome, NotJudged)),
        tuple(outcome for outcome in outcomes if isinstance(outcome, NotApplicable)),
        time,
    )


def time_of(source: FactSource) -> QueryTime | None:
    """Where the time of the server's running queries goes; None where nobody knows."""
    time = query_time(Facts(source))
    watched = source.inventory.watched
    mean = None if watched is None else mean_at_work(watched)
    return time if time is None or mean is None else replace(time, running=mean)


def judge_by(rule: Rule, source: FactSource) -> Outcome:
    """Give one rule's outcome; the rule is not called when a fact that it needs is absent."""
    return _judged(rule, source, time_of(source))


def _judged(rule: Rule, source: FactSource, time: QueryTime | None) -> Outcome:
    return outcome_of(rule, *answer_of(rule, source), source, time)


def answer_of(rule: Rule, source: FactSource) -> tuple[Answer, Facts]:
    """What a rule itself answers, and what it has read for it."""
    elsewhere = no_question(rule, source)
    if elsewhere:
        return Inapplicable(elsewhere), _facts(rule, source)
    return _checked(rule, source, _facts(rule, source))


def draft_of(rule: Rule, source: FactSource) -> Answer:
    """The same for a draw: what is answered, without the texts that follow from what was read.

    For a rule that has answered for the measured figures: it speaks about the server.
    """
    return _checked(rule, source, _facts(rule, source, draft=True))[0]


def _facts(rule: Rule, source: FactSource, *, draft: bool = False) -> Facts:
    return Facts(
        source,
        rule.needs + rule.uses,
        about_server=rule.about_server,
        setting=rule.setting,
        draft=draft,
    )


def _checked(rule: Rule, source: FactSource, facts: Facts) -> tuple[Answer, Facts]:
    about_server = rule.about_server
    for name in rule.needs:
        reading = source.read(name, about_server=about_server)
        if isinstance(reading, Absent):
            return Unjudged(Lacks(name, reading.because)), facts
    try:
        answer = rule.check(facts)
    except Exception as error:  # noqa: BLE001 - one rule's fault must not hide the others' advice
        return Unjudged(RuleFailed(type(error).__name__, str(error))), facts
    never = no_way_to_tell(facts.lacking, source) if isinstance(answer, Unjudged) else None
    return (Inapplicable(never) if never else answer), facts


def outcome_of(
    rule: Rule, answer: Answer, facts: Facts, source: FactSource, time: QueryTime | None
) -> Outcome:
    """A rule's answer with all that the engine knows of it; ``time`` is that of ``time_of``."""
    if isinstance(answer, Unjudged):
        return NotJudged(
            rule.id,
            rule.title,
            answer.why,
            answer.turns_on,
            settled_by=answer.settled_by,
        )
    if isinstance(answer, Inapplicable):
        return NotApplicable(rule.id, rule.title, answer.why)
    made = with_tried(_recommendation(rule, answer, facts, source), source.tried)
    if (pin := pinned(made, source.pins)) is not None:
        return NotApplicable(rule.id, rule.title, pin)
    made = with_record(made, source.record(rule.id))
    if time is not None and made.verdict is not Verdict.FINE:
        made = replace(made, relieves=time.with_locks(made.relieves))
        gain = time.gain(made.relieves) if made.relieves else made.gain
        made = _less_sure(replace(made, gain=gain), rule, time)
    return replace(made, risk=f"{made.risk} {IN_CONTAINER}") if _for_host(made, source) else made


def _less_sure(made: Recommendation, rule: Rule, time: QueryTime) -> Recommendation:
    """Lower the confidence where queries wait longer for another thing than it is best for."""
    longest = time.longest[0][0] if time.longest else None
    if longest is None or rule.best_for in {None, longest}:
        return made
    return replace(made, confidence=Confidence.LOW, longer=longest)


def _for_host(made: Recommendation, source: FactSource) -> bool:
    """Whether commands for a machine were made in a container, which has no kernel of its own."""
    platform = source.read("host.platform", about_server=False)
    inside = isinstance(platform, Reading) and str(platform.value).endswith(" container")
    return inside and any(isinstance(step, HostCommand) for step in made.steps)


def _recommendation(rule: Rule, answer: Judged, facts: Facts, source: FactSource) -> Recommendation:
    texts = step_texts(answer.steps, facts.known_version)
    card = {each.name: getattr(answer, each.name) for each in fields(answer)}
    card |= {name: sentence(card[name]) for name in SENTENCES}
    card["verify"] = answer.verify or texts.verify
    card["major"] = rule.major
    card["limit"] = rule.limit
    card["do"] = answer.do or rule.do
    card["stakes"] = answer.stakes or rule.stakes
    card["knowledge"] = _knowledge(rule, answer, facts, source)
    return Recommendation(
        **card,
        rule=rule.id,
        title=rule.title,
        topic=rule.topic,
        apply=texts.apply,
        undo=texts.undo,
        evidence=facts.evidence,
        findings=rule.findings,
    )


def _knowledge(rule: Rule, answer: Judged, facts: Facts, source: FactSource) -> Knowledge:
    """What its effect is known from: as the answer says, else as its rule's effects are."""
    known = answer.knowledge
    if known is None and (rule.knowledge is not Knowledge.MEASURED or _measured(facts)):
        known = rule.knowledge
    if known is None:
        known = Knowledge.PUBLISHED if rule.findings else Knowledge.CHOICE
    if known is Knowledge.PUBLISHED and by_analogy(rule.findings, source.inventory):
        return Knowledge.ANALOGY
    return known


def _measured(facts: Facts) -> bool:
    """Whether it read a point of the drive or the server's watched work."""
    return any(each.point_ids or each.fact.startswith(WATCHED) for each in facts.evidence)


def sentence(text: str) -> str:
    """Begin with a capital and end with a full stop; names of settings stay as they are written."""
    if not text:
        return ""
    if _BEGINS_WITH_WORD.match(text):
        text = capital(text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def is_risk(one: Recommendation) -> bool:
    """Whether it says that data can be lost, or the server can stop."""
    return one.verdict is not Verdict.FINE and stakes(one) is Stakes.DATA


def not_fine_beside_risks(outcomes: Sequence[Outcome], rules: Sequence[Rule]) -> list[Outcome]:
    """Leave open what a risk denies: the setting that it names, and what its rule rests on.

    That commits survive is not so while no sync reaches the drive.
    """
    judged = [one for one in outcomes if isinstance(one, Recommendation)]
    risks = [one for one in judged if is_risk(one)]
    denied = {rule.id: rule.not_fine_beside for rule in rules}
    return [_beside(one, risks, denied.get(one.rule, ())) for one in outcomes]


def _beside(one: Outcome, risks: Sequence[Recommendation], denied: Sequence[str]) -> Outcome:
    if not isinstance(one, Recommendation) or one.verdict is not Verdict.FINE:
        return one
    for risk in risks:
        if risk.rule in denied or (one.setting and one.setting == risk.setting):
            return NotJudged(one.rule, one.title, RiskBeside(risk.title))
    return one
