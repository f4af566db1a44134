"""A buffer pool that has to become smaller: memory does not hold it, or is short now."""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE
from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT
from advisor.outcomes import Confidence
from advisor.rulekit import At, Facts, Judged, Relief, Says, Stakes, Wait
from advisor.workload.pool import balloon as of_balloon
from advisor.workload.pool import group_limit as of_group
from advisor.workload.pool import sessions
from advisor.workload.pool.balloon import balloon
from advisor.workload.pool.group_limit import NEAR, can_be_raised, needed, sizes_itself
from advisor.workload.pool.growth import MEMORY
from advisor.workload.pool.held import held
from advisor.workload.pool.memory_short import (
    NEARLY_FULL,
    ROOM,
    GroupFull,
    MemoryShort,
    group_full,
    memory_short,
)
from advisor.workload.pool.room import (
    OVERHEAD,
    TOO_LARGE,
    is_too_large,
    most_for_pool,
    whole_steps,
    whole_steps_for,
)
from advisor.workload.pool.sessions import beside_pools, sessions_take
from probes.figures import percent, size
from probes.kinds.words import capital

LEAST_KEPT = 0.5
"""No more than a half is taken from a pool at once. Our choice."""

LITTLE = 0.25
"""A pool with its descriptors below this share of the memory is not what takes it. Above it, half
of a pool is more than should be available, so that no plan takes from it twice. Our choice."""

TO_SHRINK = (*sessions.USES, *of_balloon.USES, *of_group.USES)
"""Beside what growth looks at."""

VERIFY = (
    "SELECT @@GLOBAL.innodb_buffer_pool_size;\n"
    "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status';"
)
RESIZING = "Wait for the end of an online resize: another one is ignored without an error."
SHRINKS = Says(
    risk="Medium: pages are evicted while the pool shrinks, so reads grow for a while.",
    cost_of_error="Some more reads than necessary.",
    side_effects=f"More requests miss the smaller pool. {RESIZING}",
    verify=VERIFY,
)
"""What each advice on a smaller pool says, whatever asks for it."""


def has_to_shrink(facts: Facts, saw: str) -> Judged | None:
    """Advise a smaller pool where memory asks for it; None where it does not."""
    now, usable = facts.now.number, facts.get(MEMORY)
    if is_too_large(now, usable):
        return _too_large(facts, saw)
    if sessions_take(facts) is not None:
        return None
    if (short := memory_short(facts)) is not None:
        return _gives_back(facts, short, saw)
    full = group_full(facts)
    return None if full is None else _makes_room(facts, full, saw)


def _too_large(facts: Facts, saw: str) -> Judged:
    """Advise a pool that the memory holds, in place of one that it does not."""
    now, usable = facts.now.number, facts.get(MEMORY)
    value, taken = whole_steps(facts, most_for_pool(usable)), OVERHEAD * now
    short = memory_short(facts)
    full = At(
        "pool with its descriptors",
        taken,
        above=TOO_LARGE * usable,
        of=f"{size(now)} x {OVERHEAD}",
        say=lambda figure: f"{size(figure)} ({percent(figure / usable)} of the memory)",
    )
    card = facts.card(
        f"{saw}; with its descriptors it takes {percent(taken / usable)}"
        f"{'' if short is None else f'; {short.text}'}.{_whose_choice(facts)}",
        full,
        flips_when=f"the machine has {size(taken / TOO_LARGE)} of memory or more",
        stakes=Stakes.DATA,
    )
    if not value:
        return card.watch(
            "It is too large, but its chunks and instances allow no smaller size: lower "
            "innodb_buffer_pool_instances first.",
        )
    return card.but(**SHRINKS).recommend(
        facts.to(str(value)),
        effect="Connections, the page cache and the system get enough memory, so the machine does "
        f"not swap and the kernel kills no process.{_or_raise(facts)}",
        confidence=Confidence.HIGH,
    )


def _whose_choice(facts: Facts) -> str:
    """Who made it so large where nobody did, with a space before it."""
    memory = facts.find(HOST_MEMORY)
    if memory is None or not sizes_itself(facts):
        return ""
    return f" innodb_dedicated_server chose it by the {size(memory)} of the machine."


def _or_raise(facts: Facts) -> str:
    """What else would do where a control group's limit is what is too small, after a space."""
    limit, needs = facts.find(HOST_SERVER_MEMORY_LIMIT), needed(facts.now.number)
    available = facts.find(HOST_MEMORY_AVAILABLE)
    if not limit or available is None or not can_be_raised(facts, needs):
        return ""
    return (
        f" Or raise the limit of its control group to {size(needs / NEAR)}: the machine has "
        f"{size(available)} available."
    )


def _gives_back(facts: Facts, short: MemoryShort, saw: str) -> Judged:
    """Advise a smaller pool on a machine that lacks memory."""
    now, usable = facts.now.number, facts.get(MEMORY)
    value, taken = _smaller(facts, short, now), held(facts, now)
    card = facts.card(
        f"{saw}{_in_use(taken, now)}; {short.text}.",
        formula=f"{size(taken)} - {size(short.missing)} that is swapped or short of a reserve of "
        f"{size(short.enough)}",
        flips_when=f"{size(short.enough)} are available, or less than 1 % of the memory is swapped",
        confidence=Confidence.MEDIUM,
        because="Memory is short now; which program could do with less is not known.",
        valid="While the other programs of the machine take what they take now.",
        stakes=Stakes.DATA,
    )
    if OVERHEAD * taken < LITTLE * usable:
        return card.watch(
            f"The pool has {percent(taken / usable)} of the memory, so something else takes it: "
            "find out what, other programs or connections, and give that less.",
        )
    if not 0 < value < now:
        return card.watch(
            "Move another program off this machine: the pool allows no smaller size.",
        )
    return card.but(**SHRINKS).recommend(
        facts.to(str(value)),
        relieves=(Relief.up_to(Wait.MEMORY, 1.0),),
        effect=_stops_swapping(facts, short),
    )


def _stops_swapping(facts: Facts, short: MemoryShort) -> str:
    """What a smaller pool brings, and what ends the shortage without one: first where it is known.

    Buffers that are no larger than they should be may be many.
    """
    stops = "the machine stops swapping: a page that is read back from the swap costs a read"
    taken, beside = balloon(facts), beside_pools(facts)
    if taken is not None:
        return f"{capital(taken.text)} Until then {stops}."
    if beside >= short.missing:
        return (
            f"The server has {size(beside)} beside its pools: better are fewer connections, or "
            f"smaller temporary tables, where it can do with less of that. Else {stops}."
        )
    return (
        f"{capital(stops)} of its own. Where another program can be moved off this machine, do "
        "that instead."
    )


def _makes_room(facts: Facts, full: GroupFull, saw: str) -> Judged:
    """Advise a smaller pool in a control group that is nearly full: the kernel kills, no swap."""
    now, taken = facts.now.number, held(facts, facts.now.number)
    value = whole_steps(facts, max(LEAST_KEPT * taken, taken - full.missing / OVERHEAD))
    card = facts.card(
        f"{saw}{_in_use(taken, now)}; {full.text}.",
        At("resident memory", full.resident, least=NEARLY_FULL * full.limit, say=size),
        formula=f"{size(taken)} - ({size(full.resident)} - {percent(1 - ROOM)} of "
        f"{size(full.limit)}) / {OVERHEAD}",
        confidence=Confidence.HIGH,
        because="Limit and resident memory were read; what further connections take was not.",
        valid="While the group keeps its limit.",
        stakes=Stakes.DATA,
    )
    if OVERHEAD * taken < LITTLE * full.limit or not 0 < value < now:
        return card.watch(
            "The kernel kills what goes beyond the limit: raise it, or find out what takes the "
            f"memory beside the pool ({percent(OVERHEAD * taken / full.limit)} of the limit).",
        )
    return card.but(**SHRINKS).recommend(
        facts.to(str(value)),
        effect="The kernel does not kill the server at the next large sort. "
        f"Or raise the limit by {size(full.missing / (1 - ROOM))}.",
    )


def _smaller(facts: Facts, short: MemoryShort, now: float) -> int:
    """Give the size in bytes that gives back what is missing, and keeps a half of what it holds.

    Where whole steps lead to less than a half, the next one up is enough if it leaves a reserve.
    """
    taken = held(facts, now)
    least = LEAST_KEPT * taken
    wanted = max(least, taken - short.missing / OVERHEAD)
    value = whole_steps(facts, wanted)
    more = whole_steps_for(facts, wanted, now)
    enough = short.available + OVERHEAD * (taken - more) >= short.enough
    return more if value < least and more < now and enough else value


def _in_use(taken: float, now: float) -> str:
    """How much of the pool was ever used, where that is less than all, as part of a sentence."""
    return f", {size(taken)} of them in use" if taken < now else ""
