"""The evidence card: what a recommendation stands on and how it is carried out, label by label.

Every front shows the same card in the same words; labels are keys of a table, so that they stay so.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.judging.over_draws import how_likely
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.rulekit.card import FINE, NOTHING_DONE
from advisor.steps import Procedure
from advisor.variables.naming import change_text, value_text
from advisor.wording.advice.published import KNOWN_FROM
from advisor.wording.advice.tried import record_text, tried_text
from advisor.wording.advice.waits import WAITS
from probes.figures import percent

Row = tuple[str, str]
"""A label, and what it says; never empty."""

CONFIDENCE = "{} confidence"
"""The form of its label that stands among other words."""

SAYS_NOTHING = {"", FINE, NOTHING_DONE}
"""Texts that add nothing to the verdict: they take no row."""


def grounds(advice: Recommendation) -> Iterator[Row]:
    """Why: effect, formula, where it holds, what would change it, what it costs to be wrong."""
    fine = advice.verdict is Verdict.FINE
    yield from _filled(
        ("value", value_of(advice)),
        ("verdict" if fine else "expected effect", advice.effect),
        ("formula", advice.formula),
        ("holds", advice.valid),
        ("confidence", confidence(advice)),
        ("known from", "" if fine else KNOWN_FROM[advice.knowledge]),
        ("tried here", tried_text(advice.tried)),
        ("record", record_text(advice.record)),
        ("would change if", advice.flips_when),
        ("risk", advice.risk),
        ("if it is wrong", advice.cost_of_error),
        ("side effects", advice.side_effects),
        ("comes after", advice.waits_for),
    )


def value_of(advice: Recommendation) -> str:
    """The value among those that the figures allow; "" where they lead to one."""
    if advice.allowed is None:
        return ""
    value, low, high = (
        value_text(advice.setting, each)
        for each in (advice.proposed, advice.allowed.low, advice.allowed.high)
    )
    return f"{value}, of {low} to {high} that the figures allow."


def confidence(advice: Recommendation) -> str:
    """How sure, and what that rests on; "" where nothing is proposed and nothing said of it."""
    because = because_of(advice)
    if not because:
        return advice.confidence.value if advice.proposed or advice.steps else ""
    return f"{advice.confidence.value.capitalize()}. {because}"


def because_of(advice: Recommendation) -> str:
    """What the confidence rests on, in sentences; "" where nothing is said of it."""
    longer = "" if advice.longer is None else f"Queries wait longer for {WAITS[advice.longer]}."
    return f"{advice.because} {longer}".strip()


def sureness(advice: Recommendation, form: str = "{}") -> str:
    """The label of its confidence in this form, and the share of the draws where that is short."""
    label, likely = form.format(advice.confidence.value), how_likely(advice.share)
    if not likely:
        return label
    return f"{label}, {likely}: {percent(advice.share)} of what the figures may be"


def doing(advice: Recommendation) -> Iterator[Row]:
    """How: statements, option-file lines, commands or steps by hand; how to verify and to undo."""
    yield from _filled(
        ("SQL", advice.apply.sql),
        ("option file", advice.apply.cnf),
        ("parameter", advice.apply.service),
        ("command", advice.apply.os),
    )
    for step in advice.steps:
        if isinstance(step, Procedure):
            yield "by hand", "\n".join((step.what, *numbered(step.steps)))
    yield from _filled(("verify", advice.verify), ("undo", advice.undo))


def numbered(steps: tuple[str, ...]) -> list[str]:
    """``1. first``, ``2. second``: steps by hand, a line each."""
    return [f"{number}. {step}" for number, step in enumerate(steps, start=1)]


def _filled(*rows: Row) -> Iterator[Row]:
    return ((label, text) for label, text in rows if text not in SAYS_NOTHING)


def of_verdict(judgement: Judgement, verdict: Verdict) -> list[Recommendation]:
    """The judged rules that ended so, what matters most first."""
    return [each for each in judgement.recommendations if each.verdict is verdict]


def change_of(advice: Recommendation, *, named: bool = True) -> str:
    """``innodb_io_capacity: 200 → 2000``; "" where no setting is spoken of.

    Without ``named`` it is known of which setting the values are.
    """
    if advice.proposed:
        return change_text(advice.setting, advice.now, advice.proposed, named=named)
    if advice.now:
        return change_text(advice.setting, "", advice.now, named=named)
    return advice.setting
