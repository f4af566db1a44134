"""sync_binlog, and its price on this drive.

## What it checks
Whether the binary log is synced with every group of commits.

## Why it matters
With anything but 1 a power cut can lose binary log events of transactions that InnoDB has kept.
Replicas then miss them for ever. On a drive that syncs fast, 1 costs a few per cent at most; 0
and large values write in bursts and stall.

## How it is judged
- No binary log: nothing to say.
- 1: fine. Anything else: watch, 1 is proposed, with its price measured here: what a commit takes
  with a second file synced beside the redo log, less what it takes without; else one sync.

## How to check by hand
`SELECT @@log_bin, @@sync_binlog;`

## Risk and undo
Changes at once. One more sync per group of commits.

## When it is wrong
MariaDB with the binary log inside InnoDB ignores the setting. The binary log may lie on another
drive than the measured one.

## References
- MySQL reference manual, sync_binlog
- MariaDB documentation, "Replication and Binary Log System Variables"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, REDO_WITH_BINLOG, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

SETTING = "sync_binlog"


@rule(
    topic="Durability",
    needs=(MYSQL_VERSION, variable("log_bin"), variable("sync_binlog")),
    uses=(REDO_FDATASYNC, REDO_WITH_BINLOG),
    settings=(SETTING,),
    findings=("F89", "F90", "F91"),
)
def check(facts: Facts) -> Answer:
    """Ask for 1 where a binary log is written."""
    version = facts.get(MYSQL_VERSION)
    log_bin = facts.get(variable("log_bin"))
    now = facts.get(variable("sync_binlog"))
    if not log_bin.on:
        whose = f"By default {version}" if log_bin.default else "The server"
        return Inapplicable(f"{whose} writes no binary log.")
    price, formula = _price(facts)
    judged = Judged(
        Verdict.FINE,
        f"The binary log is synced with every group of commits ({price}).",
        SETTING,
        now.now,
        effect="Fine as it is: replicas miss nothing after a power cut.",
        confidence=Confidence.HIGH,
        flips_when="it is set to anything but 1",
        formula=formula,
        valid="While the binary log lies on the measured drive.",
        because="That is what the setting means; what it costs is told as it was measured here.",
        cost_of_error="Events that replicas miss for ever.",
    )
    if now.text == "1":
        return judged
    often = (
        "never synced by the server"
        if now.text == "0"
        else f"synced every {now.text} groups of commits"
    )
    return replace(
        judged,
        verdict=Verdict.WATCH,
        saw=f"The binary log is {often}.",
        effect="A power cut can lose events that replicas then miss for ever. With 1 every group "
        f"of commits waits for {price} more.",
        risk="One more sync per group of commits.",
        flips_when="it is set to 1",
        gain=0.5,
        cost_of_error="Slower commits for each connection.",
    ).by(change(version, now, "1"))


def _price(facts: Facts) -> tuple[str, str]:
    """Say what a synced binary log adds to a group of commits, and how that was found."""
    redo, both = facts.find(REDO_FDATASYNC), facts.find(REDO_WITH_BINLOG)
    if redo is None:
        return "one sync", "price = one sync per group of commits; it was not measured"
    alone_us = redo.latency.p50_us
    alone = figures.duration_us(alone_us)
    if both is None or both.latency.p50_us <= alone_us:
        return alone, f"price = a sync = {alone} per group of commits"
    more = figures.duration_us(both.latency.p50_us - alone_us)
    with_both = figures.duration_us(both.latency.p50_us)
    return more, f"price = {with_both} - {alone} = {more} per group of commits"
