"""How much of the buffer pool is noted down for the next start.

## What it checks
Whether `innodb_buffer_pool_dump_pct` leaves out pages that the drive could load within moments.

## Why it matters
By default the most recently used pages are noted down: on MySQL a quarter of the pages in use, on
MariaDB as many as a quarter of the pool (so it was on MySQL 8.0 and 9.7 and on MariaDB 10.2 to
11.8). The rest comes back by misses, one random read each. On a fast drive the whole pool is read
back within a minute; on a slow one a full list delays the hottest pages.

## How it is judged
- `loading = noted pages / min(reads/s at the knee, innodb_io_capacity)`.
- Less than 1 GiB of pages in use left out: fine, they are back in moments.
- Under 50 % noted: the largest of 50, 75 and 100 % that loads within two minutes is proposed.
- A share that takes over 30 minutes to load is left to the rule on loading: fine here.

## How to check by hand
`SELECT @@innodb_buffer_pool_dump_pct;`

## Risk and undo
Changes online. The list grows by some 20 bytes for each page.

## When it is wrong
When the cold part of the pool is of no use, as after large scans.

## References
- MySQL reference manual, innodb_buffer_pool_dump_pct
- MySQL source, storage/innobase/buf/buf0dump.cc
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from advisor.workload import warming
from advisor.workload.warming import Warming, noted_share, unused_share
from probes import figures

SETTING = "innodb_buffer_pool_dump_pct"
SMALL = 1 << 30
SOON_S = 120.0
ENOUGH = 50.0
STEPS = (100, 75, 50)


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, variable(SETTING), variable("innodb_buffer_pool_size")),
    uses=warming.USES,
    settings=(SETTING,),
    applies_to=(mysql("5.7.2"), mariadb("10.1.10")),
)
def check(facts: Facts) -> Answer:
    """Note down as much as the drive loads within two minutes."""
    now = facts.get(variable(SETTING))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    found = warming.warming(facts, pool)
    saw = f"Of a pool of {figures.size(pool.number)}, {now.text}{figures.THIN}% are noted down."
    share = noted_share(facts, now.number)
    used = 1 - unused_share(facts)
    left_out = (used - share) * pool.number
    if left_out < SMALL:
        flips = f"{figures.size(SMALL)} or more of pages in use are left out"
        formula = f"({figures.percent(used)} in use - {figures.percent(share)} noted down) x "
        formula += f"{figures.size(pool.number)} = {figures.size(left_out)} left out"
        return _fine(saw, now, flips, formula)
    if found is None:
        return Unjudged(f"{saw} How fast this drive would read them back was not measured.")
    if now.number >= ENOUGH:
        return _fine(saw, now, f"less than {ENOUGH:.0f} % are noted down", found.formula(share))
    soon = next(
        (step for step in STEPS if found.loading_s(noted_share(facts, step)) <= SOON_S), None
    )
    if soon is None:
        half = noted_share(facts, ENOUGH)
        flips = (
            f"the drive and innodb_io_capacity bring in "
            f"{figures.count(half * found.pages / SOON_S)} pages/s or more"
        )
        return _fine(saw, now, flips, found.formula(half))
    return _more(facts, now, saw, found, soon)


def _more(facts: Facts, now: Standing, saw: str, found: Warming, soon: int) -> Judged:
    share = noted_share(facts, soon)
    more = figures.percent(share - noted_share(facts, now.number))
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect=f"{more} of the pool more are back within "
        f"{figures.seconds(found.loading_s(share))} of a start, in place of a miss each.",
        confidence=Confidence.MEDIUM,
        because="the drive's reads were measured; that the rest of the pool is wanted was not",
        risk="Low: a longer burst of reads after each start.",
        cost_of_error="reads of pages that nobody wants any more",
        side_effects="The list in the data directory grows.",
        flips_when=f"loading {soon}{figures.THIN}% takes more than {figures.seconds(SOON_S)}",
        valid="beside queries, at the measured reads",
        gain=0.06,
        formula=found.formula(share),
    ).by(change(facts.get(MYSQL_VERSION), now, str(soon)))


def _fine(saw: str, now: Standing, flips_when: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=formula,
        because="the sizes were told by the server",
        valid="for this pool on this drive",
    )
