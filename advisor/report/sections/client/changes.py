"""Changes for a client: each with its reason, what it costs to be wrong, and its SQL in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from advisor.outcomes import Recommendation
from advisor.plan.change_plan import YOURS, ChangePlan
from advisor.plan.step_texts import step_texts
from advisor.ranking import is_offered
from advisor.report.document.blocks import (
    Block,
    Framed,
    Heading,
    Paragraph,
    Style,
    TextSpan,
    pairs,
    plain,
    quiet,
    text,
)
from advisor.report.document.cover import Cover
from advisor.report.sections.advice import PROOF, AdviceCard, typed
from advisor.report.sections.client.decision import by_whom, makers_words
from advisor.report.sections.plan import numbered_steps
from advisor.steps import Step
from advisor.wording.advice.evidence_card import deed, doing
from probes.figures import listed

IN_PLAN = frozenset({"verify", "undo"})
"""What the plan has of all of its steps, in the order in which it is done."""


RISK_ROWS = frozenset({"risk", "if it is wrong", "side effects"})
"""What stands in the table of risks, where the report has it."""


def changes(cards: Sequence[AdviceCard], plan: ChangePlan, cover: Cover) -> Iterator[Block]:
    """Each change on its own."""
    elsewhere = RISK_ROWS if cover.holds("risks") else frozenset()
    for number, one in enumerate(cards, 1):
        heading = Heading(2, f"{number}. {deed(one.advice)}")
        blocks = (heading, *_reason(one, cover, elsewhere), *_carried_out(one, plan, cover))
        yield Framed((*blocks, *_rule(one, cover)), one.advice.rule, numbered=True)


def watched_closely(cards: Sequence[AdviceCard], cover: Cover) -> Iterator[Block]:
    """What is to be kept an eye on: what was seen, and what would follow of it."""
    for one in cards:
        reason = _reason(one, cover, frozenset())
        blocks = (Heading(2, deed(one.advice)), *reason, *_rule(one, cover))
        yield Framed(blocks, one.advice.rule)


def _reason(one: AdviceCard, cover: Cover, elsewhere: frozenset[str]) -> Iterator[Block]:
    """What was seen, its maker's words, and the rows that stand nowhere else."""
    advice = one.advice
    if one.change:
        yield Paragraph((TextSpan(one.change, Style.CODE),))
    yield text(advice.saw)
    yield from makers_words(cover, advice.rule)
    who = [("who", by_whom(advice, cover))] if advice.proposed or advice.steps else []
    yield from pairs((*(row for row in one.rows if row[0] not in PROOF | elsewhere), *who))


def _carried_out(one: AdviceCard, plan: ChangePlan, cover: Cover) -> Iterator[Block]:
    """Where the plan has it, and what is typed; the way back too, unless the plan has it."""
    numbers, steps = steps_of(one.advice, plan)
    if place := place_of(one.advice, numbers, plan):
        yield Paragraph(plain(place))
    advice = one.advice
    if steps:
        texts = step_texts(steps, plan.version)
        verify = advice.verify or texts.verify
        advice = replace(advice, steps=steps, apply=texts.apply, undo=texts.undo, verify=verify)
    rows = list(doing(advice))
    elsewhere = set(IN_PLAN) if steps and cover.holds("plan") else set()
    if any(label == "SQL" for label, _ in rows):
        elsewhere.add("option file")
    yield from typed(row for row in rows if row[0] not in elsewhere)


def steps_of(advice: Recommendation, plan: ChangePlan) -> tuple[list[int], tuple[Step, ...]]:
    """The plan's steps that advice asked for, with their numbers."""
    found = [
        (number, action.step)
        for _, actions in numbered_steps(plan)
        for number, action in actions
        if advice.rule in action.rules
    ]
    return [number for number, _ in found], tuple(step for _, step in found)


def place_of(advice: Recommendation, steps: Sequence[int], plan: ChangePlan) -> str:
    """Where the plan has it, or why not."""
    if steps:
        numbers = listed([str(step) for step in steps])
        of_plan = "of the change plan, which has the way back."
        return f"{'Step' if len(steps) == 1 else 'Steps'} {numbers} {of_plan}"
    for each in plan.left_out:
        if each.rule == advice.rule:
            return f"Left out of the change plan: {each.because}"
    if is_offered(advice):
        return f"{YOURS}: the change plan holds it once you ask for it."
    return "Not chosen for the change plan."


def _rule(one: AdviceCard, cover: Cover) -> Iterator[Paragraph]:
    """By which rule, which leads to its evidence; nothing where the report holds none."""
    rule = one.advice.rule
    if cover.holds("evidence"):
        named = TextSpan(rule, Style.NAME, f"evidence-{rule}")
        yield Paragraph((*quiet("Rule "), named, *quiet(".")))
