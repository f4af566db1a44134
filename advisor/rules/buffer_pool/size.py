"""innodb_buffer_pool_size from misses, read latency and the memory that is left.

## What it checks
Whether queries wait for reads that a larger buffer pool would save, and whether the pool leaves the
machine enough memory to live.

## Why it matters
Memory beats every drive. In published TPC-C runs on NVMe the rate grows several-fold with the pool
until it holds the working set, and then not at all; a pool of 128 GB cut to 32 GB cost 20 to 40 %
on Optane and about 80 % on a SATA SSD. A pool that is larger than the memory is worse than any
drive: the machine swaps, or the kernel kills the server.

## How it is judged
- A hit ratio is not looked at: 99.9 % of a million requests is still 1,000 reads/s.
- `waiting = misses/s x latency`: how many queries wait for a read at any moment. Misses are
  `Innodb_buffer_pool_reads` over the status window, the latency is the measured drive's at that
  rate of reads.
- `most` = three quarters of the memory, and half of it up to 4 GiB; on a large machine all but
  32 GiB, less 5 % for the pool's descriptors.
- Too large: the pool and its descriptors (5 %) take over 95 % of the memory. `most` is proposed.
- While the server loads its pool after a start, nothing is judged by its misses.
- More than 5 % of the pool's pages are free, beyond the `innodb_lru_scan_depth` of each instance
  that the server keeps free on purpose: it is not full, so more of it would stay empty.
- The counters alone decide where they are clear, whatever a read costs and whether or not that was
  measured: the pool is smaller than the data and than a quarter of the available memory, and 100
  requests/s miss it (our choice) or a query waits for a free page once a second. Then a larger pool
  is recommended first. What it gains is not known, and that is said.
- Else `waiting` below 0.25: fine. From 0.5 on a larger pool is recommended. Between the two, where
  memory lacks, or where queries wait for free pages although their reads cost little: watch.
- Proposed is the smaller of `most` and 1.1 times all InnoDB files, if that is at least 1.2 times
  the present size and the memory for it is available now.
- The value is in steps that the server keeps (MySQL from 5.7.5: chunk x instances): rounded up to
  hold the data, down where the memory is the limit.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_reads'` twice under load; `free -b`.

## Risk and undo
Online from MySQL 5.7.5 and MariaDB 10.2.2; a restart before, and on MariaDB whose
`innodb_buffer_pool_size_max` is lower. The resize goes on after the statement: on a real 9.7 a
second one within that time, the undo for example, was dropped without a word. Wait for "Completed"
in `Innodb_buffer_pool_resize_status`. Shrinking throws pages out and may stall for seconds.

## When it is wrong
When data files go through the page cache: then a miss may cost far less than the drive's latency,
and the confidence is low. When the window missed the busy hour. When other programs want the same
memory later.

## References
- D. Kravtchuk, "MySQL 8.0 GA and IO-bound TPCC"
- MySQL reference manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server" and
  "Configuring InnoDB Buffer Pool Size"
- MariaDB documentation, innodb_buffer_pool_size_max
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, MYSQL_VERSION, status, variable
from advisor.model.operating_point import rate_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from advisor.workload import pool_growth
from advisor.workload.free_pages import WAITS_END_WHEN
from advisor.workload.pool_growth import (
    ALL_DATA,
    IDLE,
    MANY_PER_S,
    MEMORY,
    MUCH,
    SIZE,
    UNUSED,
    Growth,
    growth,
)
from advisor.workload.pool_room import OVERHEAD, most_for_pool, whole_steps
from advisor.workload.read_cost import NOTHING, ReadCost
from advisor.workload.warming import under_way, unused_share
from probes import figures

SETTING = "innodb_buffer_pool_size"
TOO_LARGE = 0.95
LITTLE = 0.25
VERIFY = (
    "SELECT @@GLOBAL.innodb_buffer_pool_size;\n"
    "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status';"
)


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, SIZE, MEMORY),
    uses=(
        *pool_growth.USES,
        variable("innodb_buffer_pool_size_max"),
        variable("innodb_flush_method"),
        variable("innodb_data_file_buffering"),
    ),
    settings=(SETTING,),
    findings=("F35", "F70", "F79", "F80", "B08", "B10"),
)
def check(facts: Facts) -> Answer:
    """Ask for memory first, then for what the misses cost."""
    now = facts.get(SIZE)
    if now.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    usable = facts.get(MEMORY)
    if now.number * OVERHEAD > TOO_LARGE * usable and now.number > most_for_pool(usable):
        return _lower(facts, now)
    said = _size_said(facts)
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    if missed is None:
        return Unjudged(f"{said}. How many requests miss it was not seen.")
    if missed < NOTHING:
        saw = f"{said}, and hardly a request missed it within the window."
        return _fine(saw, now, _misses_when(_little(facts)), "0 misses to save")
    return _missed(facts, now, missed)


def _size_said(facts: Facts) -> str:
    now, usable = facts.get(SIZE), facts.get(MEMORY)
    return f"The buffer pool has {figures.size(now.number)} of {figures.size(usable)} of memory"


def _misses_when(misses_per_s: float) -> str:
    return f"{figures.rate(misses_per_s, 'requests')} or more miss the pool"


def _little(facts: Facts) -> float:
    """Misses per second that cost little."""
    curve, found = facts.find(CURVE_RANDOM_READ_PAGE), growth(facts)
    priced = NOTHING if curve is None else max(NOTHING, rate_at(curve, LITTLE))
    return priced if found is None else min(priced, found.clear_from_per_s)


def _missed(facts: Facts, now: Standing, missed: float) -> Answer:
    said = _size_said(facts)
    if under_way(facts):
        return Unjudged(f"{said} and is being loaded, so its misses are those of a start.")
    found = growth(facts)
    if found is None:
        free = unused_share(facts)
        saw = (
            f"{said}; {figures.rate(missed, 'requests')} miss it, but "
            f"{figures.percent(free)} of its pages were never used."
        )
        flips = f"less than {figures.percent(UNUSED)} were never used and requests still miss"
        formula = f"{figures.percent(free)} unused > {figures.percent(UNUSED)}"
        return _fine(saw, now, flips, formula)
    if found.clear and found.wanted:
        return _raise(facts, found, _by_counters(said, found))
    if found.cost is None:
        return Unjudged(
            f"{said}, and {figures.rate(missed, 'requests')} miss it. What such a read takes "
            "was not measured on its drive, or is more than the drive gives: then a page cache "
            "answers too."
        )
    return _priced(facts, found, found.cost, said)


def _by_counters(said: str, found: Growth) -> Judged:
    """Give the part of the recommendation that rests on counters and sizes alone."""
    saw = (
        f"{said}, {figures.size(found.available or 0.0)} are available, and "
        f"{figures.rate(found.missed_per_s, 'requests')} miss the pool.{found.waits_said}"
    )
    flips = [
        f"the pool has {figures.percent(IDLE)} of the available memory or more",
        *([] if found.data is None else ["all data fits into it"]),
        f"fewer than {figures.rate(MANY_PER_S, 'requests')} miss it"
        + (" and no query waits for a free page" if found.waiting else ""),
    ]
    return Judged(
        Verdict.RECOMMEND,
        saw,
        effect="Pages that are read again and again stay in memory. How much that gains is not "
        "known: what a miss costs beside this load was not settled.",
        confidence=Confidence.HIGH,
        because="the server's counters, the size of its data and the memory that lies idle leave "
        "no other answer; how large the gain is was not measured",
        flips_when=f"{', '.join(flips[:-1])} or {flips[-1]}",
        gain=0.95,
        formula=found.clear_formula,
    )


def _priced(facts: Facts, found: Growth, cost: ReadCost, said: str) -> Judged:
    now = facts.get(SIZE)
    saw = (
        f"{said}; {figures.rate(cost.missed_per_s, 'requests')} miss it and take "
        f"{figures.duration_us(cost.latency_us)} each on this drive, so {cost.waiting:.2f} queries "
        "wait for a read at any moment."
    )
    little = figures.rate(cost.misses_at(LITTLE), "requests")
    flips = f"fewer than {little} miss the pool"
    if cost.waiting < LITTLE and not found.waiting:
        return _fine(saw, now, _misses_when(_little(facts)), cost.formula)
    if cost.waiting < LITTLE:
        saw, flips = f"{saw}{found.waits_said}", WAITS_END_WHEN
    gain = 0.8 if cost.waiting >= 2 else 0.6 if cost.waiting >= MUCH else 0.4
    size = figures.size(found.value)
    if not found.worth:
        effect = (
            "The pool has what memory and data allow: more memory, fewer reads per query or a "
            "drive with less latency are what is left."
        )
        return _watch(saw, now, effect, flips_when=flips, formula=cost.formula, gain=0.5 * gain)
    if not found.fits:
        effect = (
            f"A larger pool would help, but only {figures.size(found.available or 0.0)} are "
            f"available and {size} of pool would take {figures.size(found.added)} more: find out "
            "who holds the rest."
        )
        return _watch(saw, now, effect, flips_when=flips, formula=cost.formula, gain=0.5 * gain)
    if cost.waiting < MUCH:
        effect = f"Up to {size} would fit into memory; the reads cost little so far."
        much = figures.rate(cost.misses_at(MUCH), "requests")
        less = flips if cost.waiting < LITTLE else f"fewer than {little} miss it"
        flips = f"{much} or more miss the pool, or {less}"
        return _watch(saw, now, effect, flips_when=flips, formula=cost.formula, gain=0.2)
    return _raise(facts, found, _by_cost(facts, found, cost, saw=saw, gain=gain))


def _by_cost(facts: Facts, found: Growth, cost: ReadCost, *, saw: str, gain: float) -> Judged:
    """Give the part of the recommendation that rests on what a miss takes on this drive."""
    cached = _through_page_cache(facts)
    needed = figures.size(found.added + found.kept)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        effect=f"Up to {cost.waiting:.2f} queries at a time need not wait for a read. Published "
        "runs gain several-fold until the pool holds the working set, and nothing after that.",
        confidence=Confidence.LOW if found.available is None or cached else Confidence.MEDIUM,
        because="misses and read latency were measured; how many misses a larger pool saves is "
        "known only when it is there"
        + ("" if found.available is not None else "; how much memory is available was not told")
        + ("; the page cache may answer some of the misses" if cached else ""),
        flips_when=f"fewer than {figures.rate(cost.misses_at(MUCH), 'requests')} miss the pool,"
        f" or less than {needed} are available",
        gain=gain,
        formula=cost.formula,
    )


def _raise(facts: Facts, found: Growth, grounds: Judged) -> Judged:
    """Add to the grounds what every larger pool has in common."""
    now, version = facts.get(SIZE), facts.get(MYSQL_VERSION)
    left = found.usable - OVERHEAD * found.value
    made = change(version, now, str(found.value), dynamic=_online(facts, found.value))
    return replace(
        grounds,
        setting=SETTING,
        now=now.now,
        risk="Medium: memory that connections or other programs want later may be missing.",
        cost_of_error="too large: swapping, or the kernel ends the server; too small: reads",
        side_effects="The pool fills within minutes to hours; a clean shutdown writes more pages, "
        f"and {figures.size(left)} are left for all else. Until an online resize is completed, "
        "another one is dropped without a word.",
        verify=VERIFY,
        valid="while the window's load is typical",
        formula=f"{grounds.formula}; {_room(found)} = {figures.size(found.value)} in whole steps",
    ).by(made)


def _through_page_cache(facts: Facts) -> bool:
    """Whether the kernel may answer a miss from memory: data files are not opened with O_DIRECT."""
    buffering = facts.find(variable("innodb_data_file_buffering"))
    if buffering is not None:
        return buffering.on
    method = facts.find(variable("innodb_flush_method"))
    return method is not None and not method.text.upper().startswith(("O_DIRECT", "ALL_O_DIRECT"))


def _room(found: Growth) -> str:
    memory = f"{figures.size(found.usable)} - {figures.size(found.usable - found.most)} left free"
    if found.data is None:
        return memory
    return f"the smaller of {memory} and {ALL_DATA:g} x {figures.size(found.data)} of data"


def _online(facts: Facts, value: int) -> bool | None:
    """MariaDB grows its pool online only up to the limit that it was started with."""
    limit = facts.find(variable("innodb_buffer_pool_size_max"))
    return False if limit is not None and limit.number < value else None


def _lower(facts: Facts, now: Standing) -> Judged:
    usable = facts.get(MEMORY)
    value, taken = whole_steps(facts, most_for_pool(usable)), OVERHEAD * now.number
    said = _size_said(facts)
    if not value:
        effect = (
            "It is too large, but its chunks and instances leave no smaller size: lower "
            "innodb_buffer_pool_instances first."
        )
        formula = f"{figures.size(taken)} > {figures.percent(TOO_LARGE)} of the memory"
        flips = f"the machine has {figures.size(taken / TOO_LARGE)} of memory or more"
        return _watch(f"{said}.", now, effect, flips_when=flips, formula=formula, gain=0.5)
    version = facts.get(MYSQL_VERSION)
    return Judged(
        Verdict.RECOMMEND,
        f"{said}; with its descriptors it takes {figures.percent(taken / usable)}.",
        SETTING,
        now.now,
        effect="Connections, the page cache and the system get memory of their own, so that "
        "nothing is swapped and the kernel ends no process.",
        confidence=Confidence.HIGH,
        because="both sizes were told by the server and the machine",
        risk="Medium: pages are thrown out while the pool shrinks, so reads grow for a while.",
        cost_of_error="some more reads than necessary",
        side_effects="More requests miss the smaller pool. Until an online resize is completed, "
        "another one is dropped without a word.",
        verify=VERIFY,
        flips_when=f"the machine has {figures.size(taken / TOO_LARGE)} of memory or more",
        valid="where the server may use no more memory than was seen",
        gain=0.7,
        formula=f"{figures.size(now.number)} x {OVERHEAD} = {figures.size(taken)} > "
        f"{figures.percent(TOO_LARGE)} of {figures.size(usable)}",
    ).by(change(version, now, str(value)))


def _watch(
    saw: str, now: Standing, effect: str, *, flips_when: str, formula: str, gain: float
) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=effect,
        flips_when=flips_when,
        gain=gain,
        formula=formula,
        because="misses and read latency were measured",
        cost_of_error="none: nothing is changed",
        valid="while the window's load is typical",
    )


def _fine(saw: str, now: Standing, flips_when: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=formula,
        because="the server's own counters over the window",
        valid="while the window's load is typical",
    )
