"""How far MariaDB may shrink its buffer pool under memory pressure.

## What it checks
Whether `innodb_buffer_pool_size_auto_min` lets the server shrink its pool, and how far.

## Why it matters
On Linux, MariaDB can react to memory pressure and shrink the pool down to this limit. That saves
the machine from swapping, and evicts pages that queries need just then: reads grow at the worst
moment, and the pool stays small until it is enlarged again.

## How it is judged
- The limit is at or above the pool's present size: the server never shrinks it. Fine.
- The limit is at least 0.8 times the pool (our choice): little can be lost. Fine.
- Below that: watch, with the present rate of misses.
- The pool has less than nine tenths of what its option line says (our choice), and may be shrunk
  that far: it was. Watch, for it stays so.

## How to check by hand
`SELECT @@innodb_buffer_pool_size, @@innodb_buffer_pool_size_auto_min;` and the error log, which
reports each shrinking.

## Risk and undo
Can be set online. At the value of `innodb_buffer_pool_size_max` the feature is off.

## When it is wrong
On a shared machine, where the pool is meant to yield its memory.

## References
- MariaDB documentation, innodb_buffer_pool_size_auto_min
- MariaDB MDEV-24670
"""

from __future__ import annotations

from advisor.facts.server.option_files import MYSQL_OPTION_FILES
from advisor.facts.server.status import status
from advisor.rulekit import Answer, At, Facts, Knowledge, mariadb, rule
from advisor.rules.buffer_pool._pool import NO_SERVER, SIZE
from probes.figures import percent, rate, size

LITTLE_LOST, STILL = 0.8, 0.9
SHRUNK = 0.1
"""What a pool that was shrunk counts for where nobody knows what its misses cost (our choice)."""

SIZE_NAME = "innodb_buffer_pool_size"


@rule(
    topic="Buffer pool",
    do="Find what takes the memory, before the pool shrinks again",
    setting="innodb_buffer_pool_size_auto_min",
    needs=(SIZE,),
    uses=(status("Innodb_buffer_pool_reads"), MYSQL_OPTION_FILES),
    applies_to=(mariadb("10.11.12", "10.12"), mariadb("11.4.6", "11.5"), mariadb("11.8.2")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Say how much of the pool the server may give away."""
    now, pool = facts.now, facts.get(SIZE)
    if now.default or pool.default or pool.number <= 0:
        return NO_SERVER
    kept = min(1.0, now.number / pool.number)
    little_lost = At(
        "share of the pool that is kept",
        kept,
        least=LITTLE_LOST,
        of=f"{size(now.number)} / {size(pool.number)}",
        say=percent,
    )
    card = facts.card(
        "The server never shrinks its buffer pool."
        if now.number >= pool.number
        else f"Under memory pressure the server may shrink its pool of {size(pool.number)} to "
        f"{size(now.number)}.",
        little_lost,
    )
    was = _written(facts)
    if now.number < pool.number < STILL * was:
        return card.watch(
            "Find out what takes the memory. Once it is free, set innodb_buffer_pool_size to "
            f"{was:.0f} again, and this limit to what the pool must not fall below.",
            saw=f"The pool has {size(pool.number)} in place of the {size(was)} of its option line: "
            "the server shrank it under memory pressure, and does not grow it back.",
            condition=~At("pool / its option line", pool.number / was, least=STILL, say=percent),
            urgency=SHRUNK,
            because="No other origin of the present size is known.",
            cost_of_error="A pool that is shrunk again.",
        )
    if little_lost:
        return card.fine()
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    more = "" if not missed else f" {rate(missed, 'requests')} miss the whole pool already."
    return card.watch(
        f"Up to {percent(1 - kept)} of the cached pages may be evicted when the machine is short "
        f"of memory, and the pool does not grow back.{more}",
        because="How often the machine is short of memory is not known.",
        valid="For Linux with pressure-stall information.",
        cost_of_error="With a higher limit, swapping instead of reads.",
    )


def _written(facts: Facts) -> float:
    """The size in bytes that the last option line gives the pool; 0 where none is known."""
    files = facts.find(MYSQL_OPTION_FILES)
    lines = () if files is None else files.by_name().get(SIZE_NAME, ())
    meant = lines[-1].meant if lines else None
    return float(meant) if meant is not None and meant.isdigit() else 0.0
