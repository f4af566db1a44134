"""The machine's own limits on its volumes.

## What it checks
Whether the machine, and not the volume, is what caps the drive: by requests or by bytes.

## Why it matters
Clouds limit each machine by its size, whatever its volumes could do together. A larger volume then
costs more for the same rate. Azure's managed MySQL has the same 20,000 requests/s for machines of
16 and of 32 processors. Small machines burst: an r6g.large sustains 3,600 requests/s and 75 MiB/s,
and bursts to 20,000 and 566 MiB/s for 30 minutes a day.

## How it is judged
- What the server uses is what the kernel counts on the data's device while it works, else
  `Innodb_data_reads` + `Innodb_data_writes`, `Innodb_data_read` + `Innodb_data_written`.
- The plateau is at a figure that the cloud publishes for this machine: that is the cap. Half of it
  used: watch, in a line of its own from eight tenths on, or where some seconds of the watch had
  reads that took three times as long; nine tenths: a larger machine (our choices). What comes next
  is named.
- No such plateau, and the machine's limits are known by its type or its processors: the limit that
  such reads reach first, requests or bytes, counts. Watch when the drive peaks at nine tenths of
  the maximum, or above the baseline while the server uses half of the baseline or more. Else fine:
  the volume is the limit.
- A drive that gives a tenth more than the machine's maximum is a local drive, or a cache answered:
  not applicable.
- While a larger buffer pool is recommended whose expected misses leave less than three quarters of
  the limit in use (our choice), that comes first: the machine is shown for misses that remain.
- On machines whose limits are not known: not judged. Managed servers are judged by their class.

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

from functools import partial

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.watched.peak import SLOW_READS
from advisor.facts.watched.volumes import (
    VOLUME_REQUEST_LIMITS,
    VOLUME_THROUGHPUT_LIMITS,
    limit_text,
)
from advisor.gain import VolumeLimit
from advisor.knowledge.machine_limits import MachineLimits
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Knowledge,
    Needs,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rules.cloud._pool_first import POOL_USES, pool_first
from advisor.rules.cloud._provisioned import asking, not_full, stands
from advisor.rules.cloud._relief import RELIEF_USES, held_up
from advisor.workload.volume_use import FULL, LIMITS, MUCH, USES, demand, next_ceiling
from probes.figures import io_rate, percent
from probes.points import Curve
from probes.trust.provisioned import AS_OF, cloud_of
from probes.trust.throttle import Throttle

BEYOND = 1.1
"""No volume gives this many times the machine's limit (our choice: a tenth for errors)."""


@rule(
    topic="Cloud volumes",
    do="Plan with what the machine lets its volumes do",
    needs=(HOST_PLATFORM, VOLUME_REQUEST_LIMITS),
    uses=(
        CURVE_RANDOM_READ_PAGE,
        VOLUME_THROUGHPUT_LIMITS,
        *USES,
        *RELIEF_USES,
        *POOL_USES,
        SLOW_READS,
    ),
    findings=("F108",),
    major=True,
    limit=VolumeLimit.MACHINE,
)
def check(facts: Facts) -> Answer:
    """Tell the machine's limits from the volume's."""
    platform = facts.get(HOST_PLATFORM)
    if not cloud_of(platform):
        return Inapplicable(f"The machine is not in a cloud whose limits are known ({platform}).")
    cap = _seen(facts)
    if cap is not None:
        return _capped(facts, cap)
    limits, curve = facts.find(HOST_VOLUME_LIMITS), facts.find(CURVE_RANDOM_READ_PAGE)
    if limits is None or curve is None:
        missing = HOST_VOLUME_LIMITS if limits is None else CURVE_RANDOM_READ_PAGE
        return Unjudged(facts.lacks(missing))
    return _by_type(facts, limits, curve)


def _seen(facts: Facts) -> Throttle | None:
    """The machine's limit that the drive was seen to stand at."""
    for kind in LIMITS:
        found = facts.find(kind)
        if found is not None and found.of_machine is not None:
            return found.of_machine
    return None


def _by_type(facts: Facts, limits: MachineLimits, curve: Curve) -> Answer:
    block_bytes = curve.setting.block_size_bytes
    cap = limits.first(block_bytes)
    peak = curve.peak.rate_per_s * (block_bytes if cap.in_bytes else 1)
    if peak > BEYOND * cap.most:
        return Inapplicable(
            f"The drive gives {cap.say(peak)}, more than this machine's limit for volumes: "
            "it is a local drive, or a cache answered."
        )
    lasting = cap.say(cap.lasting)
    baseline = f" ({lasting} sustained)" if cap.lends else ""
    near = At("drive's peak", peak, least=FULL * cap.most, say=cap.say)
    card = facts.card(
        f"The drive's reads peak at {cap.say(peak)}; the machine's own limit is "
        f"{cap.say(cap.most)}{baseline}.",
        near,
        formula=f"{cap.say(peak)} / {cap.say(cap.most)} = {percent(peak / cap.most)}",
        because=f"The machine's limit as published ({limits.source}); the peak was measured.",
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )
    asks = demand(facts).of(in_bytes=cap.in_bytes)
    if near:
        return card.watch("A larger volume would bring little: the machine is the next limit.")
    if peak <= cap.lasting:
        return card.fine("Fine as it is: the volume is the limit, not the machine.")
    if asks is None:
        sends = f"the server uses less than {cap.say(MUCH * cap.lasting)}"
        card = card.but(flips_when=f"{sends}, or the machine is larger")
    else:
        busy = At("what the server uses", asks, the=False, least=MUCH * cap.lasting, say=cap.say)
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
    asks = asked.of(in_bytes=cap.in_bytes)
    say = partial(io_rate, in_bytes=cap.in_bytes)
    verb = "reads and writes" if cap.in_bytes else "sends"
    card = facts.card(
        stands(cap),
        confidence=Confidence.HIGH,
        because=f"The plateau is at a machine's figure; figures of {AS_OF}.",
        knowledge=Knowledge.MEASURED,
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )
    machines = "The limit is the machine's: a larger volume would not raise it."
    if asks is None:
        return card.watch(
            machines,
            formula=f"limit = {limit_text(cap)}",
            flips_when=f"the server uses {say(FULL * limit)} or more, or less than "
            f"{say(MUCH * limit)}",
        )
    name = "what the server uses"
    much = At(name, asks, the=False, least=MUCH * limit, say=say)
    full = At(name, asks, the=False, least=FULL * limit, say=say)
    card = card.but(relieves=held_up(facts, asks / limit), used=asks / limit)
    card = card.but(
        saw=f"{stands(cap)} {asking(asked, verb, say(asks))}.{next_ceiling(facts, cap, asked)}",
        condition=much,
        formula=f"{say(asks)} / {say(limit)} = {percent(asks / limit)}",
    )
    if not much:
        return card.fine(machines)
    if not full:
        card = card.but(condition=much & ~full)
        return not_full(facts, card, asks / limit, say(limit), machines)
    change = by_hand(
        "a larger machine type",
        "Move to a machine type with a higher limit on its volumes",
        (
            "Compare the volume's own limit with the new machine's.",
            "Stop the server, change the machine type, start it.",
            "Measure the drive again.",
        ),
        ("Move back to the old machine type.",),
        Needs.MONEY,
    )
    card = card.but(
        setting="machine type",
        now=say(limit),
        condition=full,
        risk="A stop and a start of the server, and a higher price.",
        cost_of_error="Money: a machine that is larger than needed.",
        side_effects="More processors and memory, which the pool may use.",
        verify=f"iostat -x 1 under load goes above {say(limit)}.",
    )
    pool = pool_first(facts, asks, limit, in_bytes=cap.in_bytes)
    if pool is not None:
        return pool.buys(card, change)
    return card.recommend(
        change,
        effect=f"The server exceeds {say(limit)}, which a larger volume alone can't do.",
    )
