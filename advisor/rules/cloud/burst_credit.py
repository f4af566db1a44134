"""Burst credit behind the measured rates.

## What it checks
Whether the rate that was measured lasts, or only until a burst credit is spent.

## Why it matters
Small volumes and machines are lent more than they are: they save a credit while they are idle and
spend it under load. A run of minutes sees the loan. A published sweep lost over a third of its
throughput after 20 to 30 minutes, on a Monday morning of its own.

## How it is judged
- Only on clouds whose volumes are known here.
- A long write that fell by a quarter or more: watch, and the lower rate is what lasts.
- A plateau at a burst's figure that lives on a credit: watch. On a gp2 volume the rate falls to 3
  requests/s for each GiB (100 at least). A full credit of 5,400,000 requests lasts 5,400,000 /
  (burst - base) seconds. A long write that lasted longer than that without a fall clears it, and so
  do 900 GiB and more, whose base is nearly as good.
- A long write of ten minutes and more that never fell, or no plateau at a burst's figure: fine.

## How to check by hand
The provider's console shows the volume's credit (AWS: `BurstBalance`). Write for longer than the
credit lasts and see whether the rate falls.

## Risk and undo
Nothing is changed.

## When it is wrong
When the plateau belongs to another kind of volume that is sold with the same figure. gp3 has 3,000
requests/s for good, gp2 only on credit: the console tells which one it is.

## References
- AWS, "Amazon EBS General Purpose SSD volumes", on I/O credits
- Microsoft, "Managed disk bursting"
- A published sweep of InnoDB over burstable volumes
"""

from __future__ import annotations

from advisor.facts.known import (
    HOST_PLATFORM,
    STORAGE_PROBE,
    VOLUME_LONG_WRITE,
    VOLUME_REQUEST_LIMITS,
    VOLUME_THROUGHPUT_LIMITS,
)
from advisor.facts.volumes import LongWrite, limit_text
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures
from probes.trust.provisioned import AWS, GIB, cloud_of
from probes.trust.throttle import Throttle

LASTS_S = 600
"""A long write of this length that never fell is taken for what lasts (our choice)."""

GP2_CREDIT, GP2_BURST, GP2_PER_GIB, GP2_LEAST = 5_400_000, 3000, 3, 100

NEARLY = 0.9
"""From this share of the burst on the base is as good as it (our choice)."""


@rule(
    topic="Cloud volumes",
    needs=(HOST_PLATFORM, VOLUME_REQUEST_LIMITS),
    uses=(VOLUME_THROUGHPUT_LIMITS, VOLUME_LONG_WRITE, STORAGE_PROBE),
    findings=("F106",),
)
def check(facts: Facts) -> Answer:
    """Say what the rate falls to, where it is lent."""
    platform = facts.get(HOST_PLATFORM)
    cloud = cloud_of(platform)
    if not cloud:
        return Inapplicable(f"The machine is no cloud's whose volumes are known here ({platform}).")
    write = facts.find(VOLUME_LONG_WRITE)
    if write is not None and write.fall is not None:
        return _fell(write)
    lent = _lent(facts)
    if lent is None:
        return _lasts(write, cloud)
    base = _gp2_base(facts, cloud)
    if base is None:
        return _may_fall(lent, write)
    return _gp2(lent, base, write)


def _fell(write: LongWrite) -> Answer:
    fall = write.fall
    if fall is None:
        return Unjudged("The long write did not fall.")
    before, after = (phase.rate_per_s * write.block_bytes for phase in fall)
    return Judged(
        Verdict.WATCH,
        f"A long write fell from {figures.throughput(before)} to {figures.throughput(after)} after "
        f"{figures.seconds(fall[1].start_s)} and {figures.size(fall[1].bytes_before)}.",
        effect=f"Plan with {figures.throughput(after)}: what the short points show above it is "
        "lent, and a busy hour pays it back.",
        confidence=Confidence.HIGH,
        flips_when="a write of the same length keeps its first rate",
        gain=0.5,
        formula=f"{figures.throughput(after)} / {figures.throughput(before)} = "
        f"{figures.percent(after / before)} is left",
        because="the fall was measured here",
        valid="For a volume whose credit was as full as it was when the run began.",
        cost_of_error="Settings that were made for the first rate let flushing fall behind once it "
        "is gone.",
    )


def _lent(facts: Facts) -> Throttle | None:
    """Give the limit that may be a burst's, None where no plateau is at such a figure."""
    for name in (VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS):
        found = facts.find(name)
        for throttle in () if found is None else found.throttles:
            if any(limit.burst for limit in throttle.limits):
                return throttle
    return None


def _gp2_base(facts: Facts, cloud: str) -> float | None:
    """Give what a gp2 volume of this size falls to; None where its size or kind is not known."""
    storage = facts.find(STORAGE_PROBE)
    if cloud != AWS or storage is None or len(storage.disks) != 1:
        return None
    size = storage.disks[0].size_bytes
    return None if size is None else max(GP2_LEAST, GP2_PER_GIB * size / GIB)


def _gp2(lent: Throttle, base: float, write: LongWrite | None) -> Answer:
    if base >= NEARLY * GP2_BURST:
        return Judged(
            Verdict.FINE,
            f"The drive stands at {limit_text(lent)}, but a volume of this size has "
            f"{figures.rate(base, 'requests')} for good.",
            effect="Nothing is lent here.",
            flips_when=f"the volume is smaller than {_enough_gib():,.0f} GiB",
            formula=f"size x {GP2_PER_GIB} = {base:,.0f} requests/s, not below {NEARLY} x "
            f"{GP2_BURST:,} = {NEARLY * GP2_BURST:,.0f}",
            because="the volume's size is known",
            valid="For gp2 and gp3 volumes.",
        )
    credit_s = GP2_CREDIT / (GP2_BURST - base)
    formula = (
        f"{GP2_CREDIT:,} / ({GP2_BURST:,} - {base:,.0f}) = {figures.seconds(credit_s)} of credit"
    )
    if write is not None and write.seconds > credit_s:
        return _outlasted(lent, write, formula)
    return Judged(
        Verdict.WATCH,
        f"The drive stands at {limit_text(lent)}. If the volume is gp2, that is lent for "
        f"{figures.seconds(credit_s)} at most; then it falls to {figures.rate(base, 'requests')}.",
        effect=f"Look the volume's kind up. A gp2 volume serves a busy hour with "
        f"{figures.rate(base, 'requests')}; gp3 of the same size keeps "
        f"{figures.rate(GP2_BURST, 'requests')}.",
        confidence=Confidence.MEDIUM,
        flips_when=f"the volume is gp3, or has {_enough_gib():,.0f} GiB and more, or a write of "
        f"{figures.seconds(credit_s)} keeps its rate",
        gain=0.3,
        formula=formula,
        because="gp2 on credit and gp3 for good stand at the same figure",
        valid="For gp2 volumes with a full credit.",
        cost_of_error="A look at the console.",
    )


def _enough_gib() -> float:
    """Give the size from which on a gp2 volume needs no credit to speak of."""
    return NEARLY * GP2_BURST / GP2_PER_GIB


def _outlasted(lent: Throttle, write: LongWrite, formula: str) -> Answer:
    return Judged(
        Verdict.FINE,
        f"The drive stands at {limit_text(lent)}, and a write of "
        f"{figures.seconds(write.seconds)} kept its rate.",
        effect="What was measured lasts.",
        confidence=Confidence.HIGH,
        flips_when="a longer write falls",
        formula=formula,
        because="the write lasted longer than a credit can",
        valid="For this volume as it is.",
    )


def _may_fall(lent: Throttle, write: LongWrite | None) -> Answer:
    if write is not None and write.seconds >= LASTS_S:
        return _outlasted(lent, write, f"a write of {figures.seconds(write.seconds)}, no fall")
    return Judged(
        Verdict.WATCH,
        f"The drive stands at {limit_text(lent)}, which lasts only while a credit does.",
        effect="Plan with the volume's base, which the console tells, until a long write says "
        "otherwise.",
        confidence=Confidence.LOW,
        flips_when=f"a write of {figures.seconds(LASTS_S)} keeps its rate",
        gain=0.3,
        formula=f"plateau = {limit_text(lent)}",
        because="the figure is a burst's, but others may be sold at it too",
        valid="Until the volume's kind is known.",
        cost_of_error="A look at the console.",
    )


def _lasts(write: LongWrite | None, cloud: str) -> Answer:
    saw = f"No plateau stands at a figure that {cloud} lends."
    if write is not None:
        saw += f" A write of {figures.seconds(write.seconds)} kept its rate."
    return Judged(
        Verdict.FINE,
        saw,
        effect="Nothing says that the rates are lent.",
        confidence=Confidence.HIGH
        if write is not None and write.seconds >= LASTS_S
        else Confidence.MEDIUM,
        flips_when="a long write falls by a quarter or more",
        formula="plateau at a burst's figure: none; fall in a long write: none seen",
        because="plateaus and long writes were looked at"
        if write is not None
        else "plateaus were looked at; no long write was measured",
        valid="For the time that was measured.",
    )
