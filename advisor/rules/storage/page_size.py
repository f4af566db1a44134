"""Page size against what small and large reads cost.

## What it checks
Whether 8 KiB or 4 KiB pages would let this drive serve clearly more reads at the server's
concurrency.

## Why it matters
A drive that is limited by its MB/s serves more small reads than large ones. One flash card gave
29,230 reads/s of 16 KiB and 42,786 of 8 KiB at 64 threads (1.46 times), but only 1.11 times at
one thread; InnoDB gained 20 % at 64 threads with 8 KiB pages. On weak writers small pages lose: a
consumer SATA drive got slower with 4 KiB once most data was cached.

## How it is judged
`gain = rate of small reads / rate of 16 KiB reads` at the server's concurrency (by Little's law
from its read rate; without a server at the knee of the 16 KiB curve). A smaller size counts when
it adds 15 % to the next larger. Recommended only when all hold: the server's reads are at half of
the knee or more, the gain is 1.3 or more, O_DIRECT works here and the server reads its pages with
it, and a redo append syncs within 1 ms.
Else fine, with the figures.

## How to check by hand
Measure random reads at 4, 8 and 16 KiB at the concurrency that `iostat` shows as `aqu-sz`.

## Risk and undo
High: the size is fixed when the data directory is made. It takes a dump, a new data directory and
a load; the old directory stays the way back. A restart with the wrong size is refused and harms
nothing. Limits: index prefixes 1,536 bytes at 8 KiB and 768 at 4 KiB (MySQL); a row of about half
a page; ROW_FORMAT=COMPRESSED with a block size no larger than the page; 16 TiB per tablespace at
4 KiB.

## When it is wrong
For large rows, scans and BLOBs. Without O_DIRECT the kernel reads 4 KiB blocks anyway.

## References
- M. Callaghan, "How many IOPs can InnoDB do?"
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- MySQL reference manual, "InnoDB Limits" and innodb_page_size
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_READ_4K,
    CURVE_RANDOM_READ_8K,
    CURVE_RANDOM_READ_16K,
    PROBE_DIRECT,
    REDO_FDATASYNC,
    status,
    variable,
)
from advisor.model.knee import knee
from advisor.model.operating_point import in_flight, rate_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.steps import Needs, SetVariable
from advisor.variables.standing import Standing
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from probes import figures
from probes.points import Curve

VALID = "Reads of rows much smaller than a page, at random, while the drive is the limit."
SETTING = "innodb_page_size"
PAGE = 16384
STEP, GAIN = 1.15, 1.3
SYNC_US = 1000


@rule(
    topic="Page size",
    needs=(CURVE_RANDOM_READ_16K,),
    uses=(
        CURVE_RANDOM_READ_4K,
        CURVE_RANDOM_READ_8K,
        variable("innodb_page_size"),
        status("Innodb_data_reads"),
        PROBE_DIRECT,
        METHOD,
        SWITCH,
        REDO_FDATASYNC,
    ),
    settings=(SETTING,),
    findings=("F02", "F09", "F19", "F36", "F83", "F84", "F85", "B12"),
)
def check(facts: Facts) -> Answer:
    """Compare the sizes where the server works, and ask for every condition before advising."""
    now = facts.find(variable("innodb_page_size"))
    if now is not None and now.number != PAGE:
        return Unjudged(
            f"The server has pages of {figures.size(now.number)} already, and going back to "
            "another size is no tuning step."
        )
    reads = facts.find(status("Innodb_data_reads"))
    if now is None and reads is not None:
        return Unjudged("This server does not tell a page size that could be chosen.")
    large = facts.get(CURVE_RANDOM_READ_16K)
    smaller = {
        size: curve
        for size, fact in ((8192, CURVE_RANDOM_READ_8K), (4096, CURVE_RANDOM_READ_4K))
        if (curve := facts.find(fact)) is not None
    }
    if not smaller:
        return Unjudged("Reads smaller than 16 KiB were not measured, or can't be trusted.")
    bend = knee(large)
    flight = None if reads is None else in_flight(large, reads)
    at = max(1.0, flight if flight is not None else float(bend.threads))
    gains = {size: rate_at(curve, at) / rate_at(large, at) for size, curve in smaller.items()}
    size, gain = _worthwhile(gains)
    saw = _saw(large, gains, at, of_server=flight is not None)
    formula = _formula(large, smaller, at)
    busy = flight is not None and flight >= bend.threads / 2
    missing = _missing_condition(facts, busy=busy, gain=gain)
    if missing:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now if now else "",
            effect=f"Keep 16 KiB: {missing}.",
            formula=formula,
            valid=VALID,
            confidence=Confidence.MEDIUM,
            because="the drive's reads were measured at both sizes",
            flips_when=f"reads queue in the drive ({bend.threads / 2:g} or more in flight), "
            f"smaller ones come {figures.times(GAIN)} as fast, pages are read with O_DIRECT, and "
            f"a redo append syncs within {figures.duration_us(SYNC_US)}",
        )
    return replace(_recommend(saw, size, gain, now), formula=formula, valid=VALID)


def _worthwhile(gains: dict[int, float]) -> tuple[int, float]:
    size, gain = PAGE, 1.0
    for smaller in sorted(gains, reverse=True):
        if gains[smaller] >= gain * STEP:
            size, gain = smaller, gains[smaller]
    return size, gain


def _missing_condition(facts: Facts, *, busy: bool, gain: float) -> str:
    """Name the first condition that does not hold, "" when all do."""
    direct = facts.find(PROBE_DIRECT)
    sync = facts.find(REDO_FDATASYNC)
    if gain < GAIN:
        return "smaller reads gain too little to pay for a new data directory"
    if not busy:
        return "no server's reads were seen to queue in this drive"
    if direct is not True:
        return "small pages pay only with O_DIRECT, which does not work here"
    if pages_buffered(facts):
        return "the server reads its pages through the page cache, which is to be changed first"
    if sync is None or sync.latency.p50_us > SYNC_US:
        return "small pages mean more page writes, and this drive is not known to sync them fast"
    return ""


def _formula(large: Curve, smaller: dict[int, Curve], at: float) -> str:
    base = rate_at(large, at)
    return "; ".join(
        f"{figures.size(size)}: {figures.rate(rate_at(curve, at))} / {figures.rate(base)} = "
        f"{rate_at(curve, at) / base:.2f}, against {GAIN:.2f}"
        for size, curve in sorted(smaller.items())
    )


def _recommend(saw: str, size: int, gain: float, now: Standing | None) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        str(PAGE),
        proposed=str(size),
        effect=f"Up to {figures.times(gain)} the reads while the drive is the limit; an upper "
        "bound, published gains in InnoDB are about half of it. More small rows stay cached.",
        confidence=Confidence.LOW,
        because="the drive's reads were measured; what the server makes of them was not",
        cost_of_error="A dump and a load, and on a drive with slow syncs a slower server: smaller "
        "pages are written in larger numbers.",
        side_effects="Every tablespace of the server gets the size; backups of files made before "
        "can't be used with it.",
        verify=f"SELECT @@{SETTING};",
        steps=(
            SetVariable(now or Standing(SETTING, str(PAGE), default=True), str(size), Needs.REINIT),
        ),
        risk="High: dump and load into a new data directory; index prefixes, row sizes and "
        "compression have lower limits.",
        needs=Needs.REINIT,
        flips_when=f"smaller reads come less than {figures.times(GAIN)} as fast, or reads keep "
        "fewer in flight than half of the knee",
        gain=min(0.5, (gain - 1) / 2),
    )


def _saw(large: Curve, gains: dict[int, float], at: float, *, of_server: bool) -> str:
    where = "the server's concurrency" if of_server else "the knee"
    parts = [
        f"{figures.size(size)} reads {figures.times(gain)}" for size, gain in sorted(gains.items())
    ]
    return (
        f"At {at:.0f} in flight ({where}) this drive gives "
        f"{figures.rate(rate_at(large, at), 'reads')} of 16{figures.THIN}KiB; "
        f"{' and '.join(parts)} of that."
    )
