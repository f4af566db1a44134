"""ADVICE.md: what plans brought so far, how near forecasts came to it, and what is missing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.advice.cases import (
    BEFORE,
    HAND,
    LEAST_ROUNDS,
    PLAN,
    TUNER,
    Advised,
    Case,
    Kept,
    Pieces,
    all_against_hand,
)
from benchmarks.shared.report import PAGES, page, save_raw, table

PAGE = PAGES / "ADVICE.md"

MOST_ERROR = 0.15
"""The most that the median forecast may be off, as a share of what was measured."""
LEAST_INSIDE = 0.80
"""At least this share of what was measured lies in the forecasts' bands, in which nine of ten
should."""

INTRODUCTION = (
    "It can be run in pieces: checks and rates are kept in build/bench-advice/. What is advised, "
    "this product says of the check; a rate counts for as long as its configuration's lines are "
    "advised.",
    "",
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
    "are done, as their client sees them; the last rounds of each case have it.",
    "",
)

COLUMNS = (
    *("server", "load", "asked by", "size", "rounds", BEFORE, PLAN, HAND, "captured"),
    *("plan, times by hand", TUNER, "captured by it", "plan, times defaults", "forecast before"),
    *("plan's p95, times defaults", "forecast before"),
)


@dataclass(frozen=True)
class Held:
    """All forecasts of one figure against what came.

    ``errors`` are absolute, as shares of what was measured; ``inside`` is how many lay in the band.
    """

    name: str
    errors: tuple[float, ...]
    inside: int

    @property
    def error(self) -> float:
        """The median error; nan where nothing was measured."""
        return median(self.errors) if self.errors else math.nan

    @property
    def share(self) -> float:
        """How many of the cases lie in the forecast's band; nan where nothing was measured."""
        return self.inside / len(self.errors) if self.errors else math.nan

    @property
    def missed(self) -> bool:
        """Whether it lies beyond either bar."""
        return self.error > MOST_ERROR or self.share < LEAST_INSIDE


def held(shown: Sequence[Pieces]) -> tuple[Held, Held]:
    """Transactions per second, then the 95th percentile, each as how many times the defaults'."""
    told = [(each, each.advised) for each in shown if each.advised is not None]
    return (
        _held("transactions/s", [(each.times(PLAN), made.forecast) for each, made in told]),
        _held("p95", [(each.delayed, made.late) for each, made in told]),
    )


def _held(name: str, pairs: Iterable[tuple[float, Mapping[str, float]]]) -> Held:
    """Of what was measured and expected, where both are there."""
    known = [(found, told) for found, told in pairs if told and not math.isnan(found)]
    return Held(
        name,
        tuple(abs(told["value"] / found - 1) for found, told in known),
        sum(told["low"] <= found <= told["high"] for found, told in known),
    )


def summary(shown: Sequence[Pieces]) -> Iterator[str]:
    """Forecasts and captured shares of all measured cases, as lines of a page."""
    figures = [each for each in held(shown) if each.errors]
    if figures:
        yield from ("Forecasts against what came, over all measured cases:", "")
        header = ("plan, times defaults", "cases", f"median error (at most {MOST_ERROR:.0%})")
        rows = (
            (
                each.name,
                len(each.errors),
                f"{each.error:.0%}{', missed' if each.error > MOST_ERROR else ''}",
                f"{each.inside} ({each.share:.0%}){', missed' * (each.share < LEAST_INSIDE)}",
            )
            for each in figures
        )
        yield from table((*header, f"within the band (at least {LEAST_INSIDE:.0%})"), rows)
        yield ""
    measured = [each for each in shown if each.whole(PLAN)]
    shares = [each.captured(PLAN) for each in measured if not math.isnan(each.interval(PLAN)[0])]
    if shares:
        yield (
            f"Captured of the gain by hand: {min(shares):.0%} at least, {median(shares):.0%} in "
            f"the median, of {len(shares)} cases; {len(measured) - len(shares)} more were measured "
            "whose gain by hand is not told from noise."
        )
        yield ""
    if measured:
        times, low, high = all_against_hand(measured)
        rounds = sum(len(each.whole(PLAN)) for each in measured)
        yield (
            f"The plan gives {times:.2f} times the rate by hand, in the median of all {rounds} "
            f"rounds of {len(measured)} cases ({low:.2f} to {high:.2f}: cases and rounds drawn "
            "again)."
        )
        yield ""


def write_page(kept: Kept, asked: Sequence[Case], rounds: int) -> list[Pieces]:
    """Write the page from all cases that are there or were asked for, and give those."""
    shown = [kept.pieces(case) for case in dict.fromkeys((*asked, *kept.cases()))]
    save_raw("advice", {"tree": kept.tree, "cases": [*map(_raw, shown)]})
    lines = [*INTRODUCTION, *summary(shown), *table(COLUMNS, map(_row, shown), words=4), ""]
    lines += _missing(shown, rounds)
    for pieces in shown:
        if pieces.advised is not None:
            lines += _section(pieces.case, pieces.advised)
    title = "What the first plan brings on a loaded server"
    text = page(title, "advice", lines, {"product": kept.tree})
    PAGE.write_text(text.rstrip() + "\n", encoding="utf-8")
    return shown


def _row(pieces: Pieces) -> list[str]:
    case, advised = pieces.case, pieces.advised or Advised()
    return [
        *(case.server, case.load, f"`leadline {case.asked}`", case.size),
        str(len(pieces.whole(PLAN))),
        *(_rate(pieces, arm) for arm in (BEFORE, PLAN, HAND)),
        *(_captured(pieces, PLAN), _ratio(pieces.times(PLAN, HAND))),
        *(_rate(pieces, TUNER), _captured(pieces, TUNER)),
        *_against(pieces.times(PLAN), advised.forecast),
        *_against(pieces.delayed, advised.late),
    ]


def _rate(pieces: Pieces, arm: str) -> str:
    rates = pieces.rates(arm)
    return f"{median(rates):.0f} ({min(rates):.0f} to {max(rates):.0f})" if rates else ""


def _ratio(found: float) -> str:
    return "" if math.isnan(found) else f"{found:.2f}"


def _against(found: float, expected: Mapping[str, float]) -> tuple[str, str]:
    """What the plan brought, and what the model had expected of it."""
    if not expected:
        return _ratio(found), ""
    said = f"{expected['value']:.2f} ({expected['low']:.2f} to {expected['high']:.2f})"
    off = not math.isnan(found) and not expected["low"] <= found <= expected["high"]
    return _ratio(found), f"{said}, disproved" if off else said


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
        yield from (f"Still to be measured, of {rounds} rounds:", "", *said)


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
    share = pieces.captured(PLAN)
    return {
        **vars(pieces.case),
        "tps": {str(number): rates for number, rates in sorted(pieces.tps.items())},
        "p95_us": {str(number): times for number, times in sorted(pieces.p95_us.items())},
        "captured": None if math.isnan(share) else share,
    }
