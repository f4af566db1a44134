"""Several servers of one client in one report: what to decide on all of them, then each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from advisor.gain import Stakes
from advisor.judging.agenda import agenda, to_decide
from advisor.judging.carrying_out import carrying_out
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.ranking import stakes
from advisor.report.document.blocks import (
    Block,
    Document,
    Heading,
    Paragraph,
    ParagraphRole,
    Style,
    Table,
    TableRow,
    TextSpan,
    Words,
    plain,
    text,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_of, redaction, without_names
from advisor.report.document.sections import SECTIONS, opened, section
from advisor.report.report import Report
from advisor.report.sections.client.decision import (
    about_risk,
    by_whom,
    expected,
    risk_name,
    times_of,
)
from advisor.report.sections.client.glossary import glossary
from advisor.report.sections.run_report import report_document
from advisor.upgrade.lens import LensReport
from advisor.wording.advice import decision as words
from advisor.wording.advice.evidence_card import change_or_deed
from advisor.wording.advice.plan import expected as in_short
from probes._version import __version__
from probes.figures import counted

_HEADS = ("what hurts", "what to do first", "what it brings", "priority", "who, until")
NOTHING = "Nothing to change."
_OWN_GLOSSARY = "glossary"


@dataclass(frozen=True, slots=True)
class PlannedReport:
    """One server's run with its plan; with ``seen`` both are for another version."""

    report: Report
    plan: ChangePlan
    seen: LensReport | None = None


def servers_document(found: Sequence[PlannedReport], cover: Cover = NO_COVER) -> Document:
    """All of them; raises UsageError where a template leaves no section of one."""
    names = _names(found, cover)
    subject = cover.system or counted(len(found), "server")
    return Document(
        title=f"Storage and InnoDB advice for {subject}",
        cover=cover,
        facts=(("servers", ", ".join(names)), redaction(cover)),
        notice="",
        blocks=tuple(_blocks(found, names, cover)),
        last=f"Judged by Leadline {__version__}. Every step is for people to take.",
    )


def _names(found: Sequence[PlannedReport], cover: Cover) -> list[str]:
    """Those of the targets; of several with one name, each with when it was looked at."""
    if cover.anonymous:
        return [f"server {at}" for at in range(1, len(found) + 1)]
    targets = [each.report.case.target for each in found]
    names = [
        f"{target}, {each.report.run.started_at[:16].replace('T', ' ')} UTC"
        if targets.count(target) > 1
        else target
        for target, each in zip(targets, found, strict=True)
    ]
    return [f"{name} ({at})" if names.count(name) > 1 else name for at, name in enumerate(names, 1)]


def _blocks(found: Sequence[PlannedReport], names: Sequence[str], cover: Cover) -> Iterator[Block]:
    yield from opened(cover)
    each_holds = (frozenset(SECTIONS) if cover.sections is None else cover.sections) - {
        _OWN_GLOSSARY
    }
    of_one = replace(cover, sections=each_holds, opening="")
    all_of = [report_document(each.report, each.plan, each.seen, of_one) for each in found]
    if cover.holds("summary"):
        yield from section("summary", _decision(found, names, cover), new_page=True)
    for at, (name, document) in enumerate(zip(names, all_of, strict=True), 1):
        yield Heading(1, name, f"server-{at}", new_page=True)
        if document.notice:
            yield Paragraph(plain(document.notice), ParagraphRole.WARNING)
        yield from _within(document.blocks, f"server-{at}-")
    if cover.holds(_OWN_GLOSSARY):
        inside = (block for document in all_of for block in document.blocks)
        yield from section(_OWN_GLOSSARY, glossary(inside))


def _decision(
    found: Sequence[PlannedReport], names: Sequence[str], cover: Cover
) -> Iterator[Block]:
    """Risks of all servers in red, a row for each, and what comes of the plans."""
    named = list(zip(names, found, strict=True))
    risky = [
        _risk(one, each.plan, cover, (name, at))
        for at, (name, each) in enumerate(named, 1)
        for one in agenda(each.report.judgement).risks
    ]
    rows = (_row(each, cover, (name, at)) for at, (name, each) in enumerate(named, 1))
    table = Table(_HEADS, tuple(rows), frozenset(range(len(_HEADS))), roomy=True)
    brought = [(name, each.plan.forecast) for name, each in named]
    pictures = times_of([(name, each.times) for name, each in brought if each is not None])
    blocks: tuple[Block, ...] = (*(risky or [text(words.NO_RISK)]), table, *pictures)
    whole = Document("", NO_COVER, (), "", blocks, "")
    # Sentences on a server may name it.
    for each in found if cover.anonymous else ():
        whole = without_names(whole, names_of(each.report))
    yield from whole.blocks


def _risk(
    one: Recommendation, plan: ChangePlan, cover: Cover, server: tuple[str, int]
) -> Paragraph:
    """A risk with the server that has it, whose chapter its name leads to, and says more."""
    line = " ".join(filter(None, (f"{risk_name(one)}.", one.saw, about_risk(one, plan, cover))))
    what = TextSpan(line)
    return Paragraph((*_linked(*server), TextSpan(": "), what), ParagraphRole.RISK)


def _linked(name: str, at: int) -> Words:
    return (TextSpan(name, Style.STRONG, f"server-{at}"),)


def _row(each: PlannedReport, cover: Cover, server: tuple[str, int]) -> TableRow:
    """What hurts, what to do first and what that risks, what comes of it, how pressing it is."""
    judgement, case = each.report.judgement, each.report.case
    hurts = (*_linked(*server), TextSpan(f"\n{words.hurts(judgement, case)}"))
    asked = to_decide(judgement)
    if not asked:
        return TableRow((hurts, plain(NOTHING), *[plain("")] * (len(_HEADS) - 2)))
    (first, *more) = asked
    then = (f"Then {len(more)} more." if more else "", words.down(asked))
    wrong = f"\nIf it is wrong: {first.cost_of_error}" if first.cost_of_error else ""
    return TableRow(
        (
            hurts,
            (
                TextSpan(change_or_deed(first), Style.STRONG),
                TextSpan("".join(f"\n{each}" for each in then if each)),
                TextSpan(wrong, Style.QUIET),
            ),
            plain(_brings(first, each.plan)),
            plain(words.priority(carrying_out(first))),
            plain(by_whom(first, cover).replace(", ", "\n", 1)),
        )
    )


def _brings(first: Recommendation, plan: ChangePlan) -> str:
    """The plan's forecast, which counts no safer data; without one what the first change brings."""
    if plan.forecast is None:
        return expected(first)
    data = stakes(first) is Stakes.DATA
    return "\n".join(filter(None, (expected(first) if data else "", in_short(plan, in_brief=True))))


def _within(value: Any, prefix: str) -> Any:
    """Blocks below a server's heading: headings a level deeper, places with names of their own."""
    if isinstance(value, tuple):
        return tuple(_within(each, prefix) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    made = {each.name: _within(getattr(value, each.name), prefix) for each in fields(value)}
    for name in ("anchor", "to"):
        if made.get(name):
            made[name] = f"{prefix}{made[name]}"
    if isinstance(value, Heading):
        made |= {"level": min(3, value.level + 1), "new_page": False}
    return replace(value, **made)
