"""innodb_buffer_pool_size by misses, read latency and available memory.

## What it checks
Whether queries wait for reads that a larger pool would save, and whether it leaves enough memory.

## Why it matters
Memory beats every drive. In published TPC-C runs on NVMe the rate grows several-fold with the pool
until it holds the working set, and then not at all; a pool of 128 GB cut to 32 GB cost 20 to 40 %
on Optane and about 80 % on a SATA SSD. A pool that is larger than the memory is worse than any
drive: the machine swaps, or the kernel kills the server.

## How it is judged
- The hit ratio is not used: 99.9 % of a million requests/s is still 1,000 reads/s.
- `waiting = misses/s x latency`: how many queries wait for a read on average. Misses are
  `Innodb_buffer_pool_reads` over the status window. The latency is that of the server's own reads
  under its own load, where its Performance Schema times them, else the measured drive's at that
  rate of reads.
- `most` = three quarters of the memory, and half of it up to 4 GiB; on a large machine all but
  32 GiB, less 5 % for the pool's descriptors. Azure accepts 5 of 8 GiB, a quarter of 1 GiB, and
  never more than three quarters.
- Too large: the pool and its descriptors (5 %) take over 95 % of the memory (our choice). `most`
  is proposed.
- Too large as well where the machine lacks memory: over 1 % of it is swapped (of the server's own
  where its process is known), less than a tenth of it (of a large memory 8 GiB) is available, and
  programs wait for memory 1 % of the time or that is not recorded (our choices). Proposed is what
  the pool holds less what is swapped and what is short of that tenth, at least half of what it
  holds. Moving another program away does the same. A pool that takes less than a quarter of the
  memory (our choice) is not what takes it: watch. Where buffers of sessions explain it, they have
  to become smaller (the rule on session memory), and the pool stays.
- Too large also where the server holds 90 % or more of its control group's limit: so much less that
  a fifth of the limit is free, at least half of what the pool holds (our choices).
- What the pool holds is its size. Where over 5 % of its pages were never used, and the server's
  process has less than the pool's size in memory and swap, it is the used pages: the others never
  took memory, so giving them up gives back none. Large pages are taken at the start.
- While the server loads its pool after a start, its misses are not judged, unless queries wait for
  free pages already: then the pool is full before it is loaded.
- More than 5 % of the pool's pages are free, beyond the `innodb_lru_scan_depth` of each instance
  that the server keeps free on purpose: it is not full, so a larger one would not be filled.
- The counters alone decide where they are clear, with or without a measured latency: the pool is
  smaller than the data and than a quarter of the available memory, and 100 requests/s miss it (our
  choice) or a query waits for a free page once a second. Then a larger pool is proposed. Its gain
  is not known, and the card says so. Below a tenth of the memory and of the data (our choice) one
  request/s that misses is enough: memory that lies idle costs nothing. So small a pool is never
  called fine. Where nobody can say what is available, as with an account alone, a tenth decides; on
  Amazon RDS and Aurora with more than 4 GiB, where the machine serves nobody else and the default
  is three quarters, half (our choices).
- Data of unknown size does not fit where the misses since the start are four times the pool (our
  choice); with unknown available memory, a first step goes to a quarter of all (our choice).
- A pool that a control group's limit keeps from growing, while the machine has memory available:
  the limit is to be raised first, to twice its size, by half of what is available at most (our
  choices), and then the pool (watch).
- A pool that has what memory and data allow, on a server that was watched: fine while less than 2 %
  of the queries at work wait (our choice). From there on it is watched; where a service sells
  classes with more memory, and reads take less than 5 ms (more is a limit of the volume), it
  counts among all lines for a quarter of those that wait (our choices).
- The page cache answers reads that take 0.25 of a query or more without it: a larger pool goes with
  the `O_DIRECT` that is proposed then, whatever reads cost now.
- Else `waiting` below 0.25: fine. From 0.5 on a larger pool is proposed (our choices). Between the
  two, where memory is short, or queries wait for free pages although reads cost little: watch.
- Proposed is the smaller of `most` and 1.2 times all InnoDB files, as far as the memory that is
  available now allows with a reserve (5 %, at most 16 GiB), if that is at least 1.2 times the
  present size (our choices). Half as much again as the files, or what half of the available memory
  holds of that, where it is more (our choice): data grows, undo shares the pool, and some pages are
  kept free. Memory that lies idle costs nothing.
- Where programs beside the server hold a tenth of the memory or more (our choice), the reserve is a
  tenth of it, of a large memory 8 GiB: they may grow, and the rule on memory that is left would
  ask for it.
- The reserve is one of each session buffer for twice the peak of connections, for 1,000 at least,
  as far as `max_connections` allows them, where that is more; up to a quarter of the memory (our
  choices).
- Where over 1 % of the memory is swapped, and programs wait for memory or that is not recorded, the
  reserve is a tenth of the memory at least (of a large memory 8 GiB): the pool grows only so far
  that it would not be found too large afterwards (our choices).
- A pool of half of the memory is fine while under 5 % of the queries at work wait for reads (ours).
- What it brings is forecast where the server's reads of pages were traced: from how many other
  pages were read between two reads of one page follows how many of them a larger pool would keep.
- With such a trace a pool grows by a step, and then is looked at again, where all of it would take
  more than half of the available memory: the step is the smallest size that saves nine tenths of
  what all of it would save, and ends where the trace does (our choices).
- Without a trace nobody knows where the misses end. A pool of a quarter of the data (our choice)
  may hold most of what is read again: it grows to twice its size, or half of the way where that is
  more (our choices), and then is looked at again. A smaller one takes all at once.
- Fewer pages are written, too: those that are read again make no room for others. It counts as time
  of commits where these were measured beside flushing, redo shares the data's drive, and the server
  flushes that much: half of the saved misses, up to all (our choice).
- The value is in steps that the server keeps (MySQL from 5.7.5: chunk x instances): rounded up to
  hold the data, down where the memory is the limit, or where a step makes it more than half as
  much again as the files and 1.2 times them is left.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_reads'` twice under load; `free -b`.

## Risk and undo
Online from MySQL 5.7.5 and MariaDB 10.2.2; a restart before, where one NUMA node was full (it is
interleaved with that restart), and on MariaDB whose
`innodb_buffer_pool_size_max` is lower. The resize goes on after the statement: on a real 9.7 a
second one within that time, the undo for example, was ignored without an error. Wait for
"Completed" in `Innodb_buffer_pool_resize_status`. Shrinking evicts pages and may stall for seconds.

## When it is wrong
When the page cache answers misses that nobody counted: the confidence is low then. When the status
window missed the peak hour. When other programs need the same memory later, or share a control
group's limit with the server.

## References
- D. Kravtchuk, "MySQL 8.0 GA and IO-bound TPCC"
- MySQL reference manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server" and
  "Configuring InnoDB Buffer Pool Size"
- MariaDB documentation, innodb_buffer_pool_size_max
- Amazon RDS user guide, "Configuring buffer pool size and redo log capacity in MySQL 8.4"
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.status import status
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Judged, Knowledge, Says, Unjudged, rule
from advisor.rules.buffer_pool._group_limit import GROUP_USES, raise_the_limit
from advisor.rules.buffer_pool._larger import (
    USES,
    cache_lost_text,
    forecast_text,
    held_by_cache,
    idle_text,
    larger,
    left_text,
    no_larger,
    relieves,
    rest_text,
    rests_on,
    step_text,
    undivided_text,
    writes_text,
)
from advisor.rules.buffer_pool._pool import NO_SERVER
from advisor.rules.buffer_pool._smaller import RESIZING, TO_SHRINK, VERIFY, has_to_shrink
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.free_pages import WAITS_END_WHEN
from advisor.workload.pool.growth import (
    MANY_PER_S,
    MEMORY,
    MUCH,
    UNUSED,
    Growth,
    growth,
    is_tiny,
)
from advisor.workload.pool.read_cost import LITTLE, NOTHING, ReadCost, misses_costing
from advisor.workload.pool.warming import under_way, unused_share
from probes.figures import percent, rate, size

HARDLY = 0.01
"""Queries that wait for reads at a time: fewer cost nothing that shows (our choice)."""

WORTH = 0.02
"""A larger pool that is expected to save less of the time of queries is minor (our choice)."""

FEW = 0.02
"""Of a pool that can't grow: a smaller share of the queries at work that waits is no news."""


@rule(
    topic="Buffer pool",
    do="See what the pool still misses, under load",
    setting="innodb_buffer_pool_size",
    needs=(MEMORY,),
    uses=tuple(dict.fromkeys((*pool_growth.USES, *TO_SHRINK, METHOD, SWITCH, *USES, *GROUP_USES))),
    findings=("F35", "F70", "F79", "F80", "B08", "B10", "F124"),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Ask for memory first, then for what the misses cost."""
    now, usable = facts.now, facts.get(MEMORY)
    if now.default:
        return NO_SERVER
    of = (
        f"of {size(usable)} of memory"
        if now.number <= usable
        else f"where memory is {size(usable)}"
    )
    seen = f"The buffer pool has {size(now.number)} {of}"
    if (smaller := has_to_shrink(facts, seen)) is not None:
        return smaller
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    if missed is None:
        return Unjudged(f"{seen}. The rate of misses is not known.")
    if missed < NOTHING:
        saw = f"{seen}, and hardly a request missed it."
        return _kept(facts, facts.card(saw, flips_when=_misses_when(_little(facts))))
    return _missed(facts, seen, missed)


def _kept(facts: Facts, card: Card) -> Judged:
    """Leave the pool as it is; one far below memory and data is never called fine."""
    data = facts.find(POOL_DATA)
    if not is_tiny(facts.now.number, facts.get(MEMORY), data):
        return card.fine()
    return card.watch(
        f"A tenth of the memory and of the {size(data or 0.0)} of data are more than that: check "
        "again under load, which this window does not show.",
    )


def _misses_when(misses_per_s: float) -> str:
    return f"{rate(misses_per_s, 'requests')} or more miss the pool"


def _little(facts: Facts) -> float:
    """Misses per second that cost little."""
    costing, found = misses_costing(facts, LITTLE), growth(facts)
    priced = NOTHING if costing is None else max(NOTHING, costing)
    return priced if found is None else min(priced, found.clear_from_per_s)


def _not_grown(facts: Facts, seen: str, missed: float) -> Answer:
    """Misses of a pool that is being loaded, or has pages that were never used."""
    if under_way(facts):
        return Unjudged(f"{seen} and is being loaded, so its misses are those of a start.")
    free = At("unused share of the pool", unused_share(facts), above=UNUSED, say=percent)
    saw = (
        f"{seen}; {rate(missed, 'requests')} miss it, but {percent(free.value)} of its pages "
        "were never used."
    )
    return _kept(facts, facts.card(saw, free))


def _missed(facts: Facts, seen: str, missed: float) -> Answer:
    found = growth(facts)
    if found is None:
        return _not_grown(facts, seen, missed)
    if found.clear and found.wanted:
        return _by_counters(facts, found, seen)
    if found.wanted and (cached := held_by_cache(facts, found, seen)) is not None:
        return _raise(facts, found, cached, effect=cache_lost_text(found))
    if found.cost is None:
        return Unjudged(
            f"{seen}, and {rate(missed, 'requests')} miss it. The latency of such a read was not "
            "measured on its drive, or is above the drive's peak: then a page cache serves some."
        )
    return _priced(facts, found, found.cost, seen)


def _by_counters(facts: Facts, found: Growth, seen: str) -> Judged:
    """Recommend a larger pool by counters and sizes alone."""
    cost = found.cost
    priced, unknown = "", "how large the gain is"
    brings = "The gain is not known, because the cost of a miss under this load is not."
    if cost is not None:
        priced, unknown = f" They take {cost.takes}.", "how many misses a larger pool saves"
        brings = _spared(cost)
    forecast = forecast_text(facts, found)
    if forecast:
        brings, unknown = forecast, "what else queries wait for"
    flips = [
        f"the pool has {found.idle_text} or more",
        *([] if found.data is None else ["all data fits into it"]),
        f"fewer than {rate(min(found.clear_from_per_s, MANY_PER_S), 'requests')} miss it"
        + (" and no query waits for a free page" if found.waiting else ""),
    ]
    return _raise(
        facts,
        found,
        facts.card(
            f"{seen}{idle_text(found)}, and {rate(found.missed_per_s, 'requests')} miss the pool."
            f"{priced}{found.waits_text}",
            formula=found.clear_formula,
            confidence=Confidence.MEDIUM if found.available is None else Confidence.HIGH,
            because=f"{rests_on(found)} leave no other answer; {unknown} was not measured.",
        ),
        effect=f"Pages that are read again and again stay in memory. {brings}",
        flips_when=f"{', '.join(flips[:-1])} or {flips[-1]}",
    )


def _spared(cost: ReadCost) -> str:
    """What no longer has to be done where a larger pool holds the page."""
    if cost.waiting < HARDLY:
        return "Hardly a query waits for these reads; each takes processor time that a hit saves."
    return f"Up to {cost.waiting_text} queries at a time need not wait for a read."


def _priced(facts: Facts, found: Growth, cost: ReadCost, seen: str) -> Judged:
    saw = (
        f"{seen}; {rate(cost.missed_per_s, 'requests')} miss it and take {cost.takes}, so "
        f"{cost.waits}."
    )
    few = 0.0 if found.worth else FEW * (cost.running or 0.0)
    least = max(LITTLE, few, found.felt_from)
    little = rate(cost.misses_at(least), "requests")
    flips = f"fewer than {little} miss the pool"
    if cost.waiting < LITTLE and not found.waiting:
        when = _misses_when(_little(facts))
        return _kept(facts, facts.card(saw, formula=cost.formula, flips_when=when))
    if cost.waiting < LITTLE:
        saw, flips = f"{saw}{found.waits_text}", WAITS_END_WHEN
    card = facts.card(saw, formula=cost.formula, flips_when=flips)
    if cost.waiting < least and not found.waiting:
        has = "what memory and data allow" if not found.worth else "most of the memory"
        return card.fine(
            f"The pool has {has}, and hardly a query waits for the rest.",
            flips_when=_misses_when(cost.misses_at(least)),
        )
    if not found.worth:
        return raise_the_limit(facts, found, card) or no_larger(facts, cost, card)
    if not found.fits:
        whole = f"a pool of {size(found.ideal)} would take {size(found.missing)} more"
        return card.watch(
            f"A larger pool would help, but {found.spare_text} available and {whole}: "
            f"{rest_text(facts)}.",
            relieves=relieves(facts, replace(found, value=found.ideal)),
        )
    enough = max(MUCH, least)
    if cost.waiting < enough:
        much = rate(cost.misses_at(enough), "requests")
        less = flips if cost.waiting < LITTLE else f"fewer than {little} miss it"
        return card.watch(
            f"Up to {size(found.value)} would fit into memory; the reads cost little so far.",
            flips_when=f"{much} or more miss the pool, or {less}",
        )
    return _by_cost(facts, found, cost, card)


def _by_cost(facts: Facts, found: Growth, cost: ReadCost, card: Card) -> Judged:
    """Recommend a larger pool by what a miss takes on this drive."""
    cached, forecast = pages_buffered(facts), forecast_text(facts, found)
    enough = max(MUCH, found.felt_from)
    known = (
        "Misses were traced, and the latency of reads was measured"
        if forecast
        else "Misses and read latency were measured; how many misses a larger pool saves is known "
        "only once it is there"
    )
    return _raise(
        facts,
        found,
        card,
        effect=forecast
        or f"{_spared(cost)} Published runs gain several-fold until the pool holds the working "
        "set, and no more after that.",
        confidence=Confidence.LOW if found.available is None or cached else Confidence.MEDIUM,
        because=known
        + ("" if found.available is not None else "; the available memory is not known")
        + ("; the page cache may serve some of the misses" if cached else ""),
        flips_when=f"fewer than {rate(cost.misses_at(enough), 'requests')} miss the pool,"
        f" or less than {size(found.least_available)} are available",
    )


def _raise(
    facts: Facts,
    found: Growth,
    card: Card,
    *,
    effect: str,
    **says: Unpack[Says],
) -> Judged:
    """Add what every larger pool has in common."""
    held = ""
    if found.value < found.ideal:
        available = found.available
        held = (
            ""
            if available is None
            else f"; {size(available)} are available, {size(found.kept)} in reserve"
        )
    card = card.but(
        risk="Medium: connections or other programs may need the memory later.",
        cost_of_error="Too large: swapping, or the kernel kills the server; too small: reads.",
        side_effects="The pool fills within minutes to hours; a clean shutdown writes more pages, "
        f"and {left_text(found)}. {RESIZING}{undivided_text(facts, found)}",
        verify=VERIFY,
        formula=f"{card.says['formula']}; {_room(found)}{held}: {size(found.value)} in whole steps",
        relieves=relieves(facts, found),
        least_gain=WORTH,
    )
    if facts.find(POOL_MISS_CURVE) is not None:
        card = card.but(knowledge=Knowledge.MEASURED)
    effects = f"{effect}{writes_text(facts, found)}{step_text(found)}"
    return card.but(**says).recommend(larger(facts, found), effect=effects)


def _room(found: Growth) -> str:
    memory = f"{size(found.usable)} - {size(found.usable - found.most)} left free"
    if found.data is None:
        return memory
    return f"min({memory}, {found.times_data:.3g} x {size(found.data)} of data)"
