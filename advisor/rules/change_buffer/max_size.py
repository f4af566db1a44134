"""The change buffer's share of the buffer pool.

## What it checks
Whether the change buffer has reached `innodb_change_buffer_max_size`.

## Why it matters
The limit reserves nothing: a small buffer under a large limit costs nothing. At the limit the
server merges changes at once, in the foreground, and the buffer saves no more reads; it still takes
its pages from the pool.

## How it is judged
- `used = pages of the change buffer / (pages of the pool x limit)`.
- `innodb_change_buffering` is `none`: not applicable.
- Under 80 % (our choice): fine.
- 80 % or more, and a random read takes over 3 ms (our choice): recommended twice the limit, or what
  the buffer needs to be below 80 %; at most 50 %.
- 80 % or more otherwise: watch. Where reads are cheap, no buffering is better.

## How to check by hand
"Ibuf: size" in SHOW ENGINE INNODB STATUS, in pages.

## Risk and undo
Changes online. A larger buffer takes pages from the data, and makes slow shutdowns slower.

## When it is wrong
When one bulk load that is over filled the buffer.

## References
- MySQL reference manual, innodb_change_buffer_max_size
"""

from __future__ import annotations

from advisor.facts.server.pool import POOL_BUFFERED_CHANGES
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Knowledge,
    Unjudged,
    mariadb,
    mysql,
    rule,
)
from advisor.workload.single_read import CURVE, SEEK_US, single_read_us
from probes.figures import count, counted, duration_us, percent

PAGES = status("Innodb_buffer_pool_pages_total")
FULL, MOST = 0.8, 50


@rule(
    topic="Reads",
    do="Enlarge the pool, or buffer no changes",
    setting="innodb_change_buffer_max_size",
    needs=(variable("innodb_change_buffering"), POOL_BUFFERED_CHANGES, PAGES),
    uses=(CURVE,),
    applies_to=(mysql("5.6.2"), mariadb("10.0", "11.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask how full the buffer is, then what a read costs."""
    if facts.get(variable("innodb_change_buffering")).value.lower() == "none":
        return Inapplicable("Changes are not buffered, so the limit has no effect.")
    now, used, pages = facts.now, facts.get(POOL_BUFFERED_CHANGES), facts.get(PAGES)
    limit = pages * now.number / 100
    if limit <= 0:
        return Unjudged("The server reports a buffer pool or a change buffer limit of 0.")
    full = At("change buffer", used, least=FULL * limit, say=_pages)
    card = facts.card(
        f"The change buffer holds {counted(used, 'page')}, {percent(used / limit)} of its limit of "
        f"{count(limit)}.",
        full,
    )
    if not full:
        return card.fine()
    value = min(MOST, max(int(2 * now.number), int(used / (FULL * pages) * 100) + 1))
    read_us = single_read_us(facts)
    larger = value > now.number
    seek = At("read latency", read_us or 0.0, above=SEEK_US, say=duration_us)
    if seek and larger:
        return card.recommend(
            facts.to(str(value)),
            condition=full & seek,
            effect="More changes are buffered before any is merged in the foreground.",
            risk="Medium: the buffer takes more of the pool.",
            cost_of_error="More misses for data, and slower shutdowns.",
            side_effects="Slow shutdowns and recovery merge more.",
        )
    return card.watch(
        "The buffer is full and saves no more reads: use a larger pool or, on a drive with cheap "
        "reads, no buffering.",
        condition=full if read_us is None else full & ~seek,
        flips_when=full.turn,
        risk="Medium: the buffer takes more of the pool.",
    )


def _pages(number: float) -> str:
    return f"{count(number)} pages"
