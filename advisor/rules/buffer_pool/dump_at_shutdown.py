"""The list of the buffer pool's pages that a shutdown leaves.

## What it checks
Whether `innodb_buffer_pool_dump_at_shutdown` is on where the pool is large enough to miss it.

## Why it matters
After a restart an empty pool is filled by the queries themselves, one miss after another, each with
the full latency of a random read. A list of page numbers, a few bytes for each page, lets the
server read them back in order and many at a time. Without the list there is nothing to load.

## How it is judged
- ON: fine.
- OFF and a pool of 1 GiB or more: recommended ON. The time that the drive takes for the whole pool
  at its knee, `pool / page size / reads per s`, says what a cold start costs at the least.
- OFF and a smaller pool: fine, it fills within moments.

## How to check by hand
`SELECT @@innodb_buffer_pool_dump_at_shutdown;` and the file `ib_buffer_pool` in the data directory.

## Risk and undo
Changes online. The shutdown writes one small file more.

## When it is wrong
When what is hot before a restart is cold after it, as with one large batch a day.

## References
- MySQL reference manual, "Saving and Restoring the Buffer Pool State"
- MariaDB documentation, innodb_buffer_pool_dump_at_shutdown
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, MYSQL_VERSION, variable
from advisor.model.knee import knee
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from advisor.workload.warming import PAGE_BYTES
from probes import figures

SETTING = "innodb_buffer_pool_dump_at_shutdown"
SMALL = 1 << 30


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, variable(SETTING), variable("innodb_buffer_pool_size")),
    uses=(variable("innodb_page_size"), CURVE_RANDOM_READ_PAGE),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
)
def check(facts: Facts) -> Answer:
    """Ask for the list where filling the pool takes longer than moments."""
    now = facts.get(variable(SETTING))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    does = "notes down" if now.on else "does not note down"
    saw = f"At shutdown the server {does} what its pool of {figures.size(pool.number)} holds."
    formula = _formula(facts, pool)
    if now.on or pool.number < SMALL:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when="it is switched off"
            if now.on
            else f"the pool has {figures.size(SMALL)} or more",
            formula=formula,
            because="both settings were told by the server",
            valid="for restarts that are planned: a crash leaves the last list",
        )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="After the next restart the pool can be read back in order, many pages at a time, "
        "in place of one miss after another.",
        confidence=Confidence.HIGH,
        because="without the list there is nothing that could be loaded",
        risk="None known.",
        cost_of_error="a small file that nobody reads",
        side_effects="The shutdown writes ib_buffer_pool, some 20 bytes for each page.",
        flips_when=f"the pool is smaller than {figures.size(SMALL)}",
        valid="for restarts that are planned: a crash leaves the last list",
        gain=0.15,
        formula=formula,
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))


def _formula(facts: Facts, pool: Standing) -> str:
    size = facts.find(variable("innodb_page_size"))
    pages = pool.number / (size.number if size is not None and size.number > 0 else PAGE_BYTES)
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    if curve is None:
        return f"{figures.count(pages)} pages to read"
    rate = max(knee(curve).rate_per_s, 1.0)
    return (
        f"{figures.count(pages)} pages / {figures.count(rate)} reads/s = "
        f"{figures.seconds(pages / rate)} at the least to fill the pool"
    )
