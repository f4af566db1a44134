"""innodb_use_fdatasync against the time of both calls on this drive.

## What it checks
Whether MySQL could sync with fdatasync(), which leaves a file's times alone, and what that would
save.

## Why it matters
fsync() also writes the file's inode when only its times have changed: one more write, and on a
journaling file system a commit of the journal. A cloud vendor saw about a tenth more throughput
in a write-only test from this change alone.

## How it is judged
Median time of a 4 KiB append with each call, measured here: OFF and fsync at least 10 % slower:
ON is proposed. Else fine. MySQL before 8.0.26 lacks the setting; MariaDB always uses fdatasync.

## How to check by hand
`sysbench fileio --file-fsync-mode=fdatasync` against `fsync`, or `pg_test_fsync`.

## Risk and undo
Changes at once. What was written is as safe as before: fdatasync writes a changed file size, too.

## When it is wrong
When redo lies on another drive than the measured one.

## References
- MySQL reference manual, innodb_use_fdatasync (8.0.26)
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, REDO_FSYNC, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import Answer, Judged, rule
from advisor.rulekit.versions import mysql
from probes import figures

SETTING = "innodb_use_fdatasync"
SLOWER = 1.1


@rule(
    topic="Durability",
    needs=(
        MYSQL_VERSION,
        variable("innodb_use_fdatasync"),
        REDO_FDATASYNC,
        REDO_FSYNC,
    ),
    settings=(SETTING,),
    applies_to=(mysql("8.0.26"),),
    findings=("F89", "F94"),
)
def check(facts: Facts) -> Answer:
    """Compare the two calls on this drive."""
    now = facts.get(variable("innodb_use_fdatasync"))
    data_us = facts.get(REDO_FDATASYNC).latency.p50_us
    full_us = facts.get(REDO_FSYNC).latency.p50_us
    data, full = figures.duration_us(data_us), figures.duration_us(full_us)
    judged = Judged(
        Verdict.FINE,
        f"A small append takes {data} with fdatasync and {full} with fsync (medians); the "
        f"{'default' if now.default else 'setting'} is {now.text}.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"it is OFF and fsync takes {figures.times(SLOWER)} as long as fdatasync",
        formula=f"fsync / fdatasync = {full} / {data} = {figures.times(full_us / data_us)}",
        valid="While redo and data lie on the measured drive.",
        because="Both calls were measured on this drive, by one writer.",
        cost_of_error="None for the data; commits as fast as before.",
    )
    if now.on or full_us < SLOWER * data_us:
        return judged
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect=f"Each sync of redo and data files takes {figures.percent(1 - data_us / full_us)} "
        "less time.",
        confidence=Confidence.MEDIUM,
        risk="None known on Linux: data and file size are synced as before.",
        flips_when=f"fsync takes less than {figures.times(SLOWER)} as long as fdatasync",
        gain=min(0.5, 1 - data_us / full_us),
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))
