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
- `waiting` below 0.25: fine. From 0.5 on a larger pool is recommended: the smallest of `most` and
  1.1 times all InnoDB files, if that is at least 1.2 times the present size and the memory for it
  is available now. Between the two, where memory lacks, or where queries wait for free pages
  although their reads cost little: watch.
- The value is rounded down to what the server keeps: MySQL from 5.7.5 rounds up to
  chunk x instances.

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

from dataclasses import dataclass

from advisor import wording
from advisor.model.operating_point import rate_at
from advisor.outcomes import Confidence, Verdict
from advisor.rules import pool_room, read_cost
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.free_pages import HARDLY_PER_S, WAITS, WAITS_END_WHEN, waited
from advisor.rules.pool_room import OVERHEAD, most_for_pool, whole_steps
from advisor.rules.read_cost import NOTHING, ReadCost
from advisor.rules.rule import Answer, Judged, Unjudged, rule
from advisor.rules.warming import FREE, LOADING, TOTAL, under_way, unused_share
from advisor.variables.standing import Standing
from probes.points import Curve
from probes.version import ServerVersion

SETTING = "innodb_buffer_pool_size"
TOO_LARGE, UNUSED = 0.95, 0.05
LITTLE, MUCH = 0.25, 0.5
WORTH = 1.2
VERIFY = (
    "SELECT @@GLOBAL.innodb_buffer_pool_size;\n"
    "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status';"
)
KEPT, MOST_KEPT = 0.05, 16 << 30
"""The part of the memory that stays available after the pool has grown, and how much is enough."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """The pool as it stands, and the most that it may have (bytes)."""

    version: ServerVersion
    now: Standing
    usable: float
    most: float

    @property
    def kept(self) -> float:
        """Memory that stays available after the pool has grown."""
        return min(KEPT * self.usable, MOST_KEPT)

    @property
    def said(self) -> str:
        return (
            f"The buffer pool has {wording.size(self.now.number)} of "
            f"{wording.size(self.usable)} of memory"
        )


@rule(
    topic="Buffer pool",
    needs=("mysql.version", "mysql.variable.innodb_buffer_pool_size", "host.memory_usable"),
    uses=(
        *read_cost.USES,
        *pool_room.USES,
        FREE,
        TOTAL,
        "mysql.variable.innodb_lru_scan_depth",
        "mysql.variable.innodb_buffer_pool_size_max",
        "mysql.variable.innodb_flush_method",
        "mysql.variable.innodb_data_file_buffering",
        "host.memory_available",
        "pool.data",
        LOADING,
        WAITS,
    ),
    settings=(SETTING,),
    findings=("F35", "F70", "F79", "F80", "B08", "B10"),
)
def check(facts: Facts) -> Answer:
    """Ask for memory first, then for what the misses cost."""
    now = facts.get("mysql.variable.innodb_buffer_pool_size", Standing)
    if now.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    usable = facts.get("host.memory_usable", float)
    version = facts.get("mysql.version", ServerVersion)
    pool = _Pool(version, now, usable, most_for_pool(usable))
    if now.number * OVERHEAD > TOO_LARGE * usable and now.number > pool.most:
        return _lower(facts, pool)
    missed = facts.find("mysql.status.Innodb_buffer_pool_reads", float)
    if missed is None:
        return Unjudged(f"{pool.said}. How many requests miss it was not seen.")
    if missed < NOTHING:
        saw = f"{pool.said}, and hardly a request missed it within the window."
        return _fine(saw, now, _little_flips_when(facts), "0 misses to save")
    return _missed(facts, pool, missed)


def _little_flips_when(facts: Facts) -> str:
    curve = facts.find("curve.random_read.page", Curve)
    little = NOTHING if curve is None else max(NOTHING, rate_at(curve, LITTLE))
    return f"{wording.rate(little, 'requests')} or more miss the pool"


def _missed(facts: Facts, pool: _Pool, missed: float) -> Answer:
    if under_way(facts):
        return Unjudged(f"{pool.said} and is being loaded, so its misses are those of a start.")
    free = unused_share(facts)
    if free > UNUSED:
        saw = (
            f"{pool.said}; {wording.rate(missed, 'requests')} miss it, but "
            f"{wording.percent(free)} of its pages were never used."
        )
        flips = f"less than {wording.percent(UNUSED)} were never used and requests still miss"
        return _fine(
            saw, pool.now, flips, f"{wording.percent(free)} unused > {wording.percent(UNUSED)}"
        )
    cost = read_cost.read_cost(facts)
    if cost is None:
        return Unjudged(
            f"{pool.said}, and {wording.rate(missed, 'requests')} miss it. What such a read takes "
            "was not measured on its drive, or is more than the drive gives: then a page cache "
            "answers too."
        )
    return _priced(facts, pool, cost)


def _priced(facts: Facts, pool: _Pool, cost: ReadCost) -> Judged:
    saw = (
        f"{pool.said}; {wording.rate(cost.missed_per_s, 'requests')} miss it and take "
        f"{wording.duration_us(cost.latency_us)} each on this drive, so {cost.waiting:.2f} queries "
        "wait for a read at any moment."
    )
    little = wording.rate(cost.misses_at(LITTLE), "requests")
    flips = f"fewer than {little} miss the pool"
    waits = facts.find(WAITS, float) or 0.0
    if cost.waiting < LITTLE and waits < HARDLY_PER_S:
        return _fine(saw, pool.now, f"{little} or more miss the pool", cost.formula)
    if cost.waiting < LITTLE:
        saw, flips = f"{saw} {waited(waits)}", WAITS_END_WHEN
    data = facts.find("pool.data", float)
    wanted = pool.most if data is None else min(pool.most, 1.1 * data)
    value = whole_steps(facts, wanted)
    gain = 0.8 if cost.waiting >= 2 else 0.6 if cost.waiting >= MUCH else 0.4
    if value < WORTH * pool.now.number:
        effect = (
            "The pool has what memory and data allow: more memory, fewer reads per query or a "
            "drive with less latency are what is left."
        )
        return _watch(saw, pool, effect, flips_when=flips, formula=cost.formula, gain=0.5 * gain)
    growth = OVERHEAD * (value - pool.now.number)
    available = facts.find("host.memory_available", float)
    if available is not None and growth > available - pool.kept:
        effect = (
            f"A larger pool would help, but only {wording.size(available)} are available and "
            f"{wording.size(value)} of pool would take {wording.size(growth)} more: find out who "
            "holds the rest."
        )
        return _watch(saw, pool, effect, flips_when=flips, formula=cost.formula, gain=0.5 * gain)
    if cost.waiting < MUCH:
        effect = f"Up to {wording.size(value)} would fit into memory; the reads cost little so far."
        much = wording.rate(cost.misses_at(MUCH), "requests")
        less = flips if cost.waiting < LITTLE else f"fewer than {little} miss it"
        flips = f"{much} or more miss the pool, or {less}"
        return _watch(saw, pool, effect, flips_when=flips, formula=cost.formula, gain=0.2)
    return _raise(facts, pool, cost, saw=saw, value=value, gain=gain)


def _raise(
    facts: Facts, pool: _Pool, cost: ReadCost, *, saw: str, value: int, gain: float
) -> Judged:
    available = facts.find("host.memory_available", float)
    left = pool.usable - OVERHEAD * value
    needed = OVERHEAD * (value - pool.now.number) + pool.kept
    cached = _through_page_cache(facts)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        pool.now.now,
        effect=f"Up to {cost.waiting:.2f} queries at a time need not wait for a read. Published "
        "runs gain several-fold until the pool holds the working set, and nothing after that.",
        confidence=Confidence.LOW if available is None or cached else Confidence.MEDIUM,
        because="misses and read latency were measured; how many misses a larger pool saves is "
        "known only when it is there"
        + ("" if available is not None else "; how much memory is available was not told")
        + ("; the page cache may answer some of the misses" if cached else ""),
        risk="Medium: memory that connections or other programs want later may be missing.",
        cost_of_error="too large: swapping, or the kernel ends the server; too small: reads",
        side_effects="The pool fills within minutes to hours; a clean shutdown writes more pages, "
        f"and {wording.size(left)} are left for all else. Until an online resize is completed, "
        "another one is dropped without a word.",
        verify=VERIFY,
        flips_when=f"fewer than {wording.rate(cost.misses_at(MUCH), 'requests')} miss the pool,"
        f" or less than {wording.size(needed)} are available",
        valid="while the window's load is typical and data files bypass the page cache",
        gain=gain,
        formula=f"{cost.formula}; {_room(facts, pool)} = {wording.size(value)} in whole steps",
    ).by(change(pool.version, pool.now, str(value), dynamic=_online(facts, value)))


def _through_page_cache(facts: Facts) -> bool:
    """Whether the kernel may answer a miss from memory: data files are not opened with O_DIRECT."""
    buffering = facts.find("mysql.variable.innodb_data_file_buffering", Standing)
    if buffering is not None:
        return buffering.on
    method = facts.find("mysql.variable.innodb_flush_method", Standing)
    return method is not None and not method.text.upper().startswith(("O_DIRECT", "ALL_O_DIRECT"))


def _room(facts: Facts, pool: _Pool) -> str:
    data = facts.find("pool.data", float)
    memory = f"{wording.size(pool.usable)} - {wording.size(pool.usable - pool.most)} left free"
    if data is None:
        return memory
    return f"the smaller of {memory} and 1.1 x {wording.size(data)} of data"


def _online(facts: Facts, value: int) -> bool | None:
    """MariaDB grows its pool online only up to the limit that it was started with."""
    limit = facts.find("mysql.variable.innodb_buffer_pool_size_max", Standing)
    return False if limit is not None and limit.number < value else None


def _lower(facts: Facts, pool: _Pool) -> Judged:
    value = whole_steps(facts, pool.most)
    taken = OVERHEAD * pool.now.number
    if not value:
        effect = (
            "It is too large, but its chunks and instances leave no smaller size: lower "
            "innodb_buffer_pool_instances first."
        )
        formula = f"{wording.size(taken)} > {wording.percent(TOO_LARGE)} of the memory"
        flips = f"the machine has {wording.size(taken / TOO_LARGE)} of memory or more"
        return _watch(f"{pool.said}.", pool, effect, flips_when=flips, formula=formula, gain=0.5)
    return Judged(
        Verdict.RECOMMEND,
        f"{pool.said}; with its descriptors it takes {wording.percent(taken / pool.usable)}.",
        SETTING,
        pool.now.now,
        effect="Connections, the page cache and the system get memory of their own, so that "
        "nothing is swapped and the kernel ends no process.",
        confidence=Confidence.HIGH,
        because="both sizes were told by the server and the machine",
        risk="Medium: pages are thrown out while the pool shrinks, so reads grow for a while.",
        cost_of_error="some more reads than necessary",
        side_effects="More requests miss the smaller pool. Until an online resize is completed, "
        "another one is dropped without a word.",
        verify=VERIFY,
        flips_when=f"the machine has {wording.size(taken / TOO_LARGE)} of memory or more",
        valid="where the server may use no more memory than was seen",
        gain=0.7,
        formula=f"{wording.size(pool.now.number)} x {OVERHEAD} = {wording.size(taken)} > "
        f"{wording.percent(TOO_LARGE)} of {wording.size(pool.usable)}",
    ).by(change(pool.version, pool.now, str(value)))


def _watch(
    saw: str, pool: _Pool, effect: str, *, flips_when: str, formula: str, gain: float
) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        pool.now.now,
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
