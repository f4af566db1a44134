"""The checksums of the redo log.

## What it checks
Whether blocks of the redo log carry a checksum.

## Why it matters
Recovery applies what it finds in the redo log. Without a checksum it can't tell a block that was
torn or changed from a good one, and writes the error into the pages.

## How it is judged
- ON: fine. OFF: ON is proposed.

## How to check by hand
`SELECT @@innodb_log_checksums;`

## Risk and undo
Changes at once, can be undone at once. A little CPU per block of 512 bytes.

## When it is wrong
MariaDB 10.5 and later always have these checksums, whatever a line in the option file says.

## References
- MySQL 8.0 reference manual, innodb_log_checksums
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import Answer, Judged, rule
from advisor.rulekit.versions import mariadb, mysql

SETTING = "innodb_log_checksums"


@rule(
    topic="Checksums",
    needs=(MYSQL_VERSION, variable("innodb_log_checksums")),
    settings=(SETTING,),
    applies_to=(mysql("5.7.9"), mariadb("10.2", "10.5")),
    findings=("F16",),
)
def check(facts: Facts) -> Answer:
    """Ask for checked redo, always."""
    now = facts.get(variable("innodb_log_checksums"))
    judged = Judged(
        Verdict.FINE,
        f"Blocks of the redo log carry {'a' if now.on else 'no'} checksum.",
        SETTING,
        now.now,
        effect="Fine as it is: recovery knows a good block from a torn one.",
        confidence=Confidence.HIGH,
        flips_when="it is switched off",
        formula=f"{SETTING} = {now.text}",
        valid="On any drive.",
        because="That is what the setting means.",
        cost_of_error="A little CPU per block.",
    )
    if now.on:
        return judged
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect="Recovery after a crash stops at a block that was torn or changed, instead of "
        "applying it.",
        risk="Low: a little CPU per block.",
        flips_when="it is switched on",
        gain=0.8,
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))
