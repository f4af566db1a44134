"""What a client is told of a run, in order and in words; HTML and Markdown lay it out.

Its texts come from servers and users as they are: whoever lays them out escapes every one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.buffers import buffers_of_case
from advisor.judging.agenda import Part, agenda, part_of
from advisor.judging.decided import Silence, silences
from advisor.outcomes import Evidence, Judgement, Recommendation, Verdict
from advisor.plan.change_plan import Action, ChangePlan
from advisor.plan.export.formats import FORMATS
from advisor.plan.export.markdown import DEFAULTS_ASSUMED
from advisor.plan.foreign_words import NUMBER
from advisor.ranking import slight, tidies
from advisor.report import lens_words
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.report.sections.doubts import DoubtedPoints, doubts
from advisor.run import RunState, how_said
from advisor.steps import HostCommand, Procedure
from advisor.upgrade.lens import LensReport
from advisor.variables.managed import service_of
from advisor.wording.advice import plan as plan_words
from advisor.wording.advice.evidence_card import (
    Row,
    change_of,
    changes_asked,
    doing,
    grounds,
    numbered,
    of_verdict,
)
from advisor.wording.advice.gains import gain_of, why_minor
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.advice.open_question import open_sentences, turning
from advisor.wording.advice.published import MOST_CITED, cited, sentence, source
from advisor.wording.measured import findings
from advisor.wording.measured.summary import canary_sentence, sentences
from probes.figures import counted, listed, percent, size
from probes.points import Trust

FILES = ("sql", "cnf", "shell")
"""The forms of the plan that are told in full: what people run, and what servers read.

For the server of a managed service it is the one that the service takes.
"""


@dataclass(frozen=True, slots=True)
class AdviceCard:
    """One piece of advice with all that it stands on.

    ``needs`` says in few words what the change needs; ``planned`` is a sentence that says where
    the plan has it, or why not. ``published`` are numbers of ``Content.published``, the first ones;
    ``more`` says how many others there are. ``doing`` is told of what is in no plan.
    """

    advice: Recommendation
    change: str
    needs: str
    rows: tuple[Row, ...]
    evidence: tuple[Evidence, ...]
    planned: str
    published: tuple[int, ...]
    more: str
    doing: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of the plan.

    ``notes`` are what to read before; ``details`` the lines of work by hand, ``back`` those that
    take it back.
    """

    number: int
    what: str
    notes: tuple[str, ...]
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
    """The change plan: its headline, its groups by title, what was left out and why.

    ``assumed`` says what its settings before rest on, where that is no server of the user's;
    ``expected`` what the model expects of all of it, "" where there is no forecast.
    """

    headline: str
    assumed: str
    expected: str
    groups: tuple[tuple[str, tuple[PlanStep, ...]], ...]
    left_out: tuple[tuple[str, str, str], ...]
    files: tuple[PlanFile, ...]


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """What another version of the server would change, the gravest first."""

    version: str
    headline: str
    warnings: tuple[str, ...]
    sections: tuple[tuple[str, tuple[lens_words.Told, ...]], ...]


@dataclass(frozen=True, slots=True)
class Content:
    """All that is told; empty parts are left out where it is laid out.

    ``short`` are sentences that say how it stands, before the advice in a few words; ``no_change``
    is said in the place of advice where there is none. ``published``
    are pairs of what was found and where it stands; cards name them by their place, from 1.
    """

    target: str
    facts: tuple[Row, ...]
    ended_early: str
    short: tuple[str, ...]
    character: tuple[str, ...]
    found: tuple[str, ...]
    conditions: tuple[Row, ...]
    seen: VersionChanges | None
    advice: tuple[AdviceCard, ...]
    no_change: str
    watch: tuple[AdviceCard, ...]
    minor: tuple[Row, ...]
    open: tuple[Row, ...]
    fine: tuple[Row, ...]
    plan: Planned
    doubts: tuple[DoubtedPoints, ...]
    published: tuple[tuple[str, str], ...]
    not_judged: tuple[Silence, ...]
    not_applicable: tuple[Silence, ...]
    to_know: tuple[str, ...]
    scenarios: tuple[Row, ...]


def content(report: Report, plan: ChangePlan, seen: LensReport | None = None) -> Content:
    """A report with the plan of what was chosen, as a client is told it.

    With ``seen`` the judgement and the plan are another version's.
    """
    run, judgement = report.run, report.judgement
    early = "" if run.state is RunState.DONE else f"{run.state.value.capitalize()}. {run.reason}"
    beats = canary_sentence(report.beats)
    warnings = () if report.plan is None else report.plan.warnings
    warned = dict.fromkeys((*warnings, *(each.message for each in report.warnings)))
    asking = [
        *changes_asked(judgement),
        *_watched(judgement),
    ]
    numbers = _numbered(asking)
    planned = _planned(plan)
    cards = [_card(each, numbers, planned) for each in asking]
    return Content(
        target=report.case.target,
        facts=tuple(_facts(report, seen)),
        ended_early=early.strip(),
        short=tuple(_short(report)),
        character=tuple(sentences(report.case)),
        found=tuple(map(findings.sentence, report.findings)),
        conditions=tuple(_conditions(report)),
        seen=None if seen is None else _seen(seen),
        advice=tuple(card for card in cards if card.advice.verdict is Verdict.RECOMMEND),
        no_change=_no_change(report),
        watch=tuple(card for card in cards if card.advice.verdict is Verdict.WATCH),
        fine=tuple((each.title, each.saw) for each in of_verdict(judgement, Verdict.FINE)),
        plan=planned,
        doubts=tuple(doubts(report.case.points)),
        published=tuple((sentence(each), source(each)) for each in cited(numbers)),
        minor=tuple(
            (each.title, f"{each.saw} ({why_minor(each)})")
            for each in agenda(judgement).minor
            if each.verdict is Verdict.WATCH or tidies(each) or slight(each)
        ),
        open=tuple(
            (each.title, f"{turning(each)} {open_sentences(each)}") for each in judgement.open
        ),
        not_judged=tuple(silences(judgement.unknown)),
        not_applicable=tuple(silences(judgement.not_applicable)),
        to_know=(*([beats] if beats else []), *warned),
        scenarios=tuple((each.name, f"{each.said}.") for each in report.scenarios),
    )


def _short(report: Report) -> Iterator[str]:
    """How much is to be done, what is left to see, and how far all of it can be relied on."""
    judgement, points = report.judgement, report.case.points
    proposed, risks = changes_asked(judgement), agenda(judgement).risks
    watched = sum(one not in risks for one in _watched(judgement))
    if risks:
        yield f"{counted(len(risks), 'risk')} to data: {'; '.join(one.title for one in risks)}."
    if proposed:
        yield f"{counted(len(proposed), 'change is', 'changes are')} recommended."
    else:
        yield _no_change(report)
    if proposed and watched:
        yield f"{counted(watched, 'thing', 'things')} to keep an eye on."
    fine, silent = len(of_verdict(judgement, Verdict.FINE)), len(judgement.unknown)
    if fine or silent:
        yield (
            f"{counted(fine, 'rule finds', 'rules find')} nothing to change; {silent} could not "
            "judge."
        )
    if judgement.open:
        yield (
            f"{counted(len(judgement.open), 'question is', 'questions are')} open: what was "
            "measured leaves room for more than one answer."
        )
    all_points = counted(len(points), "point", "points")
    if doubtful := sum(point.trust is Trust.DOUBTFUL for point in points):
        yield (
            f"{doubtful} of {all_points} {'is' if doubtful == 1 else 'are'} doubtful, with a wide "
            "range: advice stands where it holds for nearly all of it."
        )
    if rejected := sum(point.trust is Trust.REJECTED for point in points):
        support = "supports" if rejected == 1 else "support"
        yield f"{rejected} of {all_points} can't be trusted and {support} no advice."


def _watched(judgement: Judgement) -> list[Recommendation]:
    watched = of_verdict(judgement, Verdict.WATCH)
    return [each for each in watched if part_of(each) is not Part.MINOR]


def _no_change(report: Report) -> str:
    return nothing_to_change(report.judgement, report.case, report.run.state)


def _facts(report: Report, seen: LensReport | None) -> list[Row]:
    """Which run it is; times as the store keeps them, to the minute."""
    run = report.run
    start, end = _minute(run.started_at), _minute(run.ended_at)
    day = start[:11]
    from_to = " to ".join(filter(None, (start, end.removeprefix(day))))
    version = report.case.conditions.get("engine_version", "")
    rows = [
        ("judged as", "" if seen is None else f"{seen.after} (it is {seen.before})"),
        ("name", run.label.name),
        ("tags", ", ".join(run.label.tags)),
        ("run", f"{run.id}, {how_said(run.kind, run.plan)}"),
        ("measured", f"{from_to} UTC"),
        ("points", str(len(report.case.points))),
        ("engine", f"{report.case.engine} {version}".strip()),
    ]
    return [(label, text) for label, text in rows if text]


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


_TOLD_ALREADY = {
    "buffers",
    "buffers_because",
    "device",
    "directory",
    "engine",
    "engine_version",
    "filesystem",
    "kernel",
    "mysql",
    "plan",
    "processors",
}
"""Conditions that the report's head, or rows of their own, say as well."""


def _conditions(report: Report) -> Iterator[Row]:
    yield from inventory_rows(report.case.inventory)
    buffers = buffers_of_case(report.case)
    if buffers:
        yield "buffers", buffers
    for name, text in report.case.conditions.items():
        if not text or name in _TOLD_ALREADY:
            continue
        match name:
            case "file_bytes" if text.isdigit():
                yield "data read at random", size(int(text))
            case "fill_share" if NUMBER.fullmatch(text):
                yield "filled before the run", percent(float(text))
            case _:
                yield name.replace("_", " "), text


def _seen(looked: LensReport) -> VersionChanges:
    return VersionChanges(
        str(looked.after),
        lens_words.headline(looked),
        looked.warnings,
        tuple((title, tuple(told)) for title, told in lens_words.sections(looked)),
    )


def _numbered(asking: Sequence[Recommendation]) -> dict[str, int]:
    """The numbers of the findings that are told, by their ids: those that cards name first."""
    ids = dict.fromkeys(each for advice in asking for each in advice.findings[:MOST_CITED])
    return {each: number for number, each in enumerate(ids, 1)}


def _card(advice: Recommendation, numbers: Mapping[str, int], plan: Planned) -> AdviceCard:
    needs = plan_words.NEEDS[advice.needs]
    steps = _steps_of(advice.rule, plan)
    # What is planned is said there once, with its way back.
    told = [row for row in doing(advice) if not steps or row[0] == "verify"]
    return AdviceCard(
        advice=advice,
        change=change_of(advice) if advice.setting else "",
        needs=plan_words.NEEDS[advice.needs],
        rows=tuple(row for row in (("gain", gain_of(advice)), ("needs", needs)) if row[1])
        + tuple(grounds(advice)),
        evidence=advice.evidence,
        planned=_place(advice, steps, plan),
        published=tuple(dict.fromkeys(numbers[each] for each in advice.findings[:MOST_CITED])),
        more=_more(advice),
        doing=tuple(told),
    )


def _steps_of(rule: str, plan: Planned) -> list[int]:
    return [step.number for _, steps in plan.groups for step in steps if rule in step.rules]


def _place(advice: Recommendation, steps: Sequence[int], plan: Planned) -> str:
    if advice.verdict is not Verdict.RECOMMEND:
        return ""
    if steps:
        numbers = listed([str(step) for step in steps])
        return f"{'Step' if len(steps) == 1 else 'Steps'} {numbers} of the change plan."
    for _, rule, because in plan.left_out:
        if rule == advice.rule:
            return f"Left out of the change plan: {because}"
    return "Not chosen for the change plan."


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
        assumed=DEFAULTS_ASSUMED if plan.sandbox and plan.actions else "",
        expected=f"{plan_words.expected(plan)} {plan_words.late(plan)}".strip(),
        groups=tuple(groups),
        left_out=tuple((each.what, each.rule, each.because) for each in plan.left_out),
        files=tuple(_file(plan, name) for name in _needed(plan)),
    )


def _step(number: int, action: Action) -> PlanStep:
    """A step as people read it; statements, lines and commands stand in the files below."""
    step = action.step
    details: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    if isinstance(step, Procedure):
        details, back = tuple(numbered(step.steps)), tuple(numbered(step.undo))
    return PlanStep(number, plan_words.what(action), action.notes, details, back, action.rules)


def _needed(plan: ChangePlan) -> list[str]:
    """The forms that have anything to say: a script only where the machine is to be changed."""
    if not plan.actions:
        return []
    if (service := service_of(plan.version)) is not None:
        return [service.form]
    commands = any(isinstance(action.step, HostCommand) for action in plan.actions)
    return [name for name in FILES if name != "shell" or commands]


def _file(plan: ChangePlan, name: str) -> PlanFile:
    form = FORMATS[name]
    return PlanFile(form.title, form.apply(plan).strip("\n"), form.undo(plan).strip("\n"))
