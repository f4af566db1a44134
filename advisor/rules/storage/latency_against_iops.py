"""Latency against IOPS: the server's place on the drive's curve.

## What it checks
How many reads the server keeps in the drive at a time, and whether more IOPS, more drives or a
lower latency would help it.

## Why it matters
IOPS ratings are reached with many requests at a time. A server that keeps two reads in flight
gets the rate at two, whatever the drive gives at 64: a drive with twice the IOPS and four times
the latency is slower for it. One flash card gave 6,069 reads/s to one thread and 29,645 to many,
and after 32 threads only the waiting grew.

## How it is judged
- Knee: the smallest measured concurrency with 90 % of the peak rate.
- In flight, by Little's law: the concurrency at which the measured curve has the server's read
  rate (`Innodb_data_reads` per second over the window).
- Below half of the knee: more IOPS bring nothing, lower latency does (fine). Half of the knee or
  more: watch, little is left. At the knee or above: watch, the drive is the limit.
- A curve that still climbs where it ends has no knee yet: its last point stands for one, with less
  certainty.
- Without a server the curve alone is described.

## How to check by hand
`iostat -x 1`: `aqu-sz` is the number in flight, `r_await` the latency.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window was quiet; when reads are answered by the page cache or a controller cache that
the measured file did not fit into; when the server's volume has a burst credit.

## References
- M. Callaghan, "How many IOPs can InnoDB do?"
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- J. D. C. Little, "A Proof for the Queuing Formula L = λW" (1961)
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, status
from advisor.model.knee import Knee, knee
from advisor.model.operating_point import in_flight, rate_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures
from probes.points import Curve


@rule(
    topic="Latency against IOPS",
    needs=(CURVE_RANDOM_READ_PAGE,),
    uses=(status("Innodb_data_reads"),),
    findings=("F01", "F03", "F06", "F15", "F18", "F25", "F33", "F34", "F109", "F111"),
)
def check(facts: Facts) -> Answer:
    """Place the server on the curve and say what more IOPS would bring."""
    curve = facts.get(CURVE_RANDOM_READ_PAGE)
    bend = knee(curve)
    reads = facts.find(status("Innodb_data_reads"))
    return replace(
        _judged(curve, bend, reads),
        confidence=Confidence.MEDIUM if bend.reached else Confidence.LOW,
        formula=_formula(curve, bend, reads),
        valid="Reads past the page cache, at the hour of the status window and up to "
        f"{curve.points[-1].setting.threads} in flight.",
        because="the drive's curve was measured"
        + (", the server's reads were counted over the window" if reads is not None else "")
        + ("" if bend.reached else "; it still climbed where it ended"),
    )


def _formula(curve: Curve, bend: Knee, reads: float | None) -> str:
    knee_of = f"knee: {bend.threads} threads, 90 % of {figures.rate(bend.peak.rate_per_s)}"
    flight = None if reads is None else in_flight(curve, reads)
    if reads is None or flight is None:
        return knee_of
    return f"{knee_of}; the curve has {figures.rate(reads)} at {flight:.1f} in flight"


def _judged(curve: Curve, bend: Knee, reads: float | None) -> Judged:
    drive = _drive(curve, bend)
    if reads is None:
        return Judged(
            Verdict.FINE,
            drive,
            effect=f"With fewer than {bend.threads} reads in flight more IOPS bring nothing; "
            "a lower latency does.",
            flips_when=f"a server keeps {bend.threads} or more reads in flight",
        )
    flight = in_flight(curve, reads)
    if flight is None:
        return Judged(
            Verdict.WATCH,
            f"{drive} The server reads {figures.rate(reads)}, more than was measured.",
            effect="A part of its reads is answered by a cache, or the drive was busy while it was "
            "measured.",
            flips_when=f"the server reads {figures.rate(bend.peak.rate_per_s)} or less",
            gain=0.2,
            cost_of_error="None: nothing is changed.",
        )
    return _placed(drive, curve, bend, reads, flight)


def _placed(drive: str, curve: Curve, bend: Knee, reads: float, flight: float) -> Judged:
    saw = (
        f"{drive} The server reads {figures.rate(reads)}, which keeps {flight:.1f} in flight "
        "on average."
    )
    if flight < bend.threads / 2:
        return Judged(
            Verdict.FINE,
            saw,
            effect="More IOPS or a second drive would bring nothing; half the latency would halve "
            "the time of every read that misses the buffer pool.",
            flips_when=f"the server keeps more than {bend.threads / 2:g} reads in flight, "
            f"{figures.rate(rate_at(curve, bend.threads / 2), 'reads')} on this drive",
        )
    if flight < bend.threads:
        left = bend.rate_per_s / reads - 1
        half = rate_at(curve, bend.threads / 2)
        return Judged(
            Verdict.WATCH,
            saw,
            effect=f"{figures.percent(left)} more reads, and they queue in the drive."
            if bend.reached
            else f"{figures.percent(left)} more reads is all that was tried: measure with more "
            "threads before you judge the drive by it.",
            flips_when=f"the server reads less than {figures.rate(half)}",
            gain=0.3,
            cost_of_error="None: nothing is changed.",
        )
    if not bend.reached:
        return Judged(
            Verdict.WATCH,
            saw,
            effect="The server asks for as much as was tried, and the drive may give more: measure "
            "with more threads.",
            flips_when=f"the curve goes beyond {bend.threads} threads",
            gain=0.3,
            cost_of_error="A measurement.",
        )
    left = bend.peak.rate_per_s / reads - 1
    return Judged(
        Verdict.WATCH,
        saw,
        effect="The drive is the limit: it has no more than "
        f"{figures.percent(max(0.0, left))} left. A larger buffer pool, a smaller page or more "
        "IOPS would help, more connections would not.",
        flips_when=f"fewer than {bend.threads} reads are in flight, "
        f"{figures.rate(bend.rate_per_s, 'reads')} on this drive",
        gain=0.7,
        cost_of_error="Money for a faster drive that a busy hour of somebody else asked for.",
        verify="iostat -x 1: aqu-sz and r_await of the data's drive",
    )


def _drive(curve: Curve, bend: Knee) -> str:
    one = curve.points[0]
    end = (
        f"{figures.rate(bend.rate_per_s)} at its knee ({bend.threads} threads, p95 "
        f"{figures.duration_us(bend.point.latency.p95_us)})"
        if bend.reached
        else f"{figures.rate(bend.rate_per_s)} with {bend.threads}, the most that was tried"
    )
    return (
        f"This drive gives {figures.rate(one.rate_per_s, 'reads')} of "
        f"{figures.size(one.setting.block_size_bytes)} with {one.setting.threads} in flight "
        f"({figures.duration_us(one.latency.mean_us)} each) and {end}."
    )
