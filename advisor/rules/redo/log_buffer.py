"""innodb_log_buffer_size against changes that waited for room in it.

## What it checks
Whether changes had to wait because the log buffer was full.

## Why it matters
A change goes into the log buffer before it goes into the log. When the buffer is full, every writer
waits until a part of it is written. The ratio that some advisors compute from
`Innodb_log_writes` says nothing; only waits within a window do.

## How it is judged
`waits` = growth of `Innodb_log_waits` over the window.
- none, or less than one per second: fine, whatever the size. A wait now and then costs no more than
  a write of the log.
- more: two seconds of redo (our choice) are proposed, between 64 MiB (MySQL 8.4's default) and 256
  MiB, and no more than 1/32 of the memory where that is known. MariaDB makes it no larger than its
  log file.
- beside a larger redo log it goes into the same plan: some memory is all that it takes.
- more although the buffer is that large already: watch. Either the log is written too slowly, or
  there is no room for a larger buffer.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_log_waits'` twice, under load.

## Risk and undo
Takes memory only. MySQL 8.0 and later change it while running, others with a restart.

## When it is wrong
A single bulk load with huge rows causes waits that are not typical.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MariaDB documentation, "InnoDB System Variables"
"""

from __future__ import annotations

import math

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_GROWTH
from advisor.model.server.redo_log import RedoGrowth
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, Relief, SafeEnd, Wait, per_s, rule
from probes.figures import rate, seconds, size, throughput

MIB = 1 << 20
LEAST, MOST = 64 * MIB, 256 * MIB
HELD_S = 2.0
FEW_PER_S = 1.0
SHARE_OF_MEMORY = 1 / 32


@rule(
    topic="Redo log",
    do="Speed up the syncs: the log buffer is not what waits",
    setting="innodb_log_buffer_size",
    needs=(status("Innodb_log_waits"),),
    uses=(REDO_GROWTH, HOST_MEMORY_USABLE, variable("innodb_log_file_size")),
    findings=("F81",),
    safe_end=SafeEnd.HIGHEST,
    knowledge=Knowledge.CHOICE,
    takes_memory=True,
)
def check(facts: Facts) -> Answer:
    """Grow the buffer only where changes waited for it."""
    now, waits = facts.now.number, facts.get(status("Innodb_log_waits"))
    full = At("rate of waits", waits, least=FEW_PER_S, say=per_s())
    waited = f"Changes waited {rate(waits, 'times')}" if waits > 0 else "No change waited"
    saw = f"{waited} for room in the log buffer of {size(now)}."
    card = facts.card(saw, full, confidence=Confidence.HIGH)
    if not full:
        return card.fine("Fine as it is: a larger one would stay unused.")
    growth = facts.find(REDO_GROWTH)
    wanted, formula = _wanted(growth, _most(facts))
    card = card.but(
        relieves=(Relief.whole(Wait.LOG_BUFFER),),
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="The server counts every wait; the size to hold two seconds of redo is a rule of "
        "thumb.",
    )
    if wanted > now:
        return card.recommend(
            facts.to(str(wanted)),
            effect="Bursts of changes find room and do not wait for the log to be written.",
            risk=f"Low: takes {size(wanted)} of memory.",
            cost_of_error=f"{size(wanted)} of unused memory.",
        )
    return card.watch(
        "The buffer is large enough, but the log is written slowly: check the drive's syncs."
        if now >= LEAST
        else "Memory or the log file does not allow a larger one: smaller transactions, or a drive "
        "that syncs faster, end the waits.",
        saw=f"{saw} It holds {_held(now, growth)}.",
    )


def _most(facts: Facts) -> int:
    """Give the largest buffer that memory allows, and in MariaDB the log file."""
    memory = facts.find(HOST_MEMORY_USABLE)
    most = MOST if memory is None else min(MOST, int(SHARE_OF_MEMORY * memory) // MIB * MIB)
    file = facts.find(variable("innodb_log_file_size"))
    return min(most, int(file.number)) if facts.version.is_mariadb and file is not None else most


def _wanted(growth: RedoGrowth | None, most: int) -> tuple[int, str]:
    if growth is None or growth.per_s <= 0:
        wanted = min(most, LEAST)
        return wanted, f"wanted = {size(wanted)}"
    redo = HELD_S * growth.per_s
    wanted = min(most, max(LEAST, MIB * 2 ** math.ceil(math.log2(max(redo / MIB, 1)))))
    return wanted, (
        f"wanted = {HELD_S:g} s x {throughput(growth.per_s)} = {size(redo)}, within "
        f"{size(LEAST)} and {size(most)}: {size(wanted)}"
        if most >= LEAST
        else f"wanted = {size(wanted)}, the most that memory and log file allow"
    )


def _held(now: float, growth: RedoGrowth | None) -> str:
    if growth is None or growth.per_s <= 0:
        return "more than most servers write in seconds"
    return f"{seconds(now / growth.per_s)} of redo"
