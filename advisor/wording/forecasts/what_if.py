"""What a forecast of a live server says first: today, then, where the time goes, what limits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from advisor.forecasts.wanting import Wanting, is_narrow, wanting
from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import Ceiling, ForecastStep
from advisor.model.network.stations import Place
from advisor.wording.forecasts.more import queries_text
from advisor.wording.forecasts.places import begun, named
from probes.figures import counted, duration_us, listed, percent, rate, times, with_range

NOTABLE = 0.005
"""A share of the time below this is not spoken of."""

SURE = 1.0

MOSTLY = 0.5
"""From this share of a query's time on, other waits are what a forecast turns on (our choice)."""

LONGER = 1.2
"""From this factor on, what took longer in the slowest second is named (our choice)."""


def sentences(found: WhatIf) -> list[str]:
    """Today's figures, those after the change, how long queries take, where, and what limits.

    While nothing is turned, today's alone.
    """
    if not found.turned.words:
        return [
            f"Today: {_step(found.now)}.",
            *_how_long_today(found),
            *slowest_sentences(found),
            _time(found),
            limits(found),
        ]
    return [
        f"Today: {_step(found.now)}.",
        _then(found),
        *_how_long(found),
        *slowest_sentences(found),
        _time(found),
        limits(found),
    ]


def changes_text(found: WhatIf) -> str:
    """What is turned: "buffer pool 16 GiB to 64 GiB, drives 1 to 2"; "" if nothing."""
    return ", ".join(f"{name} {now} to {then}" for name, now, then in found.turned.words)


def notes(found: WhatIf) -> list[str]:
    """What it rests on, and what is not known."""
    return [*found.turned.notes, *_other_waits(found), *_spread(found), *found.live.caveats]


def _other_waits(found: WhatIf) -> Iterator[str]:
    """Where most of a query's time has no station of its own, and more or fewer are to ask."""
    unexplained = sum(each.whole for each in found.now.time if each.place is Place.OTHER)
    if found.turned.connections is not None and unexplained > MOSTLY:
        yield (
            f"{percent(unexplained)} of a query's time is in other waits than the model's (row "
            "locks, latches). They are taken to last as long with any number of connections; if "
            "these wait for each other, fewer are quicker than that, and more are slower."
        )


def _step(step: ForecastStep, *, band: bool = False) -> str:
    expected = step.rate_per_s
    queries = partial(rate, what="queries")
    ends = (expected.low, expected.high) if band else (expected.value, expected.value)
    throughput = with_range(expected.value, *ends, queries, rate)
    return (
        f"{throughput} with {counted(step.threads, 'connection')}, "
        f"{step.at_work:.1f} of them at work, {duration_us(step.latency_us)} a query"
    )


_MEASURED_BY = {
    Wanting.MISS_TRACE: "a trace of its misses (`leadline watch` as root)",
    Wanting.DRIVE_READS: "its drive's reads (`leadline probe storage`)",
    Wanting.DRIVE_FLUSHING: "how many pages its drive flushes (`leadline check`)",
    Wanting.COMMITS: "its log's commits (`leadline probe redo`)",
}


def _then(found: WhatIf) -> str:
    """The rate after the change, or what is wanting."""
    if is_narrow(found):
        return f"Then: {_step(found.then, band=True)}. {_gain(found)}"
    then = found.then.rate_per_s
    lacks = [_MEASURED_BY[each] for each in wanting(found)]
    want = f", for want of {listed(lacks)}" if lacks else ""
    return (
        f"Then: anything from {rate(then.low)} to {rate(then.high, 'queries')}. That is not known "
        f"any closer{want}."
    )


def _gain(found: WhatIf) -> str:
    gain = found.gain
    nothing = ": it may change nothing" if gain.low <= SURE <= gain.high else ""
    return f"That is {queries_text(gain)}{nothing}."


def _how_long_today(found: WhatIf) -> Iterator[str]:
    """Within which time most queries are done, and those that commit apart from the others."""
    now = found.times_now
    if now is None:
        return
    yield f"95 of 100 queries are done within {duration_us(now.every.p95_us.value)}."
    if now.committing and now.others:
        yield (
            f"Queries that commit ({percent(now.committing.share)}) take "
            f"{duration_us(now.committing.mean_us)}, the others {duration_us(now.others.mean_us)}."
        )


def _how_long(found: WhatIf) -> Iterator[str]:
    """Within which time most queries are done, and those that commit apart from the others."""
    now, then = found.times_now, found.times_then
    if now is None or then is None:
        return
    until = then.every.p95_us
    yield (
        f"Of 100 queries 95 are done within {duration_us(now.every.p95_us.value)} today, then "
        f"within {until.text(duration_us)}."
    )
    pairs = ((now.committing, then.committing), (now.others, then.others))
    (commits_now, commits), (others_now, others) = pairs
    if commits_now and commits and others_now and others:
        yield (
            f"Queries that commit ({percent(commits.share)}) take "
            f"{duration_us(commits_now.mean_us)} today, then {duration_us(commits.mean_us)}; the "
            f"others {duration_us(others_now.mean_us)}, then {duration_us(others.mean_us)}."
        )


def slowest_sentences(found: WhatIf) -> Iterator[str]:
    """The slowest second today and then, as far as it is known from."""
    slowest = found.slowest
    if slowest is None:
        return
    now = slowest.now
    longer = [
        f"{name} took {times(factor)} as long as on average"
        for name, factor in (("reads", now.reads), ("syncs", now.syncs))
        if factor is not None and factor >= LONGER
    ]
    why = f"; {listed(longer)} in it" if longer else ""
    today = (
        f"In the slowest second of the watch it did {rate(now.per_s, 'queries')}, "
        f"{percent(now.share)} of the mean{why}."
    )
    if not found.turned.words:
        yield today
    elif slowest.then_per_s is None:
        yield f"{today} What it would be then is not known: {_unknown(found)}."
    else:
        yield f"{today} Then it would be {slowest.then_per_s.text(rate)}."


def _unknown(found: WhatIf) -> str:
    if found.turned.change.elsewhere:
        return "how steady the other drive is was not measured"
    return "reads and syncs were not timed second by second"


def _spread(found: WhatIf) -> Iterator[str]:
    """Where it is known from how much longer than on average single reads and syncs take."""
    needs = found.needs_then
    if found.times_then is None:
        return
    if needs.own_reads is not None or needs.own_syncs is not None:
        own = [("reads", needs.own_reads), ("syncs", needs.own_syncs)]
        which = listed([name for name, known in own if known is not None])
        yield f"p95 rests on the times of single {which}, which the watch traced."
    elif needs.read_times is not None and needs.reads > 0:
        yield "p95 rests on the times of single reads, which were measured on the drive."
    elif needs.reads > 0:
        yield (
            "p95 rests on an assumption: single reads were not timed, and are taken to vary as "
            "exponentially distributed times do. A watch with a trace (as root) measures them."
        )


def _time(found: WhatIf) -> str:
    now = {share.place: share.whole for share in found.now.time}
    then = {share.place: share.whole for share in found.then.time}
    places = sorted({*now, *then}, key=lambda place: -max(now.get(place, 0), then.get(place, 0)))
    turned = bool(found.turned.words)
    parts = [
        f"{named(place)} {percent(now.get(place, 0.0))}"
        + (f" and {percent(then.get(place, 0.0))}" if turned else "")
        for place in places
        if max(now.get(place, 0.0), then.get(place, 0.0)) >= NOTABLE
    ]
    return f"Of a query's time{', today and then' if turned else ''}: {listed(parts)}."


def limits(found: WhatIf) -> str:
    """What is saturated, and what would be next."""
    saturated, ceilings = found.then.limited_by, found.after.ceilings
    then = " then" if found.turned.words else ""
    if not ceilings:
        return (
            f"What limits{then} is not known: the most that a place lets through was not measured."
        )
    first = next((each for each in ceilings if each.place is saturated), ceilings[0])
    behind = [each for each in ceilings if each is not first]
    after_it = f" Next: {_ceiling(behind[0])}." if behind else ""
    if saturated is not None:
        return f"{begun(saturated)} limits{then}, at {_most(first)}.{after_it}"
    return f"Nothing is saturated{then}; the first limit is {_ceiling(first)}.{after_it}"


def _ceiling(each: Ceiling) -> str:
    return f"{named(each.place)} at {_most(each)}"


def _most(each: Ceiling) -> str:
    return rate(each.rate_per_s, "queries")
