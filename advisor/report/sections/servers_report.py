"""Several servers of one client in one report: what to decide on all of them, then each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from advisor.judging.agenda import agenda, changes_asked
from advisor.plan.change_plan import ChangePlan
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
    plain,
    text,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_of, redaction, without_names
from advisor.report.document.sections import SECTIONS, opened, section
from advisor.report.report import Report
from advisor.report.sections.client.decision import risk_lines
from advisor.report.sections.client.glossary import glossary
from advisor.report.sections.run_report import report_document
from advisor.upgrade.lens import LensReport
from advisor.wording.advice import decision as words
from advisor.wording.advice.plan import work
from probes._version import __version__
from probes.figures import counted

_HEADS = ("server", "what hurts", "what to do", "what it brings", "by when", "risks")
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
    """Risks of all servers in red, then a row for each."""
    risky = [
        _of_server(line, name, at)
        for at, (name, each) in enumerate(zip(names, found, strict=True), 1)
        for line in risk_lines(each.report, cover)
        if line.role is ParagraphRole.RISK
    ]
    rows = (_row(each, names[at - 1], at) for at, each in enumerate(found, 1))
    table = Table(_HEADS, tuple(rows), frozenset(range(len(_HEADS))), roomy=True)
    blocks: tuple[Block, ...] = (*(risky or [text(words.NO_RISK)]), table)
    whole = Document("", NO_COVER, (), "", blocks, "")
    # Sentences on a server may name it.
    for each in found if cover.anonymous else ():
        whole = without_names(whole, names_of(each.report))
    yield from whole.blocks


def _of_server(line: Paragraph, name: str, at: int) -> Paragraph:
    """A risk with the server that has it, whose chapter its name leads to."""
    plain_words = (replace(span, to="") for span in line.words)
    return replace(line, words=(TextSpan(f"{name}. ", Style.STRONG, f"server-{at}"), *plain_words))


def _row(each: PlannedReport, name: str, at: int) -> TableRow:
    judgement, case = each.report.judgement, each.report.case
    asked = changes_asked(judgement)
    to_do = work(each.plan) if asked else "Nothing to change."
    return TableRow(
        (
            (TextSpan(name, Style.STRONG, f"server-{at}"),),
            plain(words.hurts(judgement, case)),
            plain(to_do),
            plain(words.brings(asked, each.plan) if asked else ""),
            plain(words.by_when(asked)),
            plain(str(len(agenda(judgement).risks))),
        )
    )


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
