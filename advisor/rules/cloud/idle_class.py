"""A class whose memory and processors idle.

## What it checks
Whether half of the machine would hold what the server uses of memory and processors.

## Why it matters
A class is paid by the hour whatever of it is used, and the next smaller one of its family costs
half. A pool that its data does not fill, beside processors that idle, shows that it was bought for
a load that did not come.

## How it is judged
- Only where the class or the type of a cloud's machine is known, and the server has run for a day
  (our choice): a pool that was just started is not full.
- Memory that is needed: the pages of the pool in use, and a quarter more for the rest. Processors:
  those that the machine keeps busy, as watched.
- Memory of 45 % or less, and processors of 35 % or less (our choices): watch. Where processors were
  not watched, memory alone is said, with a lower confidence.
- More of either: fine.

## How to check by hand
`Innodb_buffer_pool_pages_free`, `top`, or the provider's graphs of a month.

## Risk and undo
Nothing is changed. Another class takes a restart or a failover, and so does the way back.

## When it is wrong
When the class was chosen for its limits on requests and bytes, for its network, or for a month's
end. When the data grows.

## References
- AWS, "Hardware specifications for DB instance classes"; Microsoft, "Azure Database for MySQL,
  service tiers"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS, HOST_MEMORY, HOST_PLATFORM
from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.watch import WATCH_SERVER_CPU
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Inapplicable, Stakes, Unjudged, rule
from advisor.workload.pool.room import OVERHEAD
from advisor.workload.pool.warming import FREE, TOTAL
from probes.figures import counted, percent, size
from probes.trust.provisioned import cloud_of

POOL, UPTIME = variable("innodb_buffer_pool_size"), status("Uptime")
DAY_S = 24 * 3600.0
BESIDE = 1.25
"""What a server takes beside its pages, as a part of them."""
OF_MEMORY, OF_CPUS = 0.45, 0.35


@rule(
    topic="Cloud volumes",
    needs=(HOST_MEMORY, POOL, FREE, TOTAL),
    uses=(HOST_CPU_THREADS, HOST_PLATFORM, HOST_VOLUME_LIMITS, UPTIME, WATCH_SERVER_CPU),
    stakes=Stakes.HOUSEKEEPING,
)
def check(facts: Facts) -> Answer:
    """Hold what is used against half of the class."""
    platform, limits = facts.find(HOST_PLATFORM), facts.find(HOST_VOLUME_LIMITS)
    if platform is not None and not cloud_of(platform):
        return Inapplicable(f"The machine is in no cloud whose types are known ({platform}).")
    if limits is None:
        return Unjudged(facts.lacks(HOST_VOLUME_LIMITS))
    memory, name = facts.get(HOST_MEMORY), limits.name
    up_s = facts.find(UPTIME)
    if up_s is None or up_s < DAY_S:
        return Unjudged("The server has not run for a day, so its pool may not be full yet.")
    pages, free = facts.get(TOTAL), facts.get(FREE)
    used = facts.get(POOL).number * OVERHEAD * (1 - free / pages if pages else 1.0)
    share = BESIDE * used / memory
    little = At(
        "memory that is needed",
        share,
        of=f"{BESIDE} x {size(used)} / {size(memory)}",
        most=OF_MEMORY,
        say=percent,
    )
    cpus, busy = facts.find(HOST_CPU_THREADS), facts.find(WATCH_SERVER_CPU)
    known = cpus is not None and busy is not None
    saw = f"Of {name}'s {size(memory)} the pages in use and a quarter more take {percent(share)}"
    condition: Condition = little
    if cpus is not None and busy is not None:
        saw += (
            f", and {busy.value:.1f} of {counted(int(cpus), 'processor is', 'processors are')} busy"
        )
        condition = little & At("busy processors", busy.value / cpus, most=OF_CPUS, say=percent)
    card = facts.card(
        f"{saw}.",
        condition,
        confidence=Confidence.MEDIUM if known else Confidence.LOW,
        because="Pages and processors were counted; a busier hour was not seen."
        if known
        else "Processors were not seen: the provider's graph shows them.",
        valid="While the load and the data are like those of the watch.",
    )
    if not condition:
        return card.fine("Fine as it is: a class of half the size would not hold it.")
    look = "" if known else " Look at its processors first."
    return card.watch(
        f"A class of half the size holds that, with what it lets its volumes do.{look} Be sure "
        "first: a week of watches, and a pool that is made smaller in steps while misses stay few.",
        cost_of_error="A restart each way, or a busy hour that is slow.",
    )
