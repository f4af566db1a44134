"""The value that is recommended where draws of the figures give several: the safe end of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from advisor.judging.draws.draws import DrawnSource
from advisor.judging.engine import answer_of, outcome_of
from advisor.outcomes import Allowed, Recommendation, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.rule import Rule
from advisor.rulekit.safe_end import SafeEnd

OUTSIDE = 0.05
"""The share of the draws at either end that a range leaves out (our choice)."""

_Valued = tuple[float, DrawnSource]


def with_safe_end(
    rule: Rule, one: Recommendation, answers: Sequence[Answer], sources: Sequence[DrawnSource]
) -> Recommendation:
    """The advice with the value that the rule calls safe, of those over the draws.

    The values are those of draws that recommend a change to the same side; ``sources`` are the
    facts of each answer's draw. What was seen and reckoned stays that of the measured figures.
    """
    if rule.safe_end is None or one.verdict is not Verdict.RECOMMEND:
        return one
    values = sorted(_values(one, answers, sources), key=lambda each: each[0])
    if not values:
        return one
    ends = [values[round(part * (len(values) - 1))] for part in (OUTSIDE, 1 - OUTSIDE)]
    if ends[0][0] == ends[1][0]:
        return one
    _, source = ends[_index(rule.safe_end, one, [value for value, _ in ends])]
    drawn = outcome_of(rule, *answer_of(rule, source), source, None)
    if not isinstance(drawn, Recommendation):
        return one
    low, high = (f"{value:.0f}" for value, _ in ends)
    return replace(
        one,
        proposed=drawn.proposed,
        needs=drawn.needs,
        steps=drawn.steps,
        apply=drawn.apply,
        undo=drawn.undo,
        verify=drawn.verify,
        effect=drawn.effect,
        risk=drawn.risk,
        cost_of_error=drawn.cost_of_error,
        side_effects=drawn.side_effects,
        allowed=Allowed(low, high),
    )


def _values(
    one: Recommendation, answers: Sequence[Answer], sources: Sequence[DrawnSource]
) -> Iterator[_Valued]:
    measured, now = number_of(one.proposed), number_of(one.now)
    if measured is None:
        return
    for answer, source in zip(answers, sources, strict=False):
        if not isinstance(answer, Judged) or answer.verdict is not Verdict.RECOMMEND:
            continue
        value = number_of(answer.proposed)
        if value is not None and (now is None or (value > now) == (measured > now)):
            yield value, source


def _index(safe: SafeEnd, one: Recommendation, ends: Sequence[float]) -> int:
    """Which of the two ends: 0 is the low one."""
    if safe is not SafeEnd.NEAREST:
        return 0 if safe is SafeEnd.LOWEST else 1
    now = number_of(one.now)
    return 0 if now is None or abs(ends[0] - now) <= abs(ends[1] - now) else 1


def number_of(text: str) -> float | None:
    """A setting's value as a number; None for words."""
    return float(text) if text.isdigit() else None
