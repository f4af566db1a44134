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
- Not where a control group gives the server a part of its machine: others have the rest.
- Memory that is needed: the pages of the pool in use and a quarter more for the rest, or what the
  kernel says is not available, where that is more. Processors: those that the machine keeps busy,
  as watched.
- A pool of less than a quarter of the memory (our choice): not judged, a larger one may be wanted.
  Nor where the pool is full and could grow, and its misses are not known, or cost queries time.
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

from advisor.facts.machine.host import HOST_MEMORY, HOST_PLATFORM
from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE, HOST_MEMORY_USABLE
from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS
from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.steal import WATCH_CPU_STEAL
from advisor.facts.watched.watch import WATCH_CPU_BUSY
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Inapplicable, Stakes, Unjudged, rule
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.growth import UNUSED, growth
from advisor.workload.pool.read_cost import LITTLE, NOTHING
from advisor.workload.pool.room import OVERHEAD
from advisor.workload.pool.warming import FREE, TOTAL, unused_share
from probes.figures import percent, size
from probes.trust.provisioned import cloud_of

POOL, UPTIME = variable("innodb_buffer_pool_size"), status("Uptime")
DAY_S = 24 * 3600.0
BESIDE = 1.25
"""What a server takes beside its pages, as a part of them."""
OF_MEMORY, OF_CPUS = 0.45, 0.35
OF_POOL = 0.25
NOTABLE = 0.01
"""What the host withholds is named from this share on."""
NO_TYPE = "The machine's type is not known."
MISSES = status("Innodb_buffer_pool_reads")


@rule(
    topic="Cloud volumes",
    do="Watch a week, then take a smaller class",
    needs=(HOST_MEMORY, POOL, FREE, TOTAL),
    uses=(
        MYSQL_VERSION,
        HOST_MEMORY_AVAILABLE,
        HOST_MEMORY_USABLE,
        HOST_PLATFORM,
        HOST_SERVER_MEMORY_LIMIT,
        HOST_VOLUME_LIMITS,
        UPTIME,
        WATCH_CPU_BUSY,
        *pool_growth.USES,
        WATCH_CPU_STEAL,
    ),
    stakes=Stakes.HOUSEKEEPING,
)
def check(facts: Facts) -> Answer:
    """Hold what is used against half of the class."""
    platform, limits = facts.find(HOST_PLATFORM), facts.find(HOST_VOLUME_LIMITS)
    if platform is not None and not cloud_of(platform):
        return Inapplicable(f"The machine is in no cloud whose types are known ({platform}).")
    if facts.find(HOST_SERVER_MEMORY_LIMIT):
        return Inapplicable("The server has a part of its machine alone.")
    if limits is None or not limits.name:
        return Unjudged(facts.lacks(HOST_VOLUME_LIMITS) if limits is None else NO_TYPE)
    if facts.get(POOL).number < OF_POOL * facts.get(HOST_MEMORY):
        return Unjudged("The pool is so small that it does not show what the server could use.")
    up_s = facts.find(UPTIME)
    if up_s is None or up_s < DAY_S:
        return Unjudged("The server has not run for a day, so its pool may not be full yet.")
    return _held(facts, limits.name)


def _may_grow(facts: Facts) -> bool:
    """Whether a larger pool is worth its memory, or nobody can tell: it is full, and misses count.

    A pool that data or memory lets grow no further has what it needs.
    """
    missed = facts.find(MISSES)
    if unused_share(facts) > UNUSED or (missed is not None and missed < NOTHING):
        return False
    found = growth(facts)
    if found is None:
        return True
    costs = found.cost is None or found.cost.waiting >= LITTLE
    return found.worth and (costs or found.clear or found.waiting)


def _needed(facts: Facts) -> float:
    """Bytes that the server's pages and the rest take, and other programs of the machine."""
    pages, free = facts.get(TOTAL), facts.get(FREE)
    used = BESIDE * OVERHEAD * facts.get(POOL).number * (1 - free / pages if pages else 1.0)
    available = facts.find(HOST_MEMORY_AVAILABLE)
    return used if available is None else max(used, facts.get(HOST_MEMORY) - available)


def _held(facts: Facts, name: str) -> Answer:
    memory = facts.get(HOST_MEMORY)
    needed = min(memory, _needed(facts))
    share, busy = needed / memory, facts.find(WATCH_CPU_BUSY)
    of = f"{size(needed)} / {size(memory)}"
    little: Condition = At("memory that is needed", share, of=of, most=OF_MEMORY, say=percent)
    saw = f"Of {name}'s {size(memory)} {percent(share)} are needed"
    if busy is not None:
        saw += f", and {percent(busy.value)} of its processors are busy"
        held = facts.find(WATCH_CPU_STEAL)
        if held is not None and held.value >= NOTABLE:
            saw += f" ({percent(held.value)} withheld by the host)"
        little &= At("busy processors", busy, most=OF_CPUS, say=percent)
    card = facts.card(
        f"{saw}.",
        little,
        confidence=Confidence.LOW if busy is None else Confidence.MEDIUM,
        because="Processors were not seen: the provider's graph shows them."
        if busy is None
        else "Pages and processors were counted; a busier hour was not seen.",
        valid="While the load and the data are like those of the watch.",
    )
    if not little:
        return card.fine("Fine as it is: a class of half the size would not hold it.")
    if _may_grow(facts):
        return Unjudged("A larger pool may be wanted: what lies idle is memory for it.")
    look = " Look at its processors first." if busy is None else ""
    return card.watch(
        f"Half of it holds that, with what it lets its volumes do.{look} Be sure first: a week of "
        "watches, and a pool that is made smaller in steps while misses stay few.",
        saw=f"{saw}: a class of half the size may do.",
        cost_of_error="A restart each way, or a busy hour that is slow.",
    )
