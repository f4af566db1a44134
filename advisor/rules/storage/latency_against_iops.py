"""Latency against IOPS: the server's place on the drive's curve.

## What it checks
How many reads the server keeps in flight, and whether more IOPS, more drives or a
lower latency would help it.

## Why it matters
IOPS ratings are reached with many requests at a time. A server that keeps two reads in flight gets
the rate at two, whatever the drive gives at 64: a drive with twice the IOPS and four times the
latency is slower for it. One flash card gave 6,069 reads/s to one thread and 29,645 to many, and
beyond 32 threads only the latency grew.

## How it is judged
- Knee: the smallest measured concurrency with 90 % of the peak rate.
- In flight: what the kernel counts on the data's device while the server works, else the server's
  own reads per second times what each takes. Where nobody looked, by Little's law: the concurrency
  at which the measured curve has the server's read rate (`Innodb_data_reads` per second over the
  window).
- Four or more queries at work with less than a tenth of a read in flight for each: not judged, for
  they wait for something else.
- Requests reach nine tenths of a provisioned limit (our choice): fine here, for that limit is
  judged by the rules on cloud volumes.
- Below half of the knee: more IOPS don't help, a lower latency does (fine). Half of the knee or
  more: watch, little is left. At the knee or above: watch, the drive is the limit.
- A curve that still grows at its end has no knee yet: its last point serves as one, with less
  certainty.
- Without a server the curve alone is described.

## How to check by hand
`iostat -x 1`: `aqu-sz` is the number in flight, `r_await` the latency.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window was quiet; when the page cache or a controller cache answers reads, and the measured
file did not fit into it; when the server's volume has a burst credit.

## References
- M. Callaghan, "How many IOPs can InnoDB do?"
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- J. D. C. Little, "A Proof for the Queuing Formula L = λW" (1961)
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.status import status
from advisor.facts.watched.volumes import VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS
from advisor.facts.watched.watch import WATCH_PAGE_READ, WATCH_READS_IN_FLIGHT, WATCH_RUNNING
from advisor.model.curves.knee import Knee, knee
from advisor.model.curves.operating_point import in_flight, rate_at
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Knowledge, Range, Unjudged, rule
from advisor.workload.volume_use import USES, limit_reached
from probes.figures import duration_us, percent, rate, size
from probes.points import Curve

MANY = 4.0
"""Queries at work, from which on hardly a read in flight means that they wait elsewhere."""

HARDLY = 0.1
"""Reads in flight for each query at work, below which queries wait for something else."""

LATENCY_HELPS = (
    "More IOPS or a second drive would not help; half the latency would halve the time of every "
    "read that misses the buffer pool."
)


@rule(
    topic="Latency against IOPS",
    do="Reduce reads before you add connections",
    needs=(CURVE_RANDOM_READ_PAGE,),
    uses=(
        status("Innodb_data_reads"),
        WATCH_READS_IN_FLIGHT,
        WATCH_PAGE_READ,
        WATCH_RUNNING,
        LOAD_RUNNING,
        VOLUME_REQUEST_LIMITS,
        VOLUME_THROUGHPUT_LIMITS,
        *USES,
    ),
    findings=("F01", "F03", "F06", "F15", "F18", "F25", "F33", "F34", "F109", "F111"),
    symptom_of=(
        "buffer-pool.size",
        "cloud.request-limit",
        "cloud.throughput-limit",
        "cloud.machine-cap",
    ),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Place the server on the curve and say what more IOPS would bring."""
    curve = facts.get(CURVE_RANDOM_READ_PAGE)
    bend = knee(curve)
    reads = facts.find(status("Innodb_data_reads"))
    drive = _drive(curve, bend)
    counted = ", the server's reads were counted over the window" if reads is not None else ""
    card = facts.card(
        drive,
        formula=f"knee: {bend.threads} threads, 90 % of {rate(bend.peak.rate_per_s)}",
        confidence=Confidence.MEDIUM if bend.reached else Confidence.LOW,
        because=f"The drive's curve was measured{counted}"
        f"{'' if bend.reached else '; it still grew at its end'}.",
        valid="Reads past the page cache, at the hour of the status window and up to "
        f"{curve.points[-1].setting.threads} in flight.",
    )
    if reads is None:
        return card.fine(
            f"With fewer than {bend.threads} reads in flight more IOPS don't help; a lower latency "
            "does.",
            flips_when=f"a server keeps {bend.threads} or more reads in flight",
        )
    seen = _reads_in_flight(facts)
    flight = in_flight(curve, reads) if seen is None else seen.value
    waits_elsewhere = _waits_elsewhere(facts, flight)
    if waits_elsewhere:
        return Unjudged(waits_elsewhere)
    if seen is not None:
        card = card.but(
            saw=_saw(drive, reads, seen.value),
            because="The drive's curve was measured, and its reads in flight were counted.",
        )
        half, whole = _against(seen, bend)
        return _held_back(facts, card) or _watched(card, half, whole)
    if flight is None:
        return card.watch(
            "A cache answers a part of its reads, or the drive was busy during the measurement.",
            saw=f"{drive} The server reads {rate(reads)}, more than was measured.",
            flips_when=f"the server reads {rate(bend.peak.rate_per_s)} or less",
        )
    card = card.but(saw=_saw(drive, reads, flight))
    return _held_back(facts, card) or _placed(card, curve, bend, reads, flight)


def _reads_in_flight(facts: Facts) -> Range | None:
    """Give what the kernel counted, else what the server's own reads kept; None where unknown."""
    seen, timed = facts.find(WATCH_READS_IN_FLIGHT), facts.find(WATCH_PAGE_READ)
    if seen is not None or timed is None:
        return seen
    return timed.latency_us.times(timed.per_s.value / 1e6)


def _waits_elsewhere(facts: Facts, flight: float | None) -> str:
    """Say that many queries are at work with hardly a read in flight; "" where it is not so."""
    watched, counted = facts.find(WATCH_RUNNING), facts.find(LOAD_RUNNING)
    running = counted if watched is None else watched.value
    if flight is None or running is None or running < MANY or flight >= HARDLY * running:
        return ""
    return (
        f"On average {_tenths(running)} queries are at work and {_tenths(flight)} reads in flight: "
        "they wait for something else, so the curve of reads can't say what more IOPS would bring."
    )


def _held_back(facts: Facts, card: Card) -> Answer | None:
    """Judge a server whose volume is at a limit that was set; None where that is not so."""
    full = limit_reached(facts)
    if full is None:
        return None
    more = "throughput" if full.in_bytes else "requests"
    return card.fine(
        f"Reads and writes together reach {percent(full.share.value)} of the limit of "
        f"{full.text}: more provisioned {more} would help, a faster drive would not. The rules on "
        "cloud volumes judge that limit.",
        condition=full.share,
    )


def _saw(drive: str, reads: float, flight: float) -> str:
    return f"{drive} The server reads {rate(reads)}, which keeps {flight:.1f} in flight on average."


def _against(flight: float | Range, bend: Knee) -> tuple[At, At]:
    """Ask whether half of the knee is in flight, and all of it."""
    name = "number of reads in flight"
    half = At(name, flight, least=bend.threads / 2, say=_tenths)
    return half, At(name, flight, least=bend.threads, say=_tenths)


def _watched(card: Card, half: At, whole: At) -> Answer:
    """Judge by what was in flight beside the server's own writes and syncs."""
    if not half:
        return card.fine(LATENCY_HELPS, condition=half)
    return card.but(condition=whole).watch(
        "The drive is the limit of reads beside the server's own writes: a larger buffer pool, a "
        "smaller page or more IOPS would help, more connections would not."
        if whole
        else "Little is left: with more connections reads queue in the drive.",
        cost_of_error="Money for a faster drive, after a busy hour that was not typical.",
        verify="iostat -x 1: aqu-sz and r_await of the data's drive",
    )


def _placed(card: Card, curve: Curve, bend: Knee, reads: float, flight: float) -> Answer:
    half_rate = rate_at(curve, bend.threads / 2)
    half, whole = _against(flight, bend)
    if not half:
        return card.fine(
            LATENCY_HELPS,
            condition=half,
            flips_when=f"{half.turn} ({rate(half_rate, 'reads')} on this drive)",
        )
    card = card.but(condition=whole)
    if not whole:
        left = percent(bend.rate_per_s / reads - 1)
        return card.watch(
            f"With {left} more reads they queue in the drive."
            if bend.reached
            else f"No more than {left} more reads were tried: measure with more threads before you "
            "judge the drive by it.",
            flips_when=f"the server reads less than {rate(half_rate)}",
        )
    if not bend.reached:
        return card.watch(
            "The server reads as much as was tried, and the drive may give more: measure with more "
            "threads.",
            flips_when=f"the curve grows beyond {bend.threads} threads",
        )
    left = percent(max(0.0, bend.peak.rate_per_s / reads - 1))
    return card.watch(
        f"The drive is the limit: it has at most {left} left. A larger buffer pool, a smaller page "
        "or more IOPS would help, more connections would not.",
        flips_when=f"{whole.turn} ({rate(bend.rate_per_s, 'reads')} on this drive)",
        cost_of_error="Money for a faster drive, after a busy hour that was not typical.",
        verify="iostat -x 1: aqu-sz and r_await of the data's drive",
    )


def _tenths(value: float) -> str:
    return f"{value:,.1f}"


def _drive(curve: Curve, bend: Knee) -> str:
    one = curve.points[0]
    end = (
        f"{rate(bend.rate_per_s)} at its knee ({bend.threads} threads, p95 "
        f"{duration_us(bend.point.latency.p95_us)})"
        if bend.reached
        else f"{rate(bend.rate_per_s)} with {bend.threads}, the highest number tried"
    )
    return (
        f"This drive gives {rate(one.rate_per_s, 'reads')} of "
        f"{size(one.setting.block_size_bytes)} with {one.setting.threads} in flight "
        f"({duration_us(one.latency.mean_us)} each) and {end}."
    )
