"""innodb_log_file_write_through against both ways to sync on this drive (MariaDB).

## What it checks
Whether redo is synced in the faster of the two safe ways: a write that returns when it is on the
drive (O_DSYNC), or a write and then fdatasync.

## Why it matters
Every synced commit takes this path. A drive that can write a single block through its cache (FUA)
is faster with O_DSYNC; others flush their whole cache for it, or write the file's time each time.

## How it is judged
Medians of a 4 KiB append with each way, measured here. The other way at least 15 % faster (our
choice): it is proposed. Else fine. Both ways are equally safe where commits are synced. Where they
are not (`innodb_flush_log_at_trx_commit` 0 or 2) the setting is left alone: ON makes the writes of
2 durable at once, and OFF takes that away.

## How to check by hand
`pg_test_fsync` (open_datasync against fdatasync)

## Risk and undo
Changes at once, can be undone at once. While the log is resized the server may ignore the change
silently: check the value again.

## When it is wrong
Both were measured through the page cache by one writer; MariaDB writes past it by default, and many
commits share a sync. `innodb_flush_method = O_DSYNC` sets this at each start.

## References
- MariaDB documentation, "InnoDB Flush Method" and "InnoDB System Variables"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

from advisor.facts.measured.points import REDO_FDATASYNC, REDO_O_DSYNC
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Knowledge, Relief, Wait, mariadb, rule
from advisor.workload.commit_waits import RELAXED
from probes.figures import duration_us, percent, times

FASTER = 1.15
COMMIT = "innodb_flush_log_at_trx_commit"


@rule(
    topic="Redo log",
    setting="innodb_log_file_write_through",
    needs=(REDO_FDATASYNC, REDO_O_DSYNC),
    uses=(variable(COMMIT),),
    applies_to=(mariadb("11.0"),),
    findings=("F88", "F89"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Take the faster of two safe ways."""
    now = facts.now
    after_us, through_us = (
        facts.get(each).latency.p50_us for each in (REDO_FDATASYNC, REDO_O_DSYNC)
    )
    used_us, other_us = (through_us, after_us) if now.on else (after_us, through_us)
    slower = At(
        "time ratio of both ways",
        used_us / other_us,
        of=f"{duration_us(used_us)} / {duration_us(other_us)}",
        least=FASTER,
        say=times,
    )
    card = facts.card(
        f"A 4 KiB append takes {duration_us(after_us)} with fdatasync and {duration_us(through_us)}"
        f" with O_DSYNC (medians); write-through is {now.value}.",
        slower,
        valid="While the redo log lies on the measured drive; for one writer.",
    )
    commit = facts.find(variable(COMMIT))
    if commit is not None and commit.value in RELAXED:
        # One way is safer than the other then, and durability is the owner's decision.
        return card.fine(
            f"Left as it is: with {COMMIT} = {commit.value} only what is written through survives a"
            " power cut."
            if now.on
            else f"Fine as it is: with {COMMIT} = {commit.value} commits do not wait for a sync.",
            flips_when=f"{COMMIT} is 1 or 3",
        )
    if not slower:
        return card.fine()
    return card.recommend(
        facts.to("OFF" if now.on else "ON"),
        effect=f"Each sync of redo takes {percent(1 - other_us / used_us)} less time.",
        relieves=(Relief.to(Wait.COMMITS, used_us, other_us),),
        risk="Low: as safe as before.",
        verify=f"SELECT @@GLOBAL.{now.name};  -- during a resize of the log it may stay as it was",
    )
