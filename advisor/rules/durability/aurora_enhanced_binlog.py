"""Aurora's enhanced binary log, where commits wait for the ordinary one.

## What it checks
What commits wait for syncs of the binary log on Aurora, and whether `aurora_enhanced_binlog` would
spare them that.

## Why it matters
Aurora's storage syncs no redo log file, but the binary log is written and synced at each commit
before. That can take up to 50 % of what the instance does; with the enhanced binary log, which is
written beside the transaction log, about 13 % (AWS).

## How it is judged
- Only on Aurora MySQL that writes a binary log.
- `waiting = commits/s x time of a sync`, over the queries at work, by the server's own syncs of the
  binary log. Below 20 % (our choice): fine. From there on: watch, the binary log off if nobody
  reads it, else the enhanced one (from 3.03.1 on).

## How to check by hand
`SELECT @@aurora_version, @@log_bin, @@aurora_enhanced_binlog;` and who reads the log:
`SHOW PROCESSLIST` lists them by the command Binlog Dump.

## Risk and undo
All three parameters are those of the cluster's parameter group and take a reboot of the writer.
Backups hold no binary log then, and clusters restored or cloned from them begin without one; nor do
secondary clusters of a global database have it. Set back, the ordinary one is written again after
another reboot.

## When it is wrong
Where the binary log has to be in backups, or on a global database's secondary clusters.

## References
- Amazon Aurora user guide, "Setting up enhanced binlog for Aurora MySQL"
"""

from __future__ import annotations

import re

from advisor.facts.server.aurora import AURORA_BUILD, AURORA_ENHANCED_BINLOG
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.gain import STANDS_OUT
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Knowledge,
    Relief,
    Unjudged,
    Wait,
    rule,
)
from advisor.variables.aurora import AURORA
from advisor.workload.far_drive import FarDrive, Reach
from advisor.workload.query_time import OF_COMMITS_TIME, commits_time
from advisor.workload.sync_cost import LOG_BIN
from probes.figures import duration_us, percent

FROM = (3, 3, 1)
LEFT = 13 / 50
"""What is left of the binary log's time (AWS)."""


@rule(
    topic="Durability",
    do="Switch the binary log off, or take Aurora's enhanced one",
    needs=(MYSQL_VERSION, LOG_BIN),
    uses=(
        AURORA_BUILD,
        AURORA_ENHANCED_BINLOG,
        *(each for each in OF_COMMITS_TIME if each not in {MYSQL_VERSION, LOG_BIN}),
    ),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Weigh what commits wait for the binary log."""
    if facts.get(MYSQL_VERSION).vendor != AURORA:
        return Inapplicable("Only Aurora has an enhanced binary log.")
    if not facts.get(LOG_BIN).on:
        return Inapplicable("The server writes no binary log.")
    enhanced = facts.find(AURORA_ENHANCED_BINLOG)
    if enhanced is not None and enhanced.on:
        return facts.card("The enhanced binary log is on.", flips_when="it is switched off").fine()
    time = commits_time(facts, FarDrive(Reach.OWN))
    if time is None:
        return Unjudged("What commits wait for the binary log was not timed.")
    much = At("commits' wait for the binary log", time.share, least=STANDS_OUT, say=percent)
    card = facts.card(
        f"A commit waits {duration_us(time.each_us)} for a sync of the binary log, "
        f"{percent(time.share)} of query time at least.",
        much,
        confidence=Confidence.MEDIUM,
    )
    if not much:
        return card.fine()
    return card.watch(
        f"If nobody reads the binary log, binlog_format = OFF ends that; {_else(facts)}",
        relieves=(Relief.up_to(Wait.COMMITS, 1 - LEFT),),
        risk="Without it, or with the enhanced one, backups hold no binary log, nor do the "
        "secondary clusters of a global database.",
        cost_of_error="A reboot of the writer, and another one back.",
    )


def _else(facts: Facts) -> str:
    """What to do where somebody reads it."""
    sets = "aurora_enhanced_binlog = 1, binlog_backup = 0 and binlog_replication_globaldb = 0"
    where = "in the cluster's parameter group, and a reboot of the writer"
    build = facts.find(AURORA_BUILD)
    numbers = [int(each) for each in re.findall(r"\d+", "" if build is None else build.value)]
    before = bool(numbers) and tuple(numbers[-3:]) < FROM
    after = "after an upgrade to 3.03.1 or newer, " if before else ""
    return f"else {after}the enhanced one shortens it: {sets} {where}."
