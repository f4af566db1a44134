"""What a larger buffer pool brings: the misses that are left, and the waits that end with them."""

from __future__ import annotations

from advisor.facts.machine.host import HOST_VIRTUAL
from advisor.facts.machine.kernel import HOST_NUMA_NODES
from advisor.facts.server.variables import variable
from advisor.facts.watched.drive import MANY_CACHED
from advisor.facts.watched.watch import POOL_MISS_CURVE, WATCH_SERVER_CPU
from advisor.model.server.miss_cpu import per_miss
from advisor.outcomes import Confidence
from advisor.rulekit import At, Card, Change, Facts, Judged, Range, Relief, Wait
from advisor.variables.aurora import AURORA
from advisor.variables.catalogue import MYSQL
from advisor.variables.managed import CLOUD_SQL, service_of
from advisor.workload.commits_beside import USES as COMMITS_USES
from advisor.workload.commits_beside import part_of_flushing
from advisor.workload.far_drive import USES as FAR_USES
from advisor.workload.far_drive import far_drive
from advisor.workload.pool.growth import Growth
from advisor.workload.pool.memory_short import INTERLEAVED, node_was_full
from advisor.workload.pool.read_cost import MISS_CPU_USES, ReadCost, cached_reads, miss_cpu_us
from advisor.workload.pool.room import GIB, OVERHEAD
from advisor.workload.pool.saved import saved_share
from advisor.workload.pool.sessions import sessions_take
from advisor.workload.pool_instances import pool_instances
from probes.figures import percent, rate, size

SIZE_MAX = variable("innodb_buffer_pool_size_max")

USES = (
    *MISS_CPU_USES,
    *COMMITS_USES,
    *FAR_USES,
    POOL_MISS_CURVE,
    WATCH_SERVER_CPU,
    SIZE_MAX,
    HOST_NUMA_NODES,
    INTERLEAVED,
)
"""The facts that it reads beside those of the growth."""

NOTABLE = 0.05
"""A smaller part of a commit's time is not spoken of (our choice)."""


PERHAPS = 0.25
"""The part of the queries waiting for it that a pool which can't grow counts for among all lines,
where a class with more memory can be bought (our choice)."""


def no_larger(facts: Facts, cost: ReadCost, card: Card) -> Judged:
    """Name what remains where the pool can't grow; at a service among all lines by who waits."""
    sold = service_of(facts.known_version) is not None
    # What makes reads as slow as this is the volume, and its limit comes first.
    held = far_drive(facts, of_redo=False).at_limit(cost.latency_us.value)
    return card.watch(
        f"The pool has what memory and data allow: what remains is {_what_remains(facts)}.",
        urgency=PERHAPS * (cost.share or 0.0) if sold and not held else 0.0,
    )


def _what_remains(facts: Facts) -> str:
    """What shortens reads where the pool can't grow, in words that follow "what remains is"."""
    if facts.vendor == AURORA:
        return "a class with more memory, fewer reads per query, or another reader for some of them"
    if facts.vendor == CLOUD_SQL:
        return "more memory, fewer reads per query or Enterprise Plus' data cache on a local SSD"
    if service_of(facts.known_version) is not None:
        return "a class with more memory, fewer reads per query or a volume with less latency"
    drive = "volume" if far_drive(facts, of_redo=False).over_network else "drive"
    return f"more memory, fewer reads per query or a {drive} with less latency"


def larger(facts: Facts, found: Growth) -> Change:
    """The larger pool, at run time where that works and does no harm.

    MariaDB grows its pool online only up to the limit that it was started with. One of several NUMA
    nodes that was full gets no more before the pool is interleaved, which takes a restart.
    """
    limit, value = facts.find(SIZE_MAX), str(found.value)
    beyond = limit is not None and limit.number < found.value
    # One that somebody has set stays: it goes up with the pool.
    first = ((limit, value),) if limit and beyond and limit.is_stated else ()
    return facts.to(value, first=first, dynamic=False if beyond or node_was_full(facts) else None)


def left_text(found: Growth) -> str:
    """What is left for all else: of what is available now, which leaves out what others use."""
    left, of = found.usable - OVERHEAD * found.value, ""
    if found.available is not None:
        left = max(0.0, found.available - OVERHEAD * (found.value - found.now))
        of = f" of the {size(found.available)} that are available now"
    return f"{size(left)}{of} remain for everything else"


def forecast_text(facts: Facts, found: Growth) -> str:
    """How many misses the larger pool would have had; "" where nothing shows it."""
    left = _left(facts, found)
    if left is None:
        return ""
    at_most = " at most" if _beyond(facts, found) else ""
    return (
        f"With {size(found.value)}{at_most} {left.text(percent)} of the traced page reads remain."
    )


def _left(facts: Facts, found: Growth) -> Range | None:
    """The share of the traced misses that is left, as far as their curve reaches."""
    curve = facts.find(POOL_MISS_CURVE)
    if curve is None:
        return None
    page_bytes = found.now / curve.pool_pages
    return curve.share(min(found.value / page_bytes, curve.reach_pages))


def _beyond(facts: Facts, found: Growth) -> bool:
    """Whether the larger pool is beyond what the curve of misses shows."""
    curve = facts.find(POOL_MISS_CURVE)
    return curve is not None and found.value * curve.pool_pages > found.now * curve.reach_pages


def relieves(facts: Facts, found: Growth) -> tuple[Relief, ...]:
    """What the larger pool does to waits: misses end, and what they cost of processors.

    Nothing that is known where it takes the place of a page cache, which answers misses as well.
    """
    if found.for_cache:
        return ()
    saved = saved_share(facts, found)
    reliefs = [Relief(Wait.PAGE_READS, saved), Relief(Wait.FREE_PAGES, saved)]
    if (sooner := _commits_sooner(facts, saved)) is not None:
        reliefs.append(Relief(Wait.COMMITS, sooner))
    cpu = facts.find(WATCH_SERVER_CPU)
    if cpu is not None and cpu.value > 0:
        each_us = miss_cpu_us(facts)
        spared = [
            _of_processors(part) * found.missed_per_s * each / 1e6
            for part, each in (
                (saved.value, each_us.value),
                (saved.low, each_us.low),
                (saved.high, each_us.high),
            )
        ]
        reliefs.append(Relief.part(Wait.PROCESSORS, Range(*spared), cpu.value))
    return tuple(reliefs)


def _of_processors(saved: float) -> float:
    """The share of what misses take of processors that ends with this share of them."""
    left = 1 - saved
    return 1 - left * per_miss(1.0, left)


def held_by_cache(facts: Facts, found: Growth, seen: str) -> Card | None:
    """What is seen of misses that the page cache answers, which O_DIRECT takes away; else None."""
    cached = cached_reads(facts)
    if cached is None or not found.for_cache:
        return None
    answered = At("share of the page cache", cached.share, least=MANY_CACHED, say=percent)
    misses = rate(found.missed_per_s, "requests")
    return facts.card(
        f"{seen}{idle_text(found)}; {misses} miss it, and the page cache, which O_DIRECT takes "
        f"away, answers {percent(cached.share.value)} of these reads.",
        answered,
        formula=f"{misses} x a read of the drive = {found.past_cache:.2f} queries that wait",
        flips_when=answered.turn,
        confidence=Confidence.LOW if found.available is None else Confidence.MEDIUM,
        because="The reads that never reached the drive were counted; how much memory the page "
        "cache has for them was not.",
    )


def cache_lost_text(found: Growth) -> str:
    """What O_DIRECT costs without the larger pool."""
    now = "fewer" if found.cost is None else found.cost.waiting_text
    return (
        "It takes the memory of the page cache, which ends with the O_DIRECT that goes with it: "
        f"else {found.past_cache:.2f} queries at a time would wait for a read in place of {now}."
    )


def writes_text(facts: Facts, found: Growth) -> str:
    """What fewer page writes do to commits, with a space before it; "" where nothing shows it."""
    sooner = _commits_sooner(facts, saved_share(facts, found))
    if sooner is None or sooner.high < NOTABLE:
        return ""
    return (
        " Pages that stay are not written to make room for others: beside fewer writes a commit's "
        f"sync takes up to {percent(sooner.high)} less."
    )


def step_text(found: Growth) -> str:
    """Why the pool does not grow further at once, with a space before it; "" where it does."""
    step = found.step
    if step is None:
        return ""
    if not step.traced:
        return (
            f" It is a step: {size(step.most)} would fit, but nobody has seen how much of the data "
            "is read again and again. Watch again once it is full."
        )
    if step.unknown:
        return (
            f" It is a step: what more saves, up to {size(step.most)}, the trace did not see. "
            "Watch again once it is full."
        )
    return (
        f" It is a step: {size(step.most)} would save hardly more of the misses that were traced, "
        "and other programs may need that memory. Watch again once it is full."
    )


def _commits_sooner(facts: Facts, saved: Range) -> Range | None:
    """The share of a commit's sync that ends with the page writes of misses that are saved.

    Nothing shows which pages were written to make room, and which for the redo log: half of them
    are expected to, up to all.
    """
    beside = part_of_flushing(facts)
    return None if beside is None else Range(saved.value / 2, 0.0, saved.high) * beside


def rests_on(found: Growth) -> str:
    """What the answer rests on."""
    if found.data is None:
        return "The server's counters and the size of the memory"
    return "The server's counters, the size of its data and of the memory"


def idle_text(found: Growth) -> str:
    """How much memory is available, as far as somebody knows."""
    return "" if found.available is None else f", {size(found.available)} are available"


def undivided_text(facts: Facts, found: Growth) -> str:
    """That an online resize makes no more instances; a sentence after a space, "" if not so.

    A pool below 1 GiB has one, whatever is set (MySQL reference manual, "Configuring Multiple
    Buffer Pool Instances"); a page cleaner works on one at a time.
    """
    online = facts.version.at_least(MYSQL, 5, 7, 5) and found.now < GIB <= found.value
    if not online or pool_instances(facts) > 1:
        return ""
    return (
        " Until the next restart it stays one instance, with one page cleaner; that start makes as "
        "many as are set, or as the server chooses."
    )


def rest_text(facts: Facts) -> str:
    """Where more memory for the pool may come from."""
    if sessions_take(facts) is not None:
        return "sessions have the rest, so their buffers come first"
    machine = "guest" if facts.find(HOST_VIRTUAL) else "machine"
    return f"find out what uses the rest, or give the {machine} more memory"
