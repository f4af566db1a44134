"""A lab for people: the answer first, then each variant's figures, then how sure they are."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.lab.costs import Cost
from advisor.lab.looked import looked, near
from advisor.lab.outcome import Effect, Level
from advisor.lab.record import Record
from advisor.report.document.blocks import (
    GAP,
    Block,
    Document,
    ParagraphRole,
    beside,
    pairs,
    table,
    text,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.of_run import document_of_run, shown_again
from advisor.run import RunSummary
from advisor.wording.measured import lab as words
from probes.figures import counted, duration_us, rate

_HEADS = ("transactions/s", "against it", "")
_FORECAST, _LATE = "forecast", "p95"
_MOST_COSTS = 3


def lab_document(record: Record, run: RunSummary, cover: Cover = NO_COVER) -> Document:
    """The report of a lab for a client."""
    return document_of_run(
        f"What was tried in the lab of {run.target}",
        run,
        lab_answer(record),
        cover,
        "The servers were Leadline's own: nothing was changed on any other.",
    )


def lab_blocks(record: Record, run_id: int) -> Iterator[Block]:
    """The same on a terminal, with the way back to it."""
    yield from lab_answer(record)
    yield shown_again(run_id)


def lab_answer(record: Record) -> Iterator[Block]:
    """The answer, the figures of each variant, and how it was made."""
    outcome = looked(record)
    yield text(words.headline(record, outcome), ParagraphRole.LEAD)
    for level in outcome.levels:
        yield GAP
        if len(outcome.levels) > 1:
            yield text(counted(level.connections, "connection"), ParagraphRole.LABEL)
        yield _table(record, level)
        yield from (text(sentence) for each in level.effects if (sentence := words.reasons(each)))
        yield beside(words.resolution(level))
    yield from _near(record)
    yield GAP
    yield from pairs(words.conditions(record, outcome))


def _near(record: Record) -> Iterator[Block]:
    """A table of what a query took in the watch and here, where the load is to be like one."""
    found = [each for each in near(record) if each.watch is not None or each.lab is not None]
    if record.asked.like is None or not found:
        return
    yield GAP
    yield text(words.likeness(record, found), ParagraphRole.LABEL)
    rows = [
        (
            words.per_query_name(each.name),
            words.per_query(each.name, each.watch),
            words.per_query(each.name, each.lab),
            words.nearness(each),
        )
        for each in found
    ]
    yield table(("each query", "watched", "here", ""), rows, (0, 3))


def _table(record: Record, level: Level) -> Block:
    known = _costs(level)
    option, names = words.short_names(record)
    expected = ("",) if record.forecasts else ()
    heads = (
        option,
        *_HEADS,
        *(_FORECAST for _ in expected),
        _LATE,
        *(f"{words.cost_name(cost)} each" for cost in known),
    )
    base = (
        names[record.asked.base.name],
        rate(level.base_per_s),
        "",
        "",
        *expected,
        duration_us(level.base_p95_us),
        *(words.amount(cost, level.base_costs[cost]) for cost in known),
    )
    rows = [base, *((names[each.variant], *_row(record, each, known)) for each in level.effects)]
    return table(heads, rows, (0, 3))


def _costs(level: Level) -> list[Cost]:
    """Those that explain most, over all variants."""
    named = [change.cost for effect in level.effects for change in effect.changes]
    return list(dict.fromkeys(named))[:_MOST_COSTS]


def _row(record: Record, effect: Effect, known: list[Cost]) -> tuple[str, ...]:
    forecast = record.forecasts.get(effect.variant)
    expected = (words.signed(forecast) if forecast else "",) if record.forecasts else ()
    return (
        rate(effect.per_s),
        words.signed(effect.times) if effect.times else "",
        words.verdict(effect),
        *expected,
        duration_us(effect.p95_us),
        *(words.amount(cost, effect.costs[cost]) if cost in effect.costs else "" for cost in known),
    )
