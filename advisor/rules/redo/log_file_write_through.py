"""innodb_log_file_write_through against both ways to sync on this drive (MariaDB).

## What it checks
Whether redo is synced in the faster of the two safe ways: a write that returns when it is on the
drive (O_DSYNC), or a write and then fdatasync.

## Why it matters
Every synced commit takes this path. A drive that can write a single block through its cache (FUA)
is quicker with O_DSYNC; others empty their whole cache for it, or write the file's time each time.

## How it is judged
Medians of a 4 KiB append with each way, measured here. The other way at least 15 % faster: it is
proposed. Else fine. Both ways are equally safe where commits are synced. Where they are not
(`innodb_flush_log_at_trx_commit` 0 or 2) the setting is left alone: ON makes the writes of 2
durable at once, and OFF takes that away.

## How to check by hand
`pg_test_fsync` (open_datasync against fdatasync)

## Risk and undo
Changes at once, can be undone at once. While the log is resized the server may ignore the change
without a word: look at the value again.

## When it is wrong
Both were measured through the page cache by one writer; MariaDB writes past it by default, and many
commits share a sync. `innodb_flush_method = O_DSYNC` sets this at each start.

## References
- MariaDB documentation, "InnoDB Flush Method" and "InnoDB System Variables"
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, REDO_O_DSYNC, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_log_file_write_through"
FASTER = 1.15
COMMIT = "innodb_flush_log_at_trx_commit"
RELAXED = {"0", "2"}


@rule(
    topic="Redo log",
    needs=(
        MYSQL_VERSION,
        variable("innodb_log_file_write_through"),
        REDO_FDATASYNC,
        REDO_O_DSYNC,
    ),
    uses=(variable(COMMIT),),
    settings=(SETTING,),
    applies_to=(mariadb("11.0"),),
    findings=("F88", "F89"),
)
def check(facts: Facts) -> Answer:
    """Take the faster of two safe ways."""
    now = facts.get(variable("innodb_log_file_write_through"))
    after = facts.get(REDO_FDATASYNC).latency.p50_us
    through = facts.get(REDO_O_DSYNC).latency.p50_us
    used, other = (through, after) if now.on else (after, through)
    judged = Judged(
        Verdict.FINE,
        f"A small append takes {figures.duration_us(after)} with fdatasync and "
        f"{figures.duration_us(through)} with O_DSYNC; write-through is {now.text}.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"the other way is {figures.times(FASTER)} as fast",
        formula=f"used / other = {figures.duration_us(used)} / {figures.duration_us(other)} = "
        f"{figures.times(used / other)}",
        valid="While the redo log lies on the measured drive; for one writer.",
        because="Both ways were measured on this drive.",
        cost_of_error="Commits as much slower as they were to become faster.",
    )
    commit = facts.find(variable(COMMIT))
    if commit is not None and commit.text in RELAXED:
        return _left_alone(judged, now, commit)
    if used < FASTER * other:
        return judged
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect=f"Each sync of redo takes {figures.percent(1 - other / used)} less time.",
        confidence=Confidence.MEDIUM,
        risk="Low: as safe as before.",
        flips_when=f"the other way is less than {figures.times(FASTER)} as fast",
        gain=min(0.5, 1 - other / used),
        verify=f"SELECT @@GLOBAL.{SETTING};  -- during a resize of the log it may stay as it was",
    ).by(change(facts.get(MYSQL_VERSION), now, "OFF" if now.on else "ON"))


def _left_alone(judged: Judged, now: Standing, commit: Standing) -> Judged:
    """With relaxed commits one way is safer than the other, and that is not ours to change."""
    effect = (
        f"Left as it is: with {COMMIT} = {commit.text} only what is written through survives a "
        "power cut."
        if now.on
        else f"Fine as it is: with {COMMIT} = {commit.text} no commit waits for a sync of redo."
    )
    return replace(judged, effect=effect, flips_when=f"{COMMIT} is 1 or 3")
