"""What the rules say, as text: advice with its evidence, what to watch, what could not be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.judging.agenda import Part, agenda, part_of
from advisor.judging.decided import silences
from advisor.outcomes import NotApplicable, NotJudged, Recommendation
from advisor.ranking import tidies
from advisor.report.report import Report
from advisor.report.text.sections import INDENT, item, labelled, section
from advisor.wording.advice.evidence_card import change_of, changes_asked, doing, grounds
from advisor.wording.advice.gains import EYE, gain_of, time_sentence, why_minor
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.advice.open_question import open_rows, turning
from advisor.wording.advice.plan import NEEDS
from advisor.wording.advice.published import MOST_CITED, cited, in_short
from advisor.wording.advice.why import meaning, reason


def advice_parts(report: Report) -> list[RenderableType]:
    """All outcomes: risks, changes in order, what to watch, what is minor or fine, what is open."""
    judgement = report.judgement
    lists = agenda(judgement)
    # Where something is to be changed, what is to be watched stands between it, by its weight.
    told, watched = (lists.lines, ()) if lists.changes else ((), lists.watch)
    numbered: list[RenderableType] = []
    for number, advice in enumerate(told, start=1):
        numbered += _recommendation(f"{number}.", advice)
    if not changes_asked(judgement):
        state = report.run.state
        said = nothing_to_change(judgement, report.case, state, doubt_said=True)
        numbered = [Text(said)]
    waits = time_sentence(judgement)
    return [
        *section("Where query time goes", [Text(waits)] if waits else []),
        *section("Risks", _marked(lists.risks)),
        *section("Advice", numbered),
        *section(EYE.capitalize(), _marked(watched)),
        *section("Open", [part for each in judgement.open for part in _open(each)]),
        *section("Minor", _minor(lists.minor)),
        *section(
            "Fine as it is", [part for each in lists.fine for part in item(each.title, each.saw)]
        ),
        *section("Not judged", _by_reason(judgement.unknown)),
        *section("Not about this server", _by_reason(judgement.not_applicable)),
    ]


def rule_parts(report: Report, rule_id: str) -> list[RenderableType] | None:
    """All that one rule says of a case, whatever it is; None where there is no such rule."""
    judgement = report.judgement
    for advice in judgement.recommendations:
        if advice.rule == rule_id:
            return section(advice.verdict.capitalize(), _recommendation("•", advice))
    for question in judgement.open:
        if question.rule == rule_id:
            return section("Open", _open(question))
    silent: list[NotJudged | NotApplicable] = [*judgement.unknown, *judgement.not_applicable]
    mute = [each for each in silent if each.rule == rule_id]
    return section("Not judged", _by_reason(mute)) if mute else None


def _open(question: NotJudged) -> list[RenderableType]:
    rows = labelled(open_rows(question))
    return [*item(question.title, turning(question)), Padding(rows, INDENT)]


def _marked(advice: Sequence[Recommendation]) -> list[RenderableType]:
    return [part for each in advice for part in _recommendation("•", each)]


def _minor(advice: Sequence[Recommendation]) -> list[RenderableType]:
    """What is minor, at last what only tidies, on a line each."""
    lines = [each for each in advice if tidies(each)]
    return [
        *_marked([each for each in advice if each not in lines]),
        *(Text(f"• {each.saw}  ({each.rule}, {why_minor(each)})") for each in lines),
    ]


def _recommendation(mark: str, advice: Recommendation) -> list[RenderableType]:
    head = Text.assemble(f"{mark} ", (advice.title, "bold"), f"  ({advice.rule})")
    rows = labelled(_rows(advice))
    return [head, Padding(Text(advice.saw), INDENT), Padding(rows, INDENT)]


def _rows(advice: Recommendation) -> Iterator[tuple[str, str]]:
    if advice.setting:
        yield "setting", change_of(advice)
    if gain := gain_of(advice):
        yield "gain", gain
    if part_of(advice) is Part.MINOR:
        yield "minor", why_minor(advice)
    if part_of(advice) is Part.WATCH:
        yield "to do", EYE
    if needs := NEEDS[advice.needs]:
        yield "needs", needs
    yield from grounds(advice)
    for position, evidence in enumerate(advice.evidence):
        yield ("evidence" if position == 0 else "", f"{evidence.text}  ({evidence.fact})")
    yield from _published(advice)
    yield from doing(advice)


def _published(advice: Recommendation) -> Iterator[tuple[str, str]]:
    """The first findings with their conditions; the rule's page has the others and addresses."""
    label = "published"
    for finding in cited(advice.findings[:MOST_CITED]):
        yield label, in_short(finding)
        label = ""
    more = len(advice.findings) - MOST_CITED
    if more > 0:
        yield label, f"{more} more: `leadline rules show {advice.rule}`"


def _by_reason(outcomes: Sequence[NotJudged | NotApplicable]) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for silence in silences(outcomes):
        parts.append(Text(f"• {reason(silence.why)}"))
        for fact, rules in silence.lacking:
            listed = ", ".join(rules)
            told = f"unknown: {meaning(fact)}  ({listed})" if fact else listed
            parts.append(Padding(Text(told, style="dim"), INDENT))
    return parts
