"""What a client is told of a run, in order and in words; HTML and Markdown lay it out.

Its texts come from servers and users as they are: whoever lays them out escapes every one.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Evidence, Needs, Recommendation, Verdict
from advisor.plan.change_plan import Action, ChangePlan
from advisor.plan.export.formats import FORMATS
from advisor.plan.steps import HostCommand, Procedure
from advisor.report import plan_words
from advisor.report.advice_text import MOST_CITED, NEEDS, change_of, of_verdict
from advisor.report.canary_text import canary_sentence
from advisor.report.evidence_card import Row, doing, grounds
from advisor.report.inventory_text import inventory_rows
from advisor.report.published import cited, sentence, source
from advisor.report.report import Report
from advisor.report.silence import Silence, silences
from advisor.report.summary import sentences
from advisor.store.store import RunState

FILES = ("sql", "cnf", "shell")
"""The forms of the plan that are told in full: what people run, and what servers read."""


@dataclass(frozen=True, slots=True)
class Card:
    """One piece of advice with all that it stands on.

    ``published`` are pairs of what was found and where it stands, the first ones; ``more`` says
    how many others there are.
    """

    advice: Recommendation
    change: str
    rows: tuple[Row, ...]
    evidence: tuple[Evidence, ...]
    published: tuple[tuple[str, str], ...]
    more: str
    doing: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of the plan; ``back`` are the lines that take it back, where a step has its own."""

    number: int
    what: str
    details: tuple[str, ...]
    back: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanFile:
    """The plan in a form for programs: its title, its text, and the text of the way back."""

    title: str
    apply: str
    undo: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The change plan: its headline, its groups by title, what was left out and why."""

    headline: str
    groups: tuple[tuple[str, tuple[PlanStep, ...]], ...]
    left_out: tuple[tuple[str, str, str], ...]
    files: tuple[PlanFile, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """All that is told; empty parts are left out where it is laid out."""

    target: str
    facts: tuple[Row, ...]
    ended_early: str
    character: tuple[str, ...]
    found: tuple[str, ...]
    conditions: tuple[Row, ...]
    advice: tuple[Card, ...]
    watch: tuple[Card, ...]
    fine: tuple[Row, ...]
    plan: Planned
    not_judged: tuple[Silence, ...]
    not_applicable: tuple[Silence, ...]
    to_know: tuple[str, ...]


def content(report: Report, plan: ChangePlan) -> Content:
    """A report with the plan of what was chosen, as a client is told it."""
    run, judgement = report.run, report.judgement
    early = "" if run.state is RunState.DONE else f"{run.state.value.capitalize()}. {run.reason}"
    beats = canary_sentence(report.beats)
    planned = () if report.plan is None else report.plan.warnings
    warned = dict.fromkeys((*planned, *(each.message for each in report.warnings)))
    fine = of_verdict(judgement, Verdict.FINE)
    return Content(
        target=report.case.target,
        facts=tuple(_facts(report)),
        ended_early=early.strip(),
        character=tuple(sentences(report.case)),
        found=tuple(each.sentence for each in report.findings),
        conditions=tuple(_conditions(report)),
        advice=tuple(_card(each) for each in of_verdict(judgement, Verdict.RECOMMEND)),
        watch=tuple(_card(each) for each in of_verdict(judgement, Verdict.WATCH)),
        fine=tuple((each.title, each.saw) for each in fine),
        plan=_planned(plan),
        not_judged=tuple(silences(judgement.not_judged)),
        not_applicable=tuple(silences(judgement.not_applicable)),
        to_know=(*([beats] if beats else []), *warned),
    )


def _facts(report: Report) -> list[Row]:
    """Which run it is; times as the store keeps them, to the minute."""
    run = report.run
    from_to = " to ".join(_minute(at) for at in (run.started_at, run.ended_at) if at)
    rows = [
        ("run", f"{run.id}, plan {run.plan}"),
        ("measured", f"{from_to} UTC"),
        ("points", str(len(report.case.points))),
        ("engine", report.case.engine),
    ]
    return [(label, text) for label, text in rows if text]


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


def _conditions(report: Report) -> list[Row]:
    told = report.case.conditions.items()
    return [
        *inventory_rows(report.case.inventory),
        *((name.replace("_", " "), text) for name, text in told if text),
    ]


def _card(advice: Recommendation) -> Card:
    needs = NEEDS[advice.needs] if advice.needs is not Needs.NOTHING else ""
    return Card(
        advice=advice,
        change=change_of(advice) if advice.setting else "",
        rows=((("takes", needs),) if needs else ()) + tuple(grounds(advice)),
        evidence=advice.evidence,
        published=tuple(
            (sentence(each), source(each)) for each in cited(advice.findings[:MOST_CITED])
        ),
        more=_more(advice),
        doing=tuple(doing(advice)),
    )


def _more(advice: Recommendation) -> str:
    others = len(advice.findings) - MOST_CITED
    return f"{others} more in the documentation of {advice.rule}" if others > 0 else ""


def _planned(plan: ChangePlan) -> Planned:
    groups, number = [], 0
    for title, actions in plan_words.groups(plan):
        steps = []
        for action in actions:
            number += 1
            steps.append(_step(number, action))
        groups.append((title, tuple(steps)))
    return Planned(
        headline=plan_words.headline(plan),
        groups=tuple(groups),
        left_out=tuple((each.what, each.rule, each.because) for each in plan.left_out),
        files=tuple(_file(plan, name) for name in _needed(plan)),
    )


def _step(number: int, action: Action) -> PlanStep:
    return PlanStep(
        number, plan_words.what(action), plan_words.details(action), _back(action), action.rules
    )


def _back(action: Action) -> tuple[str, ...]:
    match action.step:
        case HostCommand() as step:
            kept = (f"{step.keep_file}: delete {step.keep_line}",) if step.keep_file else ()
            return (step.undo, *kept)
        case Procedure() as step:
            return step.undo
        case _:
            return ()


def _needed(plan: ChangePlan) -> list[str]:
    """The forms that have anything to say: a script only where the machine is to be changed."""
    if not plan.actions:
        return []
    commands = any(isinstance(action.step, HostCommand) for action in plan.actions)
    return [name for name in FILES if name != "shell" or commands]


def _file(plan: ChangePlan, name: str) -> PlanFile:
    form = FORMATS[name]
    return PlanFile(form.title, form.apply(plan), form.undo(plan))
