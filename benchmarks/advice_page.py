"""ADVICE.md: what ``make bench-advice`` has found so far, and what is still to be measured."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from advice_kept import (
    BEFORE,
    HAND,
    LEAST_ROUNDS,
    PLAN,
    TUNER,
    Advised,
    Case,
    Kept,
    Pieces,
)
from advice_summary import summary
from report import HERE, machine, save_raw

PAGE = HERE / "ADVICE.md"

INTRODUCTION = (
    "A server with its defaults, data several times its buffer pool, 16 connections of sysbench. "
    "Its tables have been read once when Leadline is asked, beside that load, and the plan is "
    "exported as an option file. Then a server is started for each of defaults, plan, hand-tuned "
    "lines and, where it was at hand, what MySQLTuner says, each with a copy of the data; they "
    "work in turns of seconds, while the others are frozen, so that what else happens on the "
    "machine meets all alike; a round has one turn of each or several, as its size says. Changes "
    "of the machine itself are left out. Servers differ by up to a tenth from start to start, "
    "whatever their lines: a case in one start knows no better, whatever its rounds say. "
    "Transactions per second are medians over the rounds, with their lowest and highest. Whatever "
    "is held against another configuration is the median of the rounds' ratios: what the machine "
    "gives changes between rounds. Captured is the share of the hand-tuned gain, with its 95 % "
    "interval (whole rounds drawn again) from three rounds on. The forecast is the model's "
    "(`leadline forecast --plan`), from the same look at the server, before anything was changed; "
    "what the flush method brings is not in it. p95 is the time within which 95 of 100 statements "
    "are done, as their client sees them; the last rounds of each case have it."
)


def write_page(kept: Kept, asked: Sequence[Case], rounds: int) -> list[Pieces]:
    """Write the page from all cases that are there or were asked for, and give those."""
    shown = [kept.pieces(case) for case in dict.fromkeys((*asked, *kept.cases()))]
    facts = machine()
    save_raw("advice", {"machine": facts, "tree": kept.tree, "cases": [*map(_raw, shown)]})
    lines = [
        "# What the first plan brings on a loaded server",
        "",
        "Written by `make bench-advice`, which can be run in pieces: checks and rates are kept in "
        "build/bench-advice/. What is advised, this product says of the check; a rate counts for "
        "as long as its configuration's lines are advised.",
        "",
        *(f"- {name}: {value}" for name, value in facts.items()),
        f"- product: {kept.tree}",
        "",
        INTRODUCTION,
        "",
        *summary(shown),
        *_table(shown),
        "",
        *_missing(shown, rounds),
    ]
    for pieces in shown:
        if pieces.advised is not None:
            lines += _section(pieces.case, pieces.advised)
    PAGE.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return shown


def _table(shown: Sequence[Pieces]) -> Iterator[str]:
    yield (
        "| server | load | asked by | size | rounds | defaults | plan | by hand | captured "
        "| plan, times by hand | MySQLTuner | captured by it | plan, times defaults "
        "| forecast before "
        "| plan's p95, times defaults | forecast before |"
    )
    yield f"| {' | '.join(['---'] * 4 + ['---:'] * 12)} |"
    for pieces in shown:
        case = pieces.case
        cells = [case.server, case.load, f"`leadline {case.asked}`", case.size]
        cells += [str(len(pieces.whole(PLAN)))]
        cells += [*(_rate(pieces, arm) for arm in (BEFORE, PLAN, HAND)), _captured(pieces, PLAN)]
        cells += [_ratio(pieces.against_hand)]
        advised = pieces.advised or Advised([], [], [], [])
        cells += [_rate(pieces, TUNER), _captured(pieces, TUNER)]
        cells += _held(pieces.brought, advised.forecast) + _held(pieces.delayed, advised.late)
        yield f"| {' | '.join(cells)} |"


def _rate(pieces: Pieces, arm: str) -> str:
    rates = pieces.rates(arm)
    return f"{median(rates):.0f} ({min(rates):.0f} to {max(rates):.0f})" if rates else ""


def _ratio(found: float) -> str:
    return "" if math.isnan(found) else f"{found:.2f}"


def _held(found: float, expected: Mapping[str, float]) -> list[str]:
    """What the plan brought, and what the model had expected of it."""
    brought = _ratio(found)
    if not expected:
        return [brought, ""]
    said = f"{expected['value']:.2f} ({expected['low']:.2f} to {expected['high']:.2f})"
    off = not math.isnan(found) and not expected["low"] <= found <= expected["high"]
    return [brought, f"{said}, disproved" if off else said]


def _captured(pieces: Pieces, arm: str) -> str:
    share = pieces.captured(arm)
    if math.isnan(share):
        return "no gain by hand" if pieces.whole(arm) else ""
    low, high = pieces.interval(arm)
    if not math.isnan(low):
        return f"{share:.0%} ({low:.0%} to {high:.0%})"
    unsure = len(pieces.whole(arm)) >= LEAST_ROUNDS
    return f"{share:.0%}, gain by hand not told from noise" if unsure else f"{share:.0%}"


def _missing(shown: Sequence[Pieces], rounds: int) -> Iterator[str]:
    """What is still to be measured, case by case."""
    said = [
        f"- {each.case.server}, {each.case.load}: "
        + (f"{len(missing)} rounds" if each.advised else "nothing yet")
        for each in shown
        if (missing := each.missing(rounds)) or each.advised is None
    ]
    if said:
        yield f"Still to be measured, of {rounds} rounds:"
        yield ""
        yield from said


def _section(case: Case, advised: Advised) -> list[str]:
    lines = ["", f"## {case.server}, {case.load}", "", "The plan, in its order:", ""]
    lines += [f"{at}. {action}" for at, action in enumerate(advised.plan, 1)]
    if advised.others:
        lines += ["", f"Beside it: {', '.join(advised.others)}."]
    for arm in (PLAN, HAND, TUNER):
        if arm in advised.arms:
            lines += ["", f"{arm[0].upper()}{arm[1:]}:", "", "```ini", *advised.arms[arm], "```"]
    if advised.refused:
        lines += ["", f"{TUNER}, with which this server does not start:", ""]
        lines += ["```ini", advised.refused, "```"]
    return lines


def _raw(pieces: Pieces) -> dict[str, object]:
    return {
        "server": pieces.case.server,
        "load": pieces.case.load,
        "asked": pieces.case.asked,
        "size": pieces.case.size,
        "tps": {str(number): rates for number, rates in sorted(pieces.tps.items())},
        "p95_us": {str(number): times for number, times in sorted(pieces.p95_us.items())},
        "captured": None if math.isnan(share := pieces.captured(PLAN)) else share,
    }
