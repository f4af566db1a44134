"""The machine's own limit on its volumes.

## What it checks
Whether the machine's own limit, and not the volume's, caps the drive.

## Why it matters
Clouds limit each machine by its size, whatever its volumes could do together. A larger volume then
costs more for the same rate. Azure's managed MySQL has the same 20,000 requests/s for machines of
16 and of 32 processors.

## How it is judged
- What the server uses is what the kernel counts on the data's device while it works, else
  `Innodb_data_reads` + `Innodb_data_writes`.
- The plateau is at a figure that the cloud publishes for a machine: that is the cap. Half of it
  used: watch; nine tenths: a larger machine (our choices).
- No such plateau, and the machine's own limit is known by its type or its processors: watch when
  the drive peaks at nine tenths of the maximum, or above the baseline while the server sends half
  of the baseline or more (smaller EC2 machines burst to their maximum for 30 minutes a day). Else
  fine: the volume is the limit.
- A drive that gives a tenth more than the machine's maximum is a local drive, or a cache answered:
  not applicable.
- On machines whose limit is not known: not judged.

## How to check by hand
Look the machine type up: AWS "EBS-optimized instance types", Azure "max uncached disk IOPS" of the
size, Google "machine type" limits of persistent disks.

## Risk and undo
Another machine type takes a stop and a start, and so does the way back.

## When it is wrong
When the volume is sold with the same figure: the console shows both.

## References
- Google Cloud, "About Persistent Disk performance"
- Microsoft, "Azure Database for MySQL, service tiers"
- AWS, "Amazon EBS-optimized instances"
"""

from __future__ import annotations

from advisor.facts.known import (
    CURVE_RANDOM_READ_PAGE,
    HOST_CPU_THREADS,
    HOST_PLATFORM,
    VOLUME_REQUEST_LIMITS,
)
from advisor.facts.volumes import limit_text
from advisor.knowledge.machine_limits import MachineLimit, machine_limit
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Unjudged, by_hand, per_s, rule
from advisor.rules.cloud._provisioned import MUCH, asking, held_up, stands
from advisor.workload.volume_use import FULL, USES, demand
from probes.figures import percent, rate
from probes.trust.provisioned import AS_OF, cloud_of
from probes.trust.throttle import Throttle

BEYOND = 1.1
"""No volume gives this many times the machine's limit (our choice: a tenth for errors)."""

REQUESTS = per_s("requests")


@rule(
    topic="Cloud volumes",
    needs=(HOST_PLATFORM, VOLUME_REQUEST_LIMITS),
    uses=(CURVE_RANDOM_READ_PAGE, *(each for each in USES if each is not HOST_PLATFORM)),
    findings=("F108",),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Tell the machine's limit from the volume's."""
    platform = facts.get(HOST_PLATFORM)
    cloud = cloud_of(platform)
    if not cloud:
        return Inapplicable(f"The machine is not in a cloud whose limits are known ({platform}).")
    cap = facts.get(VOLUME_REQUEST_LIMITS).of_machine
    if cap is not None:
        return _capped(facts, cap)
    known = machine_limit(platform, facts.find(HOST_CPU_THREADS))
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    if known is None or curve is None:
        return Unjudged(f"The limit of this machine type is not known ({platform}).")
    peak = curve.peak.rate_per_s
    if peak > BEYOND * known.most_per_s:
        return Inapplicable(
            f"The drive gives {rate(peak, 'reads')}, more than this machine's limit for volumes: "
            "it is a local drive, or a cache answered."
        )
    return _by_type(facts, known, peak)


def _by_type(facts: Facts, known: MachineLimit, peak: float) -> Answer:
    lasting = REQUESTS(known.lasting_per_s)
    baseline = f" ({lasting} sustained)" if known.lends else ""
    near = At("the drive's peak", peak, least=FULL * known.most_per_s, say=rate)
    card = facts.card(
        f"The drive's reads peak at {rate(peak)}; the machine's own limit is "
        f"{REQUESTS(known.most_per_s)}{baseline}.",
        near,
        formula=f"{rate(peak)} / {rate(known.most_per_s)} = {percent(peak / known.most_per_s)}",
        because=f"The machine's limit as published ({known.source}); the peak was measured.",
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )
    asks = demand(facts).requests_per_s
    if near:
        return card.watch("A larger volume would bring little: the machine is the next limit.")
    if peak <= known.lasting_per_s:
        return card.fine("Fine as it is: the volume is the limit, not the machine.")
    if asks is None:
        sends = f"the server sends less than {REQUESTS(MUCH * known.lasting_per_s)}"
        card = card.but(flips_when=f"{sends}, or the machine is larger")
    else:
        busy = At(
            "the server's rate of requests", asks, least=MUCH * known.lasting_per_s, say=REQUESTS
        )
        card = card.but(condition=busy)
        if not busy:
            return card.fine("Fine as it is: the server needs far less than the sustained rate.")
        card = card.but(flips_when=f"{busy.turn}, or the machine is larger")
    return card.watch(
        f"Rates above {lasting} are a burst of 30 minutes a day. A busy hour gets the lower rate, "
        "whatever the volume can do.",
    )


def _capped(facts: Facts, cap: Throttle) -> Answer:
    limit, asked = cap.figure, demand(facts)
    asks = asked.requests_per_s
    card = facts.card(
        stands(cap),
        confidence=Confidence.HIGH,
        because=f"The plateau is at a machine's figure; figures of {AS_OF}.",
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )
    machines = "The limit is the machine's: a larger volume would not raise it."
    if asks is None:
        return card.watch(
            machines,
            formula=f"limit = {limit_text(cap)}",
            flips_when=f"the server sends {REQUESTS(FULL * limit)} or more, or less than "
            f"{REQUESTS(MUCH * limit)}",
        )
    name = "the server's rate of requests"
    much = At(name, asks, least=MUCH * limit, say=REQUESTS)
    full = At(name, asks, least=FULL * limit, say=REQUESTS)
    card = card.but(relieves=held_up(asks / limit))
    card = card.but(
        saw=f"{stands(cap)} {asking(asked, 'sends', REQUESTS(asks))}.",
        condition=much,
        formula=f"{REQUESTS(asks)} / {REQUESTS(limit)} = {percent(asks / limit)}",
    )
    if not much:
        return card.fine(machines)
    if not full:
        return card.watch(machines, condition=much & ~full)
    return card.recommend(
        by_hand(
            "a larger machine type",
            "Move to a machine type with a higher limit on its volumes",
            (
                "Compare the volume's own limit with the new machine's.",
                "Stop the server, change the machine type, start it.",
                "Measure the drive again.",
            ),
            ("Move back to the old machine type.",),
        ),
        setting="machine type",
        now=REQUESTS(limit),
        effect=f"The server exceeds {REQUESTS(limit)}, which a larger volume alone can't do.",
        condition=full,
        risk="A stop and a start of the server, and a higher price.",
        cost_of_error="Money: a machine that is larger than needed.",
        side_effects="More processors and memory, which the pool may use.",
        verify=f"iostat -x 1 under load goes above {REQUESTS(limit)}.",
    )
