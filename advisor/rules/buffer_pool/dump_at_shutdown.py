"""The list of the buffer pool's pages that a shutdown saves.

## What it checks
Whether `innodb_buffer_pool_dump_at_shutdown` is on where the pool is large.

## Why it matters
After a restart queries fill an empty pool, one miss after another, each with the full latency of a
random read. A list of page numbers, a few bytes for each page, lets the server load them in order
and many at a time.

## How it is judged
- ON: fine.
- OFF and a pool of 1 GiB or more (our choice): ON is proposed. The time that the drive takes for
  the whole pool at its knee, `pool / page size / reads per s`, is the least that a cold start
  costs.
- OFF and a smaller pool: fine, it fills within moments.

## How to check by hand
`SELECT @@innodb_buffer_pool_dump_at_shutdown;` and the file `ib_buffer_pool` in the data directory.

## Risk and undo
Changes online. The shutdown writes one small file more.

## When it is wrong
When the working set is another one after a restart, as with one large batch a day.

## References
- MySQL reference manual, "Saving and Restoring the Buffer Pool State"
- MariaDB documentation, innodb_buffer_pool_dump_at_shutdown
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.variables import variable
from advisor.model.curves.knee import knee
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, mariadb, mysql, rule
from advisor.rules.buffer_pool._pool import SIZE, pool_at_least
from probes.figures import counted, rate, seconds, size
from probes.points import PAGE_BYTES

PAGE_SIZE = variable("innodb_page_size")
SMALL = 1 << 30


@rule(
    topic="Buffer pool",
    setting="innodb_buffer_pool_dump_at_shutdown",
    needs=(SIZE,),
    uses=(PAGE_SIZE, CURVE_RANDOM_READ_PAGE),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for the list where filling the pool takes longer than moments."""
    on, pool = facts.now.on, facts.get(SIZE).number
    missing = Is(not on, "it is switched off", "it is switched on") & pool_at_least(SMALL, pool)
    card = facts.card(
        f"At shutdown the server {'saves' if on else 'does not save'} the list of pages in its "
        f"pool of {size(pool)}.",
        missing,
        formula=_formula(facts, pool),
        valid="For planned restarts: a crash leaves the last list.",
    )
    if not missing:
        return card.fine()
    return card.recommend(
        facts.to("ON"),
        effect="After the next restart the pool is loaded in order, many pages at a time, instead "
        "of one miss after another.",
        confidence=Confidence.HIGH,
        risk="None known.",
        cost_of_error="A small file that is not used.",
        side_effects="The shutdown writes ib_buffer_pool, some 20 bytes for each page.",
    )


def _formula(facts: Facts, pool_bytes: float) -> str:
    page, curve = facts.find(PAGE_SIZE), facts.find(CURVE_RANDOM_READ_PAGE)
    pages = pool_bytes / (page.number if page is not None and page.number > 0 else PAGE_BYTES)
    if curve is None:
        return f"{counted(pages, 'page')} to read"
    per_s = max(knee(curve).rate_per_s, 1.0)
    return (
        f"{counted(pages, 'page')} / {rate(per_s, 'reads')} = {seconds(pages / per_s)} to fill the "
        "pool, at least"
    )
