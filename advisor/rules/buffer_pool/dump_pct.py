"""How much of the buffer pool is noted down for the next start.

## What it checks
Whether `innodb_buffer_pool_dump_pct` leaves out pages that the drive could load within moments.

## Why it matters
By default the most recently used quarter of each instance is noted down. The other three quarters
come back by misses, one random read each. On a fast drive the whole pool is read back within a
minute; on a slow one a full list delays the hottest pages.

## How it is judged
- `loading = share x pages / min(reads/s at the knee, innodb_io_capacity)`.
- A pool below 1 GiB: fine, whatever the share.
- No more of the pool is in use than is noted down: fine, the list has all of it.
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

from advisor import wording
from advisor.outcomes import Confidence, Verdict
from advisor.rules import warming
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Judged, Unjudged, rule
from advisor.rules.versions import mariadb, mysql
from advisor.rules.warming import FREE, TOTAL, Warming, unused_share
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SETTING = "innodb_buffer_pool_dump_pct"
SMALL = 1 << 30
SOON_S = 120.0
ENOUGH = 50.0
STEPS = (100, 75, 50)


@rule(
    topic="Buffer pool",
    needs=("mysql.version", f"mysql.variable.{SETTING}", "mysql.variable.innodb_buffer_pool_size"),
    uses=(
        *warming.USES,
        FREE,
        TOTAL,
        "mysql.variable.innodb_lru_scan_depth",
        "mysql.variable.innodb_buffer_pool_instances",
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.7.2"), mariadb("10.1.10")),
)
def check(facts: Facts) -> Answer:
    """Note down as much as the drive loads within two minutes."""
    now = facts.get(f"mysql.variable.{SETTING}", Standing)
    pool = facts.get("mysql.variable.innodb_buffer_pool_size", Standing)
    found = warming.warming(facts, pool)
    saw = f"Of a pool of {wording.size(pool.number)}, {now.text}{wording.THIN}% are noted down."
    if pool.number < SMALL:
        formula = f"{wording.size(pool.number)} < {wording.size(SMALL)}"
        return _fine(saw, now, f"the pool has {wording.size(SMALL)} or more", formula)
    used = 1 - unused_share(facts)
    if used <= now.number / 100:
        flips = f"more than {now.text}{wording.THIN}% of the pool are in use"
        formula = f"{wording.percent(used)} in use <= {now.text} % noted down"
        return _fine(saw, now, flips, formula)
    if found is None:
        return Unjudged(f"{saw} How fast this drive would read them back was not measured.")
    share = now.number / 100
    if now.number >= ENOUGH:
        return _fine(saw, now, f"less than {ENOUGH:.0f} % are noted down", found.formula(share))
    soon = next((step for step in STEPS if found.loading_s(step / 100) <= SOON_S), None)
    if soon is None:
        flips = (
            f"the drive and innodb_io_capacity bring in "
            f"{wording.count(ENOUGH / 100 * found.pages / SOON_S)} pages/s or more"
        )
        return _fine(saw, now, flips, found.formula(ENOUGH / 100))
    return _more(facts, now, saw, found, soon)


def _more(facts: Facts, now: Standing, saw: str, found: Warming, soon: int) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect=f"{soon - now.number:.0f}{wording.THIN}% of the pool more are back within "
        f"{wording.seconds(found.loading_s(soon / 100))} of a start, in place of a miss each.",
        confidence=Confidence.MEDIUM,
        because="the drive's reads were measured; that the rest of the pool is wanted was not",
        risk="Low: a longer burst of reads after each start.",
        cost_of_error="reads of pages that nobody wants any more",
        side_effects="The list in the data directory grows.",
        flips_when=f"loading {soon}{wording.THIN}% takes more than {wording.seconds(SOON_S)}",
        valid="beside queries, at the measured reads",
        gain=0.06,
        formula=found.formula(soon / 100),
    ).by(change(facts.get("mysql.version", ServerVersion), now, str(soon)))


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
