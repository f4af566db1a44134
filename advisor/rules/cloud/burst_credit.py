"""Burst credit behind the measured rates.

## What it checks
Whether the rate that was measured lasts, or only until a burst credit is spent.

## Why it matters
Small volumes and machines exceed their base rate on a credit: they earn it while idle and spend it
under load. A run of minutes measures the burst. A published sweep lost over a third of its
throughput after 20 to 30 minutes. Flash without power-loss protection does the same: once the part
of it that stores one bit a cell is full, it writes at a fraction of its first rate.

## How it is judged
- A long write that fell by a quarter or more (our choice), on any drive: watch; the lower rate is
  the lasting one. Flushing is planned with it.
- All else only on clouds whose volumes are known to Leadline.
- A plateau at a burst's figure: watch. On a gp2 volume the rate falls to 3 requests/s for each GiB
  (100 at least). A full credit of 5,400,000 requests lasts 5,400,000 / (burst - base) seconds. Fine
  after a long write that lasted longer than that without a fall, from 900 GiB on, where the base
  is nearly as high, and where the server asks for less than that base (on the whole window, and in
  the worst second of a watch): then the credit grows.
- A long write of ten minutes and more that never fell, or no plateau at a burst's figure: fine.

## How to check by hand
The provider's console shows the volume's credit (AWS: `BurstBalance`). Write for longer than the
credit lasts and see whether the rate falls.

## Risk and undo
Nothing is changed.

## When it is wrong
When the plateau belongs to another kind of volume that is sold with the same figure. gp3 sustains
3,000 requests/s, gp2 only on credit: the console shows the type.

## References
- AWS, "Amazon EBS General Purpose SSD volumes", on I/O credits
- Microsoft, "Managed disk bursting"
- A published sweep of InnoDB over burstable volumes
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.server.load import LOAD_AHEAD
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.facts.watched.peak import VOLUME_PEAK
from advisor.facts.watched.volumes import (
    LOAD_REQUESTS,
    VOLUME_LONG_WRITE,
    VOLUME_REQUEST_LIMITS,
    VOLUME_THROUGHPUT_LIMITS,
    LongWrite,
    limit_text,
)
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Inapplicable, Knowledge, per_s, rule
from advisor.workload.volume_use import most_asked
from probes.figures import listed, percent, rate, seconds, size, throughput
from probes.trust.change_points import Phase
from probes.trust.provisioned import AWS, GIB, cloud_of
from probes.trust.throttle import Throttle

LASTS_S = 600
"""A long write of this length that never fell is taken for what lasts (our choice)."""

GP2_CREDIT, GP2_BURST, GP2_PER_GIB, GP2_LEAST = 5_400_000, 3000, 3, 100

NEARLY = 0.9
"""From this share of the burst on the base is as good as it (our choice)."""

ENOUGH_GIB = NEARLY * GP2_BURST / GP2_PER_GIB
"""From this size on a gp2 volume hardly needs its credit."""

_REQUESTS = "{:,.0f} requests/s".format


@rule(
    topic="Cloud volumes",
    do="Plan with the rate that lasts after the burst",
    needs=(HOST_PLATFORM, VOLUME_REQUEST_LIMITS),
    uses=(
        VOLUME_THROUGHPUT_LIMITS,
        VOLUME_LONG_WRITE,
        STORAGE_PROBE,
        LOAD_REQUESTS,
        VOLUME_PEAK,
        LOAD_AHEAD,
    ),
    findings=("F106",),
    symptom_of=("cloud.request-limit", "cloud.throughput-limit"),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Say what the rate falls to, where it is a burst's."""
    platform = facts.get(HOST_PLATFORM)
    cloud = cloud_of(platform)
    write = facts.find(VOLUME_LONG_WRITE)
    if write is not None and write.fall is not None:
        return _fell(facts, write, write.fall, _IN_CLOUD if cloud else _ELSEWHERE)
    if not cloud:
        return Inapplicable(f"The machine is not in a cloud whose volumes are known ({platform}).")
    burst = _burst(facts)
    if burst is None:
        return _lasts(facts, write, cloud)
    card = facts.card(
        f"The drive reaches {limit_text(burst)}.", cost_of_error="A check in the console."
    )
    base = _gp2_base(facts, cloud)
    if base is not None:
        return _gp2(facts, card, limit_text(burst), base, write)
    if write is not None and write.seconds >= LASTS_S:
        kept = f"a write of {seconds(write.seconds)}, no fall"
        return _outlasted(card.but(formula=kept), limit_text(burst), write)
    lasts = [limit.name for limit in burst.limits if not limit.burst]
    return card.watch(
        f"The console shows the volume's type: {listed(lasts, 'or')} lasts, a burst's credit ends. "
        "Of a volume with credit plan with the base rate."
        if lasts
        else "Plan with the volume's base rate, which the console shows, until a long write shows "
        "otherwise.",
        saw=f"The drive reaches {limit_text(burst)}"
        + ("." if lasts else ", which lasts only as long as a credit."),
        formula=f"plateau = {limit_text(burst)}",
        flips_when=f"a write of {seconds(LASTS_S)} keeps its rate",
        confidence=Confidence.LOW,
        because="The figure is a burst's, but other volumes may be sold with it, too.",
        valid="Until the volume's type is known.",
    )


@dataclass(frozen=True, slots=True)
class _First:
    """What gave the higher rate of a write that fell, when it lasts, and what ends with it."""

    what: str
    valid: str
    spent: str


_IN_CLOUD = _First(
    "is a burst, which a busy hour uses up",
    "For a volume whose credit was as full as it was when the run began.",
    "the credit is spent",
)
_ELSEWHERE = _First(
    "is that of a cache, which an hour of flushing fills",
    "For a drive whose cache was as empty as it was when the run began.",
    "the cache is full",
)


def _fell(facts: Facts, write: LongWrite, fall: tuple[Phase, Phase], first: _First) -> Answer:
    before, after = (phase.rate_per_s * write.block_bytes for phase in fall)
    return facts.card(
        f"A long write fell from {throughput(before)} to {throughput(after)} after "
        f"{seconds(fall[1].start_s)} and {size(fall[1].bytes_before)}.",
        formula=f"{throughput(after)} / {throughput(before)} = {percent(after / before)} is left",
        flips_when="a write of the same length keeps its first rate",
    ).watch(
        f"Plan with {throughput(after)}: the higher rate of short points {first.what}.",
        knowledge=Knowledge.MEASURED,
        confidence=Confidence.HIGH,
        valid=first.valid,
        cost_of_error=f"Flushing that is set for the first rate falls behind once {first.spent}.",
    )


def _burst(facts: Facts) -> Throttle | None:
    """Give the volume's limit that may be a burst's, None where no plateau is at such a figure."""
    for name in (VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS):
        found = facts.find(name)
        for throttle in () if found is None else found.throttles:
            if any(limit.burst and not limit.machine for limit in throttle.limits):
                return throttle
    return None


def _gp2_base(facts: Facts, cloud: str) -> float | None:
    """Give what a gp2 volume of this size falls to; None where its size or type is not known."""
    storage = facts.find(STORAGE_PROBE)
    if cloud != AWS or storage is None or len(storage.disks) != 1:
        return None
    size_bytes = storage.disks[0].size_bytes
    return None if size_bytes is None else max(GP2_LEAST, GP2_PER_GIB * size_bytes / GIB)


def _asked(facts: Facts, base: float) -> At | None:
    """What the server asks of the volume against its base; None where that is not known."""
    mean, peak = facts.find(LOAD_REQUESTS), facts.find(VOLUME_PEAK)
    most = most_asked(mean, peak, in_bytes=False)
    if mean is None or most is None or facts.find(LOAD_AHEAD) is not None:
        return None
    return At("requests of the server", most.per_s, below=base, say=_REQUESTS)


def _gp2(facts: Facts, card: Card, limit: str, base: float, write: LongWrite | None) -> Answer:
    enough = At(
        "base rate", base, of=f"size x {GP2_PER_GIB}", least=NEARLY * GP2_BURST, say=_REQUESTS
    )
    if enough:
        return card.fine(
            "Fine as it is: the rate does not depend on a credit.",
            saw=f"The drive reaches {limit}, and a volume of this size sustains "
            f"{rate(base, 'requests')}.",
            condition=enough,
            flips_when=f"the volume is smaller than {ENOUGH_GIB:,.0f} GiB",
        )
    credit_s = GP2_CREDIT / (GP2_BURST - base)
    credit = seconds(credit_s)
    card = card.but(formula=f"{GP2_CREDIT:,} / ({GP2_BURST:,} - {base:,.0f}) = {credit} of credit")
    if write is not None and write.seconds > credit_s:
        return _outlasted(card, limit, write)
    if asked := _asked(facts, base):
        return card.fine(
            "Fine as it is: this load leaves a credit unspent.",
            saw=f"The drive reaches {limit}. If the volume is gp2, it sustains "
            f"{rate(base, 'requests')}; the server asks for {rate(asked.value, 'requests')}.",
            condition=asked,
            flips_when=asked.turn,
            valid="While the load is like that of the status window.",
        )
    return card.watch(
        f"Check the volume's type. A gp2 volume serves a busy hour with {rate(base, 'requests')}; "
        f"gp3 of the same size sustains {per_s('requests')(GP2_BURST)}.",
        saw=f"The drive reaches {limit}. If the volume is gp2, its credit lasts {credit} at most; "
        f"then the rate falls to {rate(base, 'requests')}.",
        flips_when=f"the volume is gp3, or has {ENOUGH_GIB:,.0f} GiB or more, or a write of "
        f"{credit} keeps its rate",
        because="gp2 on credit and gp3 at its base have the same limit.",
        valid="For gp2 volumes with a full credit.",
    )


def _outlasted(card: Card, limit: str, write: LongWrite) -> Answer:
    return card.fine(
        "Fine as it is: the measured rate lasts.",
        saw=f"The drive reaches {limit}, and a write of {seconds(write.seconds)} kept its rate.",
        flips_when="a longer write falls",
        confidence=Confidence.HIGH,
        because="The write lasted longer than a credit can.",
    )


def _lasts(facts: Facts, write: LongWrite | None, cloud: str) -> Answer:
    kept = "" if write is None else f" A write of {seconds(write.seconds)} kept its rate."
    long = write is not None and write.seconds >= LASTS_S
    return facts.card(
        f"No plateau matches a burst figure of {cloud}.{kept}",
        formula="plateau at a burst's figure: none; fall in a long write: none seen",
        flips_when="a long write falls by a quarter or more",
    ).fine(
        "Fine as it is: no sign of a burst credit.",
        confidence=Confidence.HIGH if long else Confidence.MEDIUM,
        because="Plateaus were checked; no long write was measured."
        if write is None
        else "Plateaus and long writes were checked.",
        valid="For the time that was measured.",
    )
