"""A report's first screen: what this server is, what limits it, what to change, what is open.

At most 40 lines of 100 characters. Everything else is in the whole report.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.outcomes import NotJudged, Recommendation, Verdict
from advisor.report.decisions import decided, left_to_probes, nothing_to_change
from advisor.report.evidence_card import change_of, of_verdict
from advisor.report.inventory_rows import inventory_rows
from advisor.report.plan_words import NEEDS
from advisor.report.report import Report
from advisor.report.text.report import in_sentences, which_run
from advisor.report.text.sections import INDENT, section
from advisor.run import RunKind
from probes.figures import counted, listed, percent

LINES, WIDTH = 40, 100
"""What it fits on."""

MOST_CHANGES, MOST_WATCHED, MOST_OPEN, MOST_SENTENCES = 5, 3, 3, 2
_ONE_LINE, _TWO_LINES = 92, 180
_FACTS = ("machine", "server")


def first_screen(report: Report) -> RenderableType:
    """The report in short, for a rich console."""
    judged = () if report.run.kind is RunKind.IMPORT else _judged(report)
    return Group(*_which(report), *judged)


def _which(report: Report) -> Iterator[RenderableType]:
    """Which run it was, how it ended, what was looked at, and the figures that matter most."""
    yield from which_run(report)
    for label, text in inventory_rows(report.case.inventory):
        if label in _FACTS:
            yield Text(_cut(text, WIDTH), style="dim")
    yield Text("")
    for sentence in in_sentences(report)[:MOST_SENTENCES]:
        yield Text(_cut(sentence, _TWO_LINES))


def _judged(report: Report) -> Iterator[RenderableType]:
    judgement = report.judgement
    proposed = of_verdict(judgement, Verdict.RECOMMEND)
    watched = of_verdict(judgement, Verdict.WATCH)
    changes: list[RenderableType] = []
    for number, advice in enumerate(proposed[:MOST_CHANGES], start=1):
        changes += _change(number, advice)
    if not proposed:
        said = nothing_to_change(judgement, report.case, report.run.state)
        changes = [Text(_cut(said, 2 * _TWO_LINES))]
    yield from section("Change, what matters most first", changes + _more(proposed, MOST_CHANGES))
    eye: list[RenderableType] = [
        Text(_cut(f"• {each.saw}", _TWO_LINES)) for each in watched[:MOST_WATCHED]
    ]
    yield from section("Keep an eye on", eye + _more(watched, MOST_WATCHED))
    open_: list[RenderableType] = [_question(each) for each in judgement.open[:MOST_OPEN]]
    yield from section("Open", open_ + _more(judgement.open, MOST_OPEN))
    yield Text("")
    yield Text(_count(report))
    yield Text(_where(report), style="dim")


def _change(number: int, advice: Recommendation) -> list[RenderableType]:
    what = change_of(advice) if advice.setting else advice.title
    sure = f"{advice.confidence.value} confidence"
    if advice.share < 1:
        sure += f", {percent(advice.share)} of what the figures may be"
    beside = ", ".join(filter(None, (NEEDS[advice.needs], sure)))
    head = Text.assemble(f"{number}. ", (_cut(what, _ONE_LINE), "bold"), f"  ({beside})")
    return [head, Padding(Text(_cut(advice.saw, _TWO_LINES)), INDENT)]


def _question(each: NotJudged) -> RenderableType:
    return Text(_cut(f"• {each.title}. {each.because}", _TWO_LINES))


def _more(all_of_them: Sequence[object], shown: int) -> list[RenderableType]:
    left = len(all_of_them) - shown
    return [Text(f"  and {left} more", style="dim")] if left > 0 else []


def _count(report: Report) -> str:
    """How much was decided, and how."""
    judgement = report.judgement
    found = decided(judgement, report.case, report.run.state)
    fine, open_ = len(of_verdict(judgement, Verdict.FINE)), len(judgement.open)
    lacking = found.applicable - found.judged - open_
    left = [f"{open_} open"] if open_ else []
    left += [f"{lacking} without a fact that it takes"] if lacking else []
    beside = f"; {listed(left)}" if left else ""
    return (
        f"{found.judged} of {counted(found.applicable, 'question')} decided, {fine} of them fine "
        f"as they are{beside}."
    )


def _where(report: Report) -> str:
    run_id = report.run.id
    shows = f"`leadline runs show {run_id}` shows all of it"
    if of_verdict(report.judgement, Verdict.RECOMMEND):
        shows += f"; `leadline advise {run_id} --sql` gives the changes as statements"
    left = left_to_probes(report.judgement)
    if report.run.kind is RunKind.WATCH and left:
        shows += f"; `leadline check` measures the drive for {counted(left, 'more question')}"
    elif report.judgement.open:
        shows += "; `leadline check --plan standard` measures longer, which narrows what is open"
    return f"{shows}."


def _cut(text: str, most: int) -> str:
    """The text as far as it fits: whole sentences, else words."""
    if len(text) <= most:
        return text
    whole, end, _ = text[:most].rpartition(". ")
    return whole + "." if end else textwrap.shorten(text, most, placeholder=" …")
