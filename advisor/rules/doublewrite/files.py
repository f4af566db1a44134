"""innodb_doublewrite_files against the buffer pool's instances.

## What it checks
Whether there are more doublewrite files than the server can use.

## Why it matters
Each buffer pool instance has two writers of copies, one for pages that are flushed because of
their age and one for pages that make room; there are four at least. The server makes no more files
than writers, whatever is set: MySQL 8.0.33 and 9.7.4, asked for 8 files with one instance, made 4.
Two in all are the default and enough for most: batches limit flushing, not files.

## How it is judged
- up to `2 x innodb_buffer_pool_instances`, and up to 4 anyway: fine.
- more: watch, 2 are proposed.
- doublewrite off: the setting does nothing.

## How to check by hand
`SELECT @@innodb_doublewrite_files, @@innodb_buffer_pool_instances;` and `ls -l DATADIR/#ib_*.dblwr`

## Risk and undo
Takes a restart. Protection is the same.

## When it is wrong
It never costs more than disk space.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
- Behaviour of MySQL 8.0.33 and 9.7.4
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from probes import figures

SETTING = "innodb_doublewrite_files"
WANTED = "2"
LEAST_WRITERS = 4
"""So many writers of copies there are with a single instance of the pool, too."""


@rule(
    topic="Doublewrite",
    needs=(
        MYSQL_VERSION,
        variable("innodb_doublewrite_files"),
        variable("innodb_doublewrite"),
        variable("innodb_buffer_pool_instances"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F56"),
)
def check(facts: Facts) -> Answer:
    """Ask for no more files than are written."""
    if facts.get(variable("innodb_doublewrite")).text.upper() in {"OFF", "0"}:
        return Inapplicable("Doublewrite is off, so that its files are not written.")
    now = facts.get(variable("innodb_doublewrite_files"))
    instances = facts.get(variable("innodb_buffer_pool_instances"))
    most = max(LEAST_WRITERS, 2 * int(instances.number))
    judged = Judged(
        Verdict.FINE,
        f"Doublewrite has {figures.counted(now.number, 'file')} for "
        f"{figures.counted(instances.number, 'buffer pool instance')}.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        confidence=Confidence.HIGH,
        flips_when=f"it is above {most}",
        formula=f"most = max({LEAST_WRITERS}, 2 x {instances.text}) = {most}; setting = {now.text}",
        valid="For this number of buffer pool instances.",
        because="Real servers made so many files and no more.",
        cost_of_error="Some MiB of disk.",
    )
    if now.number <= most:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect=f"Files beyond {most} are never made; {WANTED} in all are enough for most.",
        confidence=Confidence.MEDIUM,
        risk="None: it takes a restart.",
        flips_when=f"there are {int(-(-now.number // 2))} buffer pool instances or more",
        gain=0.05,
    ).by(change(facts.get(MYSQL_VERSION), now, WANTED))
