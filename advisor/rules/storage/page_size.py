"""Page size against reads, flushed pages, and how dense they are.

## What it checks
Whether this drive would do clearly more of the server's reads and page writes with pages of 8 KiB
or 4 KiB.

## Why it matters
A drive at its throughput limit serves more small reads than large ones. One flash card gave 29,230
reads/s of 16 KiB and 42,786 of 8 KiB at 64 threads (1.46 times), but only 1.11 times at one thread;
InnoDB gained 20 % at 64 threads with 8 KiB pages. A page carries its neighbours along: where single
rows are asked for and changed, smaller ones leave room in the pool for more of them, and fewer
bytes are flushed. On weak writers small pages lose: a consumer SATA drive got slower with 4 KiB
once most data was cached.

## How it is judged
`faster = rate of small reads / rate of 16 KiB reads` at the server's concurrency (the reads that
the kernel counts in flight on the data's device, else by Little's law from its read rate; without a
server at the knee of the 16 KiB curve).

`gain = faster x (R + c x W) / (r x R + p x c x W)`, with R reads and W page writes per second, and
each page written c times (2 beside doublewrite); a small write is taken to cost of a large one what
a small read costs of a large read (our choice).
- `r`, reads that are left in a denser pool: from 1, where neighbours are asked for together, to
  those of a pool as many times as large, where each row lies alone (by the traced misses, else
  their usual shape); half way is expected (our choice). 1 where the size of the data is not known.
- `p`, how many times as many pages are flushed: from 1, where a flushed page has one change, to the
  number of small pages in one of now, each with a change. At most as many as the redo written for
  each flushed page allows, 100 bytes for a change (our choice). The middle (by ratio) is expected.
  Bytes that are flushed become p times the share that a small page has of a large one.

A smaller size counts when it adds 15 % to the next larger (our choice). Recommended only when all
hold: the server's reads are at half of the knee or more, the gain is 1.3 or more and even at its
low end no loss (our choices), O_DIRECT works and the server reads its pages with it, a redo append
syncs within 1 ms (the server's own syncs, else as measured), and reads of the data's device are of
1.5 pages at most on average. Not judged where the drive is busy half of the time or more, mostly
with pages that are flushed (our choices), and syncs within 1 ms: what smaller ones save there lies
between wide bounds. Else fine, with the figures. While a larger pool is advised it waits:
that changes what is read.

## How to check by hand
Measure random reads at 4, 8 and 16 KiB at the concurrency that `iostat` shows as `aqu-sz`.

## Risk and undo
High: the size is fixed when the data directory is made. It takes a dump, a new data directory and a
load; keep the old directory as the way back. With the wrong size the server refuses to start, and
the data is unharmed. Limits: index prefixes 1,536 bytes at 8 KiB and 768 at 4 KiB (MySQL); a row of
about half a page; ROW_FORMAT=COMPRESSED with a block size no larger than the page; 16 TiB per
tablespace at 4 KiB.

## When it is wrong
For large rows, scans and BLOBs. Without O_DIRECT the kernel reads 4 KiB blocks anyway.

## References
- M. Callaghan, "How many IOPs can InnoDB do?"
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- MySQL reference manual, "InnoDB Limits" and innodb_page_size
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_

from advisor.facts.measured.points import (
    CURVE_RANDOM_READ_4K,
    CURVE_RANDOM_READ_8K,
    CURVE_RANDOM_READ_16K,
    PROBE_DIRECT,
)
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.drive import WATCH_DATA_DEVICE, WATCH_FILE_SHARES
from advisor.facts.watched.sync_cost import REDO_SYNC_COST
from advisor.facts.watched.watch import WATCH_READS_IN_FLIGHT
from advisor.model.curves.knee import knee
from advisor.model.curves.operating_point import in_flight, rate_at
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Condition,
    Facts,
    Is,
    Knowledge,
    Range,
    Relief,
    Unjudged,
    Wait,
    rule,
)
from advisor.steps import Needs, SetVariable
from advisor.variables.standing import Standing
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from advisor.workload.pool.smaller_pages import (
    USES,
    PageTraffic,
    SmallerPages,
    page_traffic,
    smaller_pages,
)
from advisor.workload.sync_cost import sync_us
from probes.figures import duration_us, listed, percent, rate, size, throughput, times
from probes.points import PAGE_BYTES
from probes.watch.words import FileRole

SETTING = "innodb_page_size"
SAME = SmallerPages(Range.exact(1.0), Range.exact(1.0), Range.exact(1.0), "")
"""What the pages of now do."""

STEP, GAIN = 1.15, 1.3
BUSY, MOSTLY = 0.5, 0.5
"""A drive that is busy for this share of the time, mostly with flushed pages (our choices)."""
SYNC_US = 1000
PAGES = 1.5
"""Mean reads of more pages than this are scans and read-ahead, or the page cache's (our choice)."""

FLUSHED = (FileRole.DATA, FileRole.DOUBLEWRITE, FileRole.SYSTEM, FileRole.UNDO)
SMALLER = {8192: CURVE_RANDOM_READ_8K, 4096: CURVE_RANDOM_READ_4K}


@rule(
    topic="Page size",
    needs=(CURVE_RANDOM_READ_16K,),
    uses=(
        CURVE_RANDOM_READ_4K,
        CURVE_RANDOM_READ_8K,
        variable(SETTING),
        status("Innodb_data_reads"),
        PROBE_DIRECT,
        METHOD,
        SWITCH,
        REDO_SYNC_COST,
        WATCH_DATA_DEVICE,
        WATCH_FILE_SHARES,
        WATCH_READS_IN_FLIGHT,
        *USES,
    ),
    settings=(SETTING,),
    findings=("F02", "F09", "F19", "F36", "F83", "F84", "F85", "B12"),
    waits_for=("buffer-pool.size",),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Compare the sizes where the server works, and ask for every condition before advising."""
    now = facts.find(variable(SETTING))
    if now is not None and now.number != PAGE_BYTES:
        return Unjudged(
            f"The server already uses pages of {size(now.number)}; another size would not be a "
            "tuning step."
        )
    reads = facts.find(status("Innodb_data_reads"))
    if now is None and reads is not None:
        return Unjudged("This server has no page size to choose.")
    large = facts.get(CURVE_RANDOM_READ_16K)
    curves = {small: curve for small, fact in SMALLER.items() if (curve := facts.find(fact))}
    if not curves:
        return Unjudged("Reads smaller than 16 KiB were not measured, or can't be trusted.")
    threads = knee(large).threads
    seen = facts.find(WATCH_READS_IN_FLIGHT)
    flight = None if reads is None else in_flight(large, reads) if seen is None else seen.value
    at = max(1.0, float(threads) if flight is None else flight)
    base = rate_at(large, at)
    rates = {small: rate_at(curve, at) for small, curve in sorted(curves.items())}
    traffic = page_traffic(facts, reads or 0.0)
    sizes = {
        small: smaller_pages(facts, traffic, got / base, PAGE_BYTES // small)
        for small, got in rates.items()
    }
    page, best = _worthwhile(sizes)
    gain = best.gain.value
    needed = _needed(facts, best, flight, threads)
    decides = reduce(and_, (condition for condition, _ in needed))
    where = "the knee" if flight is None else "the server's concurrency"
    others = [f"{times(got / base)} as many of {size(small)}" for small, got in rates.items()]
    card = facts.card(
        f"At {at:.0f} in flight ({where}) this drive gives {rate(base, 'reads')} of "
        f"{size(PAGE_BYTES)}, {listed(others)}.{_watched(facts)}{traffic.density_text}",
        decides,
        relieves=(Relief.up_to(Wait.PAGE_READS, 1 - 1 / gain),),
        setting=SETTING,
        now=now.now if now else "",
        formula="; ".join(
            f"{size(small)}: {rate(got)} / {rate(base)} = {times(got / base)}{sizes[small].formula}"
            for small, got in rates.items()
        ),
        valid="Reads of rows much smaller than a page, at random, while the drive is the limit.",
    )
    if not decides and (flushing := _flushing(facts, sizes)):
        return Unjudged(flushing)
    if not decides:
        why = next(why for condition, why in needed if not condition)
        return card.fine(f"Keep 16 KiB: {why}.")
    return card.recommend(
        _new_directory(now, page),
        now=str(PAGE_BYTES),
        effect=f"Up to {times(gain)} today's work while the drive is the limit; an upper bound, "
        f"published gains in InnoDB are about half of it.{_traffic_then(traffic, best, page)}",
        confidence=Confidence.LOW,
        because="The drive's reads were measured; the server with smaller pages was not.",
        risk="High: dump and load into a new data directory; index prefixes, row sizes and "
        "compression have lower limits.",
        cost_of_error="A dump and a load, and on a drive with slow syncs a slower server: it "
        "writes more of the smaller pages.",
        side_effects="All tablespaces of the server get the size; older backups of files can't be "
        "used with it.",
        verify=f"SELECT @@{SETTING};",
    )


def _flushing(facts: Facts, sizes: Mapping[int, SmallerPages]) -> str:
    """Say what is not known where flushed pages, and not reads, keep the drive busy; "" elsewhere.

    On a drive that syncs slowly smaller pages lose, whatever is saved.
    """
    device, shares, takes_us = (
        facts.find(WATCH_DATA_DEVICE),
        facts.find(WATCH_FILE_SHARES),
        sync_us(facts),
    )
    direct = facts.find(PROBE_DIRECT) is True and not pages_buffered(facts)
    if device is None or shares is None or not direct or (takes_us or SYNC_US) >= SYNC_US:
        return ""
    written = sum(shares.bytes_per_s.get(role, 0.0) for role in FLUSHED)
    if device.busy.value < BUSY or written < MOSTLY * (written + (device.reads.bytes_per_s or 0.0)):
        return ""
    page = min(sizes)
    then = sizes[page].pages.times(page / PAGE_BYTES)
    if then.low >= 1:
        return ""
    return (
        f"Reads do not queue, but {device.name} is busy {percent(device.busy.value)} of the time, "
        f"mostly with {throughput(written)} of pages that are flushed. Of {size(page)} they would "
        f"be {then.text(percent)} of the bytes: which of it, only a server with such pages shows."
    )


def _worthwhile(sizes: Mapping[int, SmallerPages]) -> tuple[int, SmallerPages]:
    """The smallest size that adds enough to the next larger one, and what it does."""
    best, found = PAGE_BYTES, SAME
    for smaller in sorted(sizes, reverse=True):
        if sizes[smaller].gain.value >= found.gain.value * STEP:
            best, found = smaller, sizes[smaller]
    return best, found


def _traffic_then(traffic: PageTraffic, then: SmallerPages, page: int) -> str:
    """What becomes of reads and of what is flushed, with a space before it."""
    text = " More small rows stay cached"
    if then.reads.value < 1:
        text += f": {then.reads.text(percent)} of the reads are left"
    if not traffic.written_per_s:
        return f"{text}."
    flushed = then.pages.times(page / PAGE_BYTES)
    return (
        f"{text}; {then.pages.text(times)} as many pages are flushed, of {flushed.text(percent)} "
        "of the bytes."
    )


def _needed(
    facts: Facts, best: SmallerPages, flight: float | None, knee_threads: int
) -> tuple[tuple[Condition, str], ...]:
    """The conditions that all have to hold, each with what is so where it does not."""
    half, takes_us, mean = knee_threads / 2, sync_us(facts), _mean_read(facts)
    queued = f"{half:g} or more reads are in flight"
    return (
        (
            At("gain of smaller pages", best.gain.value, least=GAIN, say=times),
            "smaller pages gain too little to justify a new data directory",
        ),
        (
            At("its low end", best.gain.low, the=False, least=1.0, say=times),
            "more of the smaller pages may have to be flushed than the drive does more of",
        ),
        (
            Is(False, queued)
            if flight is None
            else At("number of reads in flight", flight, least=half, say="{:.1f}".format),
            "no server's reads are known to queue in this drive",
        ),
        (
            Is(facts.find(PROBE_DIRECT) is True, "O_DIRECT works", "O_DIRECT does not work"),
            "small pages pay only with O_DIRECT, which does not work on this file system",
        ),
        (
            Is(not pages_buffered(facts), "pages are read with O_DIRECT"),
            "the server reads its pages through the page cache; change that first",
        ),
        (
            Is(False, f"a redo append syncs within {duration_us(SYNC_US)}")
            if takes_us is None
            else At("sync of a redo append", takes_us, most=SYNC_US, say=duration_us),
            "small pages mean more page writes, and this drive is not known to sync them fast",
        ),
        (
            Is(is_so=True, yes="")
            if mean is None
            else At("mean size of a read", mean, most=PAGES * PAGE_BYTES, say=size),
            "the server's reads are of several pages, as of scans, which smaller pages don't help",
        ),
    )


def _mean_read(facts: Facts) -> float | None:
    """How large a read of the data's device is under the server's load; None where not watched."""
    device = facts.find(WATCH_DATA_DEVICE)
    if device is None or not device.reads.per_s.value or not device.reads.bytes_per_s:
        return None
    return device.reads.bytes_per_s / device.reads.per_s.value


def _watched(facts: Facts) -> str:
    """Say how large reads are and how much is flushed; "" where neither was watched."""
    mean, shares = _mean_read(facts), facts.find(WATCH_FILE_SHARES)
    parts = [] if mean is None else [f"a read is {size(mean)} on average"]
    if shares is not None:
        flushed = sum(shares.bytes_per_s.get(role, 0.0) for role in FLUSHED)
        parts.append(f"{throughput(flushed)} of pages are flushed")
    return f" Under the server's load {listed(parts)}." if parts else ""


def _new_directory(now: Standing | None, page: int) -> Change:
    standing = now or Standing(SETTING, str(PAGE_BYTES), default=True)
    return Change(str(page), Needs.REINIT, (SetVariable(standing, str(page), Needs.REINIT),))
