"""The evidence card: what a recommendation stands on and how it is carried out, label by label.

Every front shows the same card in the same words; labels are keys of a table, so that they stay so.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.judging.over_draws import how_likely
from advisor.outcomes import Judgement, NotJudged, Outcome, Recommendation, Verdict
from advisor.rulekit.card import FINE, NOTHING_DONE
from advisor.steps import HostCommand, Procedure, RemoveLine, SetVariable, Step
from advisor.variables.naming import change_text, value_text
from advisor.wording.advice.published import KNOWN_FROM
from advisor.wording.advice.tried import record_text, tried_text
from advisor.wording.advice.waits import WAITS
from probes.figures import percent

Row = tuple[str, str]
"""A label, and what it says; never empty."""

CONFIDENCE = "{} confidence"
"""The form of its label that stands among other words."""

EMPTY = "an empty value"

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
    return f"{label}, {likely}: holds in {percent(advice.share)} of readings"


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


def deed(outcome: Outcome) -> str:
    """What an outcome asks to be done; the rule's own title where it asks for no change.

    It follows from the change, so that title and steps can't part; without one it is what the rule
    declares (``do``).
    """
    if isinstance(outcome, NotJudged) and outcome.turns_on:
        return _to_find_out(outcome)
    if not isinstance(outcome, Recommendation) or outcome.verdict is Verdict.FINE:
        return outcome.title
    if outcome.steps:
        return _of_steps(outcome)
    if outcome.verdict is Verdict.RECOMMEND and outcome.setting and outcome.proposed:
        return _set(outcome.setting, outcome.proposed)
    return _held_back(outcome) or outcome.do or outcome.title


_ARTICLES = ("A", "An", "The")


def _to_find_out(question: NotJudged) -> str:
    """The one change that its answers part over; without one the subject itself."""
    asked = [each for each in question.answers if each.verdict is Verdict.RECOMMEND]
    settings = {each.setting for each in asked}
    if len(settings) != 1 or "" in settings:
        first, _, rest = question.title.partition(" ")
        return f"Check {first.lower() if first in _ARTICLES else first} {rest}"
    (name,), values = settings, {each.proposed for each in asked}
    if len(values) > 1:
        return f"Find out what {name} should be"
    return f"Find out whether {name} should be {value_text(name, values.pop()) or EMPTY}"


def change_or_deed(advice: Recommendation) -> str:
    """The change with its values; where no setting is spoken of, what is to be done."""
    return change_of(advice) if advice.setting else deed(advice)


def _held_back(advice: Recommendation) -> str:
    """That a value stays for now; "" where none was proposed."""
    if not (advice.proposed or advice.waits_for) or not advice.setting or " " in advice.setting:
        return ""
    after = f" until {advice.waits_for} is done" if advice.waits_for else ""
    at = f" at {value_text(advice.setting, advice.now)}" if advice.now else " as it is"
    return f"Leave {advice.setting}{at}{after}"


def _of_steps(advice: Recommendation) -> str:
    """The step that the advice is about, which others may prepare."""
    steps = advice.steps
    own = (each for each in steps if isinstance(each, SetVariable) and each.name == advice.setting)
    main = next(own, steps[0])
    if advice.verdict is Verdict.WATCH and isinstance(main, SetVariable):
        return f"Consider {main.name} = {value_text(main.name, main.value) or EMPTY}"
    return f"{step_text(main)}{_beside(main, steps)}"


def step_text(step: Step) -> str:
    """What one step does, as an imperative."""
    match step:
        case SetVariable():
            return _set(step.name, step.value)
        case RemoveLine():
            return f"Delete {step.line}{f' from {step.place}' if step.origin else ''}"
        case HostCommand() | Procedure():
            return step.what


def _beside(main: Step, steps: tuple[Step, ...]) -> str:
    """How many steps do the same elsewhere, as on other drives; settings name the main one alone.

    What is done by hand goes with the step that it follows.
    """
    if isinstance(main, SetVariable | Procedure):
        return ""
    alike = sum(type(each) is type(main) for each in steps) - 1
    return f", and {alike} more" if alike else ""


def _set(name: str, value: str) -> str:
    return f"Set {name} to {value_text(name, value) or EMPTY}"
