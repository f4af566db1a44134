"""What drives under a server are said to be: who is the fastest where, and for what price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.compare.comparison import LETTERS
from advisor.compare.roles import Purpose, RoleComparison
from advisor.forecasts.under import Crossing, Stretch, UnderServer
from advisor.model.network.forecast import ForecastStep
from advisor.model.network.stations import Place
from advisor.wording.forecasts.places import bare, begun, named
from probes.figures import (
    UNKNOWN,
    counted,
    duration_us,
    listed,
    price,
    ranged,
    rate,
    times,
    with_range,
)

OF_A_DRIVE = frozenset({Place.DRIVE, Place.REDO, Place.FLUSHING})
"""The places that another drive makes faster."""


def sentences(found: UnderServer) -> list[str]:
    """At the server's connections first, then the crossings, prices, and what has no forecast."""
    refused = [each.because for each in found.entrants if each.because]
    return [_here(found), _crossings(found), *_prices(found), *refused]


def notes(found: UnderServer) -> list[str]:
    """What the forecasts rest on, drive by drive: "A: run 2 has no commits"."""
    return [
        f"{LETTERS[at]}: {note}"
        for at, each in enumerate(found.entrants)
        if each.found is not None
        for note in each.found.turned.notes
    ]


def roles_text(found: UnderServer) -> str:
    """Which of the drives alone is the best: "for data A in 4 of 6 roles and B in 1"."""
    judged_roles, not_judged = [], []
    for purpose in Purpose:
        judged = [role for role in found.roles if role.judged and role.purpose is purpose]
        if judged:
            judged_roles.append(f"for {purpose} {_best(judged)}")
        else:
            not_judged.append(purpose)
    best = f"The best of the drives alone: {'; '.join(judged_roles)}." if judged_roles else ""
    missing = f"No two of them were measured alike for {listed(not_judged)}." if not_judged else ""
    return f"{best} {missing}".strip()


def _best(judged: Sequence[RoleComparison]) -> str:
    wins = Counter(role.winner for role in judged if role.winner is not None)
    if not wins:
        return "too close to call"
    (best, won), *others = wins.most_common()
    if won == len(judged):
        return LETTERS[best]
    first = f"{LETTERS[best]} in {won} of {counted(len(judged), 'role')}"
    return listed([first, *(f"{LETTERS[at]} in {number}" for at, number in others)])


def _here(found: UnderServer) -> str:
    first, second = found.ranked[:2]
    ahead = found.ahead
    with_these = f"With the server's {counted(found.present, 'connection')}"
    factor = with_range(ahead.value, ahead.low, ahead.high, times)
    if ahead.low <= 1 and (limit := _other_limit(found)):
        return f"{with_these} {_all_give(found)}: {limit} limits, and a faster drive gains nothing."
    if ahead.low <= 1:
        return (
            f"{with_these} {listed([LETTERS[at] for at in found.tied])} are too close to call: "
            f"{LETTERS[first]} does {factor} what {LETTERS[second]} does."
        )
    best = found.entrants[first].found
    limited = None if best is None else best.then.limited_by
    limits = "" if limited is None else f" {begun(limited)} limits there."
    fastest = f"{with_these} {LETTERS[first]} is the fastest"
    return f"{fastest}: {factor} {LETTERS[second]}'s queries.{limits}"


def _other_limit(found: UnderServer) -> str:
    """What limits on each of the drives alike, and is none; "" where there is no such thing."""
    limits = {step.limited_by for step in _there(found)}
    if len(found.tied) < len(found.ranked) or len(limits) > 1:
        return ""
    (limit,) = limits
    return "" if limit is None or limit in OF_A_DRIVE else named(limit)


def _all_give(found: UnderServer) -> str:
    """``all three give 1.20 k queries/s``, as far as one figure can tell it."""
    number = len(found.ranked)
    who = {2: "both", 3: "all three", 4: "all four"}.get(number, f"all {number}")
    rates = [step.rate_per_s.value for step in _there(found)]
    least, most = rate(min(rates), "queries"), rate(max(rates), "queries")
    return f"{who} give {most if least == most else f'{least} to {most}'}"


def _there(found: UnderServer) -> list[ForecastStep]:
    """The forecasts at the server's connections."""
    return [each.found.then for each in found.entrants if each.found is not None]


def _crossings(found: UnderServer) -> str:
    """Where which drive wins: "up to 64 connections A, from 97 on B"."""
    won = [each for each in found.stretches if each.best is not None]
    if not won:
        reach = counted(found.reach, "connection")
        return f"Up to {reach} none of them is surely faster than the rest."
    parts = [_stretch(each, found.reach) for each in won]
    between = "" if len(won) == len(found.stretches) else " Elsewhere it is too close to call."
    level = "".join(f" {_level(each)}" for each in found.crossings)
    return f"The fastest is {', '.join(parts)}.{between}{level}"


def _level(each: Crossing) -> str:
    """A crossing with what it lies between: "A and B are level at 70 connections (64 to 97)."."""
    names = f"{LETTERS[each.before]} and {LETTERS[each.after]}"
    return f"{names} are level at {counted(each.at, 'connection')} ({each.low:,} to {each.high:,})."


def _stretch(each: Stretch, reach: int) -> str:
    name = LETTERS[each.best or 0]
    if each.first == 1 and each.last == reach:
        return f"{name} at every number of connections up to {reach:,}"
    if each.first == 1:
        return f"{name} up to {counted(each.last, 'connection')}"
    if each.last == reach:
        return f"{name} from {counted(each.first, 'connection')} on"
    return f"{name} from {each.first:,} to {counted(each.last, 'connection')}"


def _prices(found: UnderServer) -> list[str]:
    priced = [
        (per, at)
        for at, each in enumerate(found.entrants)
        if (per := each.price_per_thousand) is not None
    ]
    if not priced:
        return []
    parts = ", ".join(f"{LETTERS[at]} {price(per)}" for per, at in sorted(priced))
    return [f"1,000 queries/s with these connections cost: {parts}, in the unit of the prices."]


HEADS = ("queries/s", "expected", "mean time", "p95", "limited by")
"""What ``row`` has, in its order."""


def row(found: UnderServer, at: int) -> tuple[str, str, str, str, str]:
    """A drive's figures at the server's connections: rate, band, mean time, p95, what limits."""
    entrant = found.entrants[at]
    if entrant.found is None:
        return UNKNOWN, "", "", "", ""
    then = entrant.found.then
    limited, times = then.limited_by, entrant.found.times_then
    expected = then.rate_per_s
    figure, low, high = ranged(expected.value, expected.low, expected.high, rate)
    return (
        figure,
        f"{low} to {high}",
        duration_us(then.latency_us),
        "" if times is None else duration_us(times.every.p95_us.value),
        "" if limited is None else bare(limited),
    )
