"""innodb_log_buffer_size against changes that waited for room in it.

## What it checks
Whether changes had to wait because the log buffer was full.

## Why it matters
A change goes into the log buffer before it goes into the log. When the buffer is full, everybody
who changes anything waits until a part of it is written. The ratio that some advisors compute from
`Innodb_log_writes` says nothing; only waits within a window do.

## How it is judged
`waits` = growth of `Innodb_log_waits` over the window.
- none, or less than one per second: fine, whatever the size. A wait now and then costs no more than
  a write of the log.
- more: two seconds of redo are proposed, between 64 MiB (MySQL 8.4's default) and 256 MiB, and no
  more than 1/32 of the memory where that is known. MariaDB makes it no larger than its log file.
- while a larger redo log is proposed, this waits: a log that is full stops writers as well, and in
  MariaDB its file bounds the buffer.
- more although the buffer is that large already: watch. Then writes of the log are too slow, or
  there is no room for a larger buffer.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_log_waits'` twice, under load.

## Risk and undo
Takes memory, nothing else. MySQL 8.0 and later change it while running, others with a restart.

## When it is wrong
One bulk load with huge rows makes waits that no other day has.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MariaDB documentation, "InnoDB System Variables"
"""

from __future__ import annotations

import math

from advisor.facts.known import (
    HOST_MEMORY_USABLE,
    MYSQL_VERSION,
    REDO_GROWTH,
    status,
    variable,
)
from advisor.model.redo_log import RedoGrowth
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_log_buffer_size"
MIB = 1 << 20
LEAST, MOST = 64 * MIB, 256 * MIB
HELD_S = 2.0
FEW_PER_S = 1.0
SHARE_OF_MEMORY = 1 / 32


@rule(
    topic="Redo log",
    needs=(
        MYSQL_VERSION,
        variable("innodb_log_buffer_size"),
        status("Innodb_log_waits"),
    ),
    uses=(REDO_GROWTH, HOST_MEMORY_USABLE, variable("innodb_log_file_size")),
    settings=(SETTING,),
    findings=("F81",),
    waits_for=("redo.capacity",),
)
def check(facts: Facts) -> Answer:
    """Grow the buffer only where somebody waited for it."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable("innodb_log_buffer_size"))
    waits = facts.get(status("Innodb_log_waits"))
    size = figures.size(now.number)
    if waits < FEW_PER_S:
        seen = "No" if waits <= 0 else "Hardly a"
        return Judged(
            Verdict.FINE,
            f"{seen} change waited for room in the log buffer of {size}.",
            SETTING,
            now.now,
            effect="Fine as it is: a larger one would lie idle.",
            confidence=Confidence.HIGH,
            flips_when=f"changes have to wait for room {figures.rate(FEW_PER_S, 'times')}",
            formula=f"waits = {figures.rate(waits)}; they count from {figures.rate(FEW_PER_S)}",
            valid="For a load like that of the window.",
            because="The server counts every wait.",
        )
    growth = facts.find(REDO_GROWTH)
    wanted, formula = _wanted(growth, _most(facts, version))
    judged = Judged(
        Verdict.RECOMMEND,
        f"Changes waited {figures.rate(waits, 'times')} for room in the log buffer of {size}.",
        SETTING,
        now.now,
        effect="Bursts of changes find room, and nobody waits for the log's writes.",
        confidence=Confidence.MEDIUM,
        risk=f"Low: takes {figures.size(wanted)} of memory.",
        flips_when=f"changes wait for room less than {figures.rate(FEW_PER_S, 'times')}",
        gain=min(0.4, 0.1 + waits / 100),
        formula=f"waits = {figures.rate(waits)}; {formula}",
        valid="For a load like that of the window.",
        because="The server counts every wait; how large is large enough is a rule of thumb.",
        cost_of_error=f"{figures.size(wanted)} of memory lie idle.",
    )
    if wanted > now.number:
        return judged.by(change(version, now, str(wanted)))
    return Judged(
        Verdict.WATCH,
        f"{judged.saw} It holds {_held(now, growth)}.",
        SETTING,
        now.now,
        effect="The log's writes are slow rather than the buffer small: look at the drive's syncs."
        if now.number >= LEAST
        else "Neither this machine's memory nor the log file bears a larger one: smaller "
        "transactions, or a drive that syncs faster, take the waits away.",
        confidence=Confidence.MEDIUM,
        flips_when=judged.flips_when,
        gain=judged.gain,
        formula=judged.formula,
        valid=judged.valid,
        because=judged.because,
    )


def _most(facts: Facts, version: ServerVersion) -> int:
    """Give the largest buffer that memory bears, and in MariaDB the log file."""
    memory = facts.find(HOST_MEMORY_USABLE)
    most = MOST if memory is None else min(MOST, int(SHARE_OF_MEMORY * memory) // MIB * MIB)
    file = facts.find(variable("innodb_log_file_size"))
    return min(most, int(file.number)) if version.is_mariadb and file is not None else most


def _wanted(growth: RedoGrowth | None, most: int) -> tuple[int, str]:
    if growth is None or growth.per_s <= 0:
        size = min(most, LEAST)
        return size, f"wanted = {figures.size(size)}"
    redo = HELD_S * growth.per_s
    size = min(most, max(LEAST, MIB * 2 ** math.ceil(math.log2(max(redo / MIB, 1)))))
    return size, (
        f"wanted = {HELD_S:g} s x {figures.throughput(growth.per_s)} = {figures.size(redo)}, "
        f"within {figures.size(LEAST)} and {figures.size(most)}: {figures.size(size)}"
        if most >= LEAST
        else f"wanted = {figures.size(size)}, the most that memory and log file bear"
    )


def _held(now: Standing, growth: RedoGrowth | None) -> str:
    if growth is None or growth.per_s <= 0:
        return "more than most servers write in seconds"
    return f"{figures.seconds(now.number / growth.per_s)} of redo"
