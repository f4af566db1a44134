"""innodb_use_fdatasync against the time of both calls on this drive.

## What it checks
Whether MySQL could sync with fdatasync(), which leaves a file's times alone, and what that would
save.

## Why it matters
fsync() also writes the file's inode when only its times have changed: one more write, and on a
journaling file system a commit of the journal. A cloud vendor saw about a tenth more throughput
in a write-only test from this change alone.

## How it is judged
Median time of a 4 KiB append with each call, measured here: OFF and fsync at least 10 % slower (our
choice): ON is proposed; it is minor on a server that writes less than 100 pages/s and less than a
quarter of what its drive flushes (our choices). Else fine. What it spares commits is redo's part of
their wait: the binary log is synced by fdatasync already. MySQL before 8.0.26 lacks the setting;
MariaDB always uses fdatasync.

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

from advisor.facts.measured.points import REDO_FDATASYNC, REDO_FSYNC
from advisor.rulekit import Answer, At, Facts, Knowledge, mysql, rule
from advisor.workload.commit_waits import PARTS, shorter
from advisor.workload.flushing.load import WRITING, hardly_writes
from probes.figures import duration_us, percent, times
from probes.watch.words import FileRole

SLOWER = 1.1


@rule(
    topic="Durability",
    setting="innodb_use_fdatasync",
    needs=(REDO_FDATASYNC, REDO_FSYNC),
    uses=(*WRITING, *PARTS),
    applies_to=(mysql("8.0.26"),),
    findings=("F89", "F94"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Compare the two calls on this drive."""
    data_us, full_us = (facts.get(each).latency.p50_us for each in (REDO_FDATASYNC, REDO_FSYNC))
    data, full = duration_us(data_us), duration_us(full_us)
    slower = At(
        "fsync / fdatasync",
        full_us / data_us,
        the=False,
        of=f"{full} / {data}",
        least=SLOWER,
        say=times,
    )
    card = facts.card(
        f"A 4 KiB append takes {data} with fdatasync and {full} with fsync (medians).",
        slower,
        valid="While redo and data lie on the measured drive.",
    )
    if facts.now.on:
        return card.fine("Fine as it is: fdatasync is in use.")
    if not slower:
        return card.fine()
    return card.recommend(
        facts.to("ON"),
        slight=hardly_writes(facts),
        effect=f"Each redo and data file sync takes {percent(1 - data_us / full_us)} less time.",
        relieves=(shorter(facts, FileRole.REDO, full_us, data_us),),
        risk="None known on Linux: data and file size are synced as before.",
    )
