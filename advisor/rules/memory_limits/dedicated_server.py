"""Automatic sizing by the machine's memory (innodb_dedicated_server).

## What it checks
Whether innodb_dedicated_server made the buffer pool larger than the server's memory allows.

## Why it matters
The switch sizes the buffer pool by all memory of the machine and the redo log by memory or CPUs,
where these are not set by hand. Measured on 23 GiB and 2 CPUs: 8.0.33 uses a pool of 18 GiB and a
redo log of 14 GiB, and changes the flush method to O_DIRECT_NO_FSYNC; 9.7.4 uses 17.25 GiB, a redo
log of 1 GiB and leaves the flush method alone. In a container or beside other programs that is too
much.

## How it is judged
- Off: fine.
- On, and the buffer pool is within 80 % (our choice) of the memory that the server may use: fine.
- On with more: watched. Set innodb_buffer_pool_size and innodb_redo_log_capacity by hand before it
  is switched off: without them the pool falls to 128 MiB.

## How to check by hand
`SELECT @@innodb_dedicated_server, @@innodb_buffer_pool_size, @@innodb_flush_method;` and the memory
limit of the container.

## Risk and undo
Nothing is proposed: it needs three settings at once and a restart.

## When it is wrong
When the memory limit that was read is not the server's.

## References
- MySQL reference manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server"
- Behaviour of MySQL 8.0.33 and 9.7.4 on a real machine
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY_USABLE, MEMORY_LIMIT, variable
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, mysql, rule
from advisor.variables.catalogue import MYSQL
from probes.figures import percent, size

POOL = "innodb_buffer_pool_size"
MOST = 0.8


@rule(
    topic="Memory",
    setting="innodb_dedicated_server",
    uses=(variable(POOL), HOST_MEMORY_USABLE, MEMORY_LIMIT),
    applies_to=(mysql("8.0.3"),),
    major=True,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare the pool that it chose with the memory that the server may use."""
    on = Is(facts.now.on, "it is switched on")
    if not on:
        return facts.card("The server's sizes are set by hand or by default.", on).fine()
    pool, memory = facts.find(variable(POOL)), facts.find(HOST_MEMORY_USABLE)
    if pool is None or memory is None:
        return Unjudged("The server sizes itself; the memory that it may use is not known.")
    share, of = pool.number / memory, f"{size(pool.number)} / {size(memory)}"
    over = At("the buffer pool's share of the memory", share, above=MOST, of=of, say=percent)
    whose = "that its control group allows" if facts.find(MEMORY_LIMIT) else "of the machine"
    card = facts.card(
        f"The server sizes itself: its buffer pool has {size(pool.number)} of the {size(memory)} "
        f"{whose}.",
        over,
        because="Pool and memory were read; what else runs on the machine is not known.",
    )
    method = (
        " It also sets the flush method to O_DIRECT_NO_FSYNC, unless that is set by hand."
        if facts.version.before(MYSQL, 8, 4)
        else ""
    )
    if not over:
        return card.fine(f"Fine as it is.{method}")
    return card.watch(
        f"Set {POOL} and innodb_redo_log_capacity by hand, then switch it off: it counts memory "
        f"that the server does not have.{method}",
        cost_of_error="Memory left idle.",
    )
