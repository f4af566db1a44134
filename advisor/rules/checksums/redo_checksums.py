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

from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Stakes, mariadb, mysql, rule


@rule(
    topic="Checksums",
    setting="innodb_log_checksums",
    applies_to=(mysql("5.7.9"), mariadb("10.2", "10.5")),
    findings=("F16",),
    stakes=Stakes.DATA,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Ask for checked redo, always."""
    now = facts.now
    card = facts.card(
        f"Blocks of the redo log carry {'a' if now.on else 'no'} checksum.",
        Is(now.on, "it is switched on", "it is switched off"),
        confidence=Confidence.HIGH,
        cost_of_error="A little CPU per block.",
    )
    if now.on:
        return card.fine("Fine as it is: recovery can distinguish a good block from a torn one.")
    return card.recommend(
        facts.to("ON"),
        effect="Crash recovery stops at a torn or corrupted block instead of applying it.",
        risk="Low: a little CPU per block.",
    )
