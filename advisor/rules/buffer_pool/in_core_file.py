"""The buffer pool in core files.

## What it checks
Whether `core_file` and `innodb_buffer_pool_in_core_file` are both on with a large pool.

## Why it matters
A core file with the pool is as large as the pool. Writing it takes minutes, the server starts again
only after that, it can fill the drive of the data, and it holds the users' data in the clear.

## How it is judged
- No core file is written (`core_file` OFF), or the pool is left out of it: fine.
- Both ON and a pool of 4 GiB or more: recommended OFF. `pool / write rate at the measured peak` is
  what the core takes.
- Both ON and a smaller pool: fine.

## How to check by hand
`SELECT @@core_file, @@innodb_buffer_pool_in_core_file;`

## Risk and undo
Changes online. Needs Linux 3.4 or newer, else the server leaves core files off with a warning.

## When it is wrong
When somebody hunts a fault that only the pages themselves can explain.

## References
- MySQL reference manual, "Excluding Buffer Pool Pages from Core Files"; "What Is New in MySQL 8.4"
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_WRITE_PAGE, MYSQL_VERSION, POOL_CORE_FILE, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_buffer_pool_in_core_file"
LARGE = 4 << 30


@rule(
    topic="Buffer pool",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        POOL_CORE_FILE,
        variable("innodb_buffer_pool_size"),
    ),
    uses=(CURVE_RANDOM_WRITE_PAGE,),
    settings=(SETTING,),
    applies_to=(mysql("8.0.14"),),
)
def check(facts: Facts) -> Answer:
    """Ask for both switches, then for the pool's size."""
    now = facts.get(variable(SETTING))
    core = facts.get(POOL_CORE_FILE)
    pool = facts.get(variable("innodb_buffer_pool_size"))
    written = core.on and now.on
    saw = (
        f"A crash writes a core file with the pool of {figures.size(pool.number)} in it."
        if written
        else "A crash writes a core file without the pool."
        if core.on
        else "A crash writes no core file."
    )
    formula = _formula(facts, pool)
    if not written or pool.number < LARGE:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"core files are written with a pool of {figures.size(LARGE)} or more",
            formula=formula,
            because="all three settings were told by the server",
            valid="where the kernel writes core files into the data directory",
        )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="After a crash the server is back sooner, the drive does not fill up, and no user's "
        "data lies in a core file.",
        confidence=Confidence.HIGH,
        because="all three settings were told by the server",
        risk="None known.",
        cost_of_error="a core file in which pages of the pool can't be looked at",
        side_effects="None while the server runs.",
        flips_when=f"the pool is smaller than {figures.size(LARGE)}, or core_file is off",
        valid="on Linux 3.4 and newer",
        gain=0.08,
        formula=formula,
    ).by(change(facts.get(MYSQL_VERSION), now, "OFF"))


def _formula(facts: Facts, pool: Standing) -> str:
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    if curve is None:
        return f"{figures.size(pool.number)} to write"
    peak = curve.peak
    rate = max(peak.rate_per_s * peak.setting.block_size_bytes, 1.0)
    return (
        f"{figures.size(pool.number)} / {figures.throughput(rate)} = "
        f"{figures.seconds(pool.number / rate)} at this drive's peak of page writes"
    )
