"""The buffer pool in core files.

## What it checks
Whether `core_file` and `innodb_buffer_pool_in_core_file` are both on with a large pool.

## Why it matters
A core file with the pool is as large as the pool. Writing it takes minutes, the server starts again
only after that, it can fill the drive of the data, and it contains the users' data unencrypted.

## How it is judged
- No core file is written (`core_file` OFF), or the pool is left out of it: fine.
- Both ON and a pool of 4 GiB or more (our choice): OFF is proposed. The core file takes `pool /
  write rate at the measured peak`.
- Both ON and a smaller pool: fine.

## How to check by hand
`SELECT @@core_file, @@innodb_buffer_pool_in_core_file;`

## Risk and undo
Changes online. Needs Linux 3.4 or newer, else the server leaves core files off with a warning.

## When it is wrong
When a fault is investigated that only the pages themselves can explain.

## References
- MySQL reference manual, "Excluding Buffer Pool Pages from Core Files"; "What Is New in MySQL 8.4"
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.pool import POOL_CORE_FILE
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, Stakes, mysql, rule
from advisor.rules.buffer_pool._pool import SIZE, pool_at_least
from probes.figures import seconds, size, throughput

LARGE = 4 << 30


@rule(
    topic="Buffer pool",
    setting="innodb_buffer_pool_in_core_file",
    needs=(POOL_CORE_FILE, SIZE),
    uses=(CURVE_RANDOM_WRITE_PAGE,),
    applies_to=(mysql("8.0.14"),),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for both switches, then for the pool's size."""
    core, pool = facts.get(POOL_CORE_FILE), facts.get(SIZE).number
    written = core.on and facts.now.on
    large = Is(
        written, "core files are written with the pool", "core files are written without the pool"
    ) & pool_at_least(LARGE, pool)
    card = facts.card(
        f"A crash writes a core file with the pool of {size(pool)} in it."
        if written
        else "A crash writes a core file without the pool."
        if core.on
        else "A crash writes no core file.",
        large,
        formula=_formula(facts, pool),
    )
    if not large:
        return card.fine()
    return card.recommend(
        facts.to("OFF"),
        effect="The server is back sooner when it has failed, the drive does not fill up, and no "
        "user's data is in a core file.",
        confidence=Confidence.HIGH,
        valid="For Linux 3.4 and newer.",
        risk="None known.",
        cost_of_error="A core file without the pages of the pool.",
    )


def _formula(facts: Facts, pool_bytes: float) -> str:
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    if curve is None:
        return f"{size(pool_bytes)} to write"
    per_s = max(curve.peak.rate_per_s * curve.peak.setting.block_size_bytes, 1.0)
    return (
        f"{size(pool_bytes)} / {throughput(per_s)} = {seconds(pool_bytes / per_s)} at this drive's "
        "peak of page writes"
    )
