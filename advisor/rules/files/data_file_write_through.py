"""The writing through of data files (MariaDB).

## What it checks
Whether each page write waits for the drive to make it durable.

## Why it matters
With innodb_data_file_write_through=ON every single page write is durable when it returns. Without,
InnoDB writes many pages and syncs each file once before a checkpoint counts on them: as safe, and
much cheaper where a sync is dear. Writing through costs little only on a drive that has a protected
cache or takes forced writes fast.

## How it is judged
From the drive's own time for one small O_DSYNC write (median).
- OFF: fine.
- ON with `innodb_doublewrite = fast`, or where doublewrite is not told: fine. `fast` never syncs
  the data files, so that writing through is all that makes pages durable.
- ON and below 200 microseconds: fine.
- ON and slower: OFF is proposed.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb_data_file%';`

## Risk and undo
Low: durability stays as it is. Changed at run time and back.

## When it is wrong
On storage that lies about a later sync but not about a forced write.

## References
- MariaDB documentation, "InnoDB Flush Method"; MariaDB 11.0 release notes
- M. Callaghan, "SSDs, power loss protection and fsync latency" (2026)
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_O_DSYNC, variable
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_data_file_write_through"
COPIES = "innodb_doublewrite"
PROTECTED_US = 200.0


@rule(
    topic="Files",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(REDO_O_DSYNC, variable(COPIES)),
    settings=(SETTING,),
    applies_to=(mariadb("11.0"),),
    findings=("F88", "F89"),
)
def check(facts: Facts) -> Answer:
    """Judge the switch by what one durable write costs here."""
    now = facts.get(variable(SETTING))
    one = facts.find(REDO_O_DSYNC)
    if not now.on:
        saw = "Page writes are made durable together, a file at a time."
        return _judged(Verdict.FINE, now, saw, "OFF", "Fine as it is.")
    copies = facts.find(variable(COPIES))
    if copies is None or copies.text.upper() == "FAST":
        return _only_way(now, copies)
    if one is None:
        return Unjudged("Every page write waits for the drive; what that costs was not measured.")
    cost_us = one.latency.p50_us
    cost = figures.duration_us(cost_us)
    limit = figures.duration_us(PROTECTED_US)
    saw = f"Every page write waits for the drive, and a small O_DSYNC write takes {cost} here."
    formula = f"{cost} against {limit}"
    if cost_us < PROTECTED_US:
        effect = "Fine as it is: the drive takes durable writes as fast as a protected cache."
        return _judged(Verdict.FINE, now, saw, formula, effect)
    effect = f"A page write no longer waits {cost}; each file is synced once for many pages."
    judged = _judged(Verdict.RECOMMEND, now, saw, formula, effect, gain=0.4)
    return judged.by(change(facts.get(MYSQL_VERSION), now, "OFF"))


def _only_way(now: Standing, copies: Standing | None) -> Judged:
    how = "not told" if copies is None else copies.text
    judged = _judged(
        Verdict.FINE,
        now,
        f"Every page write waits for the drive, and {COPIES} is {how}.",
        f"ON, {COPIES} = {how}",
        "Left as it is: with doublewrite 'fast' nothing else makes pages durable.",
    )
    return replace(judged, flips_when=f"{COPIES} is ON")


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        risk="Low: the pages are synced before a checkpoint counts on them."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=f"{'' if now.on else 'it is ON and '}a durable write takes "
        f"{figures.duration_us(PROTECTED_US)} or more"
        if verdict is Verdict.FINE
        else f"a durable write takes less than {figures.duration_us(PROTECTED_US)}",
        gain=gain,
        formula=formula,
        valid="MariaDB from 11.0",
        because="The durable write was measured on this drive, with 4 KiB and not a whole page.",
        cost_of_error="Page writes come out in bursts at each sync; undone at once.",
        side_effects="Syncs take longer, for there is more to sync.",
    )
