"""Automatic sizing by the machine's memory (innodb_dedicated_server).

## What it checks
Whether innodb_dedicated_server made the buffer pool larger than the server's memory allows, alone
or beside its other pools and caches.

## Why it matters
The switch sizes the buffer pool by all memory of the machine and the redo log by memory or CPUs,
where these are not set by hand. Measured on 23 GiB and 2 CPUs: 8.0.33 uses a pool of 18 GiB and a
redo log of 14 GiB, and changes the flush method to O_DIRECT_NO_FSYNC; 9.7.4 uses 17.25 GiB, a redo
log of 1 GiB and leaves the flush method alone. In a container or beside other programs that is too
much.

## How it is judged
- Off: fine.
- On, and the machine swaps, or less than 3 % of its memory is left (our choice): the switch is the
  cause, for it sizes the pool as if nothing else ran there. Both sizes are to be set by hand.
- On, and less than a tenth of the memory is available (of a large memory 8 GiB, or 3 %; our
  choices): watched.
- On, and the buffer pool is within 80 % (our choice) of the memory that the server may use: fine,
  unless it is the largest of the pools and caches that together may take more than 90 % (our
  choice).
- On, and the memory does not hold the pool that it chose, as its own rule says: it is to be
  switched off with the next restart. The pool has its size by that rule. The redo log gets an hour
  of its growth, 4 GiB at least, and half as much again as waits in it now (our choices), and the
  flush method of 8.0 O_DIRECT: without these lines the log falls to 100 MiB, and the method to
  fsync. Where the growth is not known, or that is more than the log has, or an older version sizes
  the log by its files, it is watched.
- On with more of either else: watched. Set innodb_buffer_pool_size and innodb_redo_log_capacity by
  hand before it is switched off: without them the pool falls to 128 MiB.

## How to check by hand
`SELECT @@innodb_dedicated_server, @@innodb_buffer_pool_size, @@innodb_flush_method;` and the memory
limit of the container.

## Risk and undo
Where memory is short, or does not hold the pool, several settings at once and a restart. Else
nothing is proposed.

## When it is wrong
When the memory limit that was read is not the server's.

## References
- MySQL reference manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server"
- Behaviour of MySQL 8.0.33 and 9.7.4 on a real machine
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE, HOST_MEMORY_USABLE
from advisor.facts.server.memory import MEMORY_LIMIT, MEMORY_POOLS
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_CAPACITY
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Condition,
    Facts,
    Is,
    Knowledge,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    mysql,
    rule,
)
from advisor.rules.memory_limits._pools import FULL, taken_once, too_much_once
from advisor.rules.memory_limits._pools import USES as POOLS
from advisor.rules.memory_limits._switched_off import USES as OFF
from advisor.rules.memory_limits._switched_off import switched_off
from advisor.variables.aurora import RDS
from advisor.variables.catalogue import MYSQL
from advisor.workload.pool import memory_short as short_of_memory
from advisor.workload.pool.memory_short import LEAST, enough_left, memory_short
from probes.figures import percent, size

POOL = "innodb_buffer_pool_size"
MOST = 0.8
STEP = 128 << 20
DEFAULT_POOL = 128 << 20
CAUSE = 0.5
"""What the cause of a small pool counts for beside what comes of it (our choice)."""
SMALL = 2 << 30
"""On less memory a pool of the default size may be right."""


@rule(
    topic="Memory",
    do="Set pool and redo log by hand",
    setting="innodb_dedicated_server",
    uses=(
        variable(POOL),
        *POOLS,
        MEMORY_LIMIT,
        HOST_MEMORY,
        REDO_CAPACITY,
        *OFF,
        *short_of_memory.USES,
    ),
    applies_to=(mysql("8.0.3"),),
    findings=("F121",),
    major=True,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare the pool that it chose with the memory that the server may use, and what is left."""
    on = Is(facts.now.on, "it is switched on")
    if not on:
        return _off(facts, on)
    pool, memory = facts.find(variable(POOL)), facts.find(HOST_MEMORY_USABLE)
    if pool is None or memory is None:
        return Unjudged("The server sizes itself; the memory that it may use is not known.")
    share, of = pool.number / memory, f"{size(pool.number)} / {size(memory)}"
    over = At("buffer pool's share of the memory", share, above=MOST, of=of, say=percent)
    whose = "that its control group allows" if facts.find(MEMORY_LIMIT) else "of the machine"
    saw = (
        f"The server sizes itself: its buffer pool has {size(pool.number)} of the {size(memory)} "
        f"{whose}"
    )
    card = facts.card(
        f"{saw}.",
        over,
        because="Pool and memory were read; what else runs on the machine is not known.",
    )
    method = _method(facts)
    lacks = _lacks_memory(facts)
    if lacks is not None:
        seen = card.but(
            saw=f"{saw}, and {lacks[0]}: it shares the machine.", condition=on & lacks[1]
        )
        return _by_hand(facts, seen, method)
    if (tight := _tight(facts, memory)) is not None:
        return card.but(condition=tight).watch(
            f"Look at the memory under load: where so little stays available, set {POOL} and "
            f"{_log(facts)} by hand.{method}",
            cost_of_error="Memory left idle.",
        )
    full = _with_the_others(facts)
    if not over and not full:
        fine = card.but(condition=_nearer(facts, pool.number, over, full))
        if full is None and facts.find(MEMORY_POOLS) is not None:
            fine = fine.but(flips_when="its pool is the largest of pools that fill the memory")
        return fine.fine(f"Fine as it is.{method}")
    return _too_much(facts, card if over or full is None else card.but(condition=full), over)


def _too_much(facts: Facts, card: Card, over: Condition) -> Answer:
    """Switch it off with lines for what it decides, or say which are to be there first."""
    if (off := switched_off(facts, card)) is not None:
        return off
    counts = (
        "it counts memory that the server does not have"
        if over
        else "it leaves too little for the other pools and caches, which it does not count"
    )
    return card.watch(
        f"Set {POOL} and {_log(facts)} by hand, then switch it off: {counts}.{_method(facts)}",
        cost_of_error="Memory left idle.",
    )


def _method(facts: Facts) -> str:
    """What it makes of the flush method, and what that is without it, after a space."""
    if not facts.version.before(MYSQL, 8, 4):
        return ""
    return (
        " It also sets the flush method to O_DIRECT_NO_FSYNC, unless that is set by hand: without "
        "it, it is fsync again, so that innodb_flush_method = O_DIRECT belongs beside the sizes."
    )


def _off(facts: Facts, on: Condition) -> Answer:
    """Judge sizes that are the server's smallest because the service's own sizing is off."""
    card = facts.card("The server's sizes are set by hand or by default.", on)
    pool, memory = facts.find(variable(POOL)), facts.find(HOST_MEMORY_USABLE)
    if facts.version.vendor != RDS or not facts.version.at_least(MYSQL, 8, 4):
        return card.fine()
    if pool is None or pool.number > DEFAULT_POOL or (memory is not None and memory < SMALL):
        return card.fine()
    return card.watch(
        "Set both sizes by hand, or switch it on: then the pool gets three quarters of the memory, "
        "and the redo log 1 GB for two processors.",
        saw="Amazon RDS sizes MySQL 8.4 on its own; that is off here, and the buffer pool has the "
        f"{size(pool.number)} that are left without it.",
        condition=~on,
        urgency=CAUSE,
        cost_of_error="A reboot.",
        flips_when="both sizes are set by hand",
    )


def _nearer(facts: Facts, pool: float, over: At, full: At | None) -> Condition:
    """What a larger pool meets: all pools together before its own share, or that as well."""
    if full is None:
        return over
    memory = facts.get(HOST_MEMORY_USABLE)
    sooner = FULL * memory - taken_once(facts) < MOST * memory - pool
    return full if sooner else over | full


def _tight(facts: Facts, usable: float) -> At | None:
    """Ask whether less is available than should be, None where enough is or nobody knows."""
    memory, left = facts.find(HOST_MEMORY), facts.find(HOST_MEMORY_AVAILABLE)
    if memory is None or left is None or usable < memory:
        return None
    little = At("available memory", left, below=enough_left(memory), say=size)
    return little if little else None


def _with_the_others(facts: Facts) -> At | None:
    """Ask whether all pools fill the memory; None where its own is not the largest of them."""
    pools = facts.find(MEMORY_POOLS)
    return too_much_once(facts) if pools is not None and pools.largest == POOL else None


def _log(facts: Facts) -> str:
    """What sizes the redo log on this version."""
    if facts.version.at_least(MYSQL, 8, 0, 30):
        return "innodb_redo_log_capacity"
    return "innodb_log_file_size and innodb_log_files_in_group"


def _lacks_memory(facts: Facts) -> tuple[str, Condition] | None:
    """What says that the machine is short of memory, and its condition; None where nothing does.

    Where a control group ends before the machine, what the machine has left says nothing.
    """
    short = memory_short(facts)
    if short is not None:
        return short.text, Is(is_so=True, yes="the machine swaps", no="it no longer swaps")
    memory, left = facts.find(HOST_MEMORY), facts.find(HOST_MEMORY_AVAILABLE)
    if not memory or left is None or facts.find(MEMORY_LIMIT) is not None:
        return None
    little = At("available memory", left, below=LEAST * memory, say=size)
    return (f"{size(left)} of {size(memory)} are available", little) if little else None


def _by_hand(facts: Facts, card: Card, method: str) -> Answer:
    """Take the switch for the cause: it counts memory that other programs have."""
    capacity, log = facts.find(REDO_CAPACITY), _log(facts)
    kept = "" if capacity is None else f" for the {size(capacity)} that it has now, or less"
    return card.recommend(
        by_hand(
            "both sizes by hand",
            f"Set {POOL} and {log} by hand",
            (
                f"Write {POOL} into the option file: {_fits(facts)}.",
                f"Write {log} there{kept}.",
                *(("Write innodb_flush_method = O_DIRECT there.",) if method else ()),
                "Take innodb_dedicated_server out of it: without them the pool would fall to "
                "128 MiB.",
                "Restart the server, and look at the memory that is left under load.",
            ),
            ("Write innodb_dedicated_server = ON again, take these lines out and restart.",),
            Needs.RESTART,
        ),
        effect="The kernel no longer swaps or kills the server for memory that other programs "
        f"use.{method}",
        stakes=Stakes.DATA,
        risk="Medium: takes a restart; a smaller pool reads more.",
        cost_of_error="Memory left idle.",
    )


def _fits(facts: Facts) -> str:
    """Say which pool leaves enough of the memory; on a machine that swaps its own rule does."""
    if memory_short(facts) is not None:
        return "what the advice on the buffer pool's size says"
    pool, memory = facts.get(variable(POOL)).number, facts.get(HOST_MEMORY_USABLE)
    missing = enough_left(memory) - (facts.find(HOST_MEMORY_AVAILABLE) or 0.0)
    fits = max(STEP, max(pool / 2, pool - missing) // STEP * STEP)
    return f"what the machine has left for it, at most {size(fits)}"
