"""innodb_flush_sync: flushing while the redo log fills up.

## What it checks
Whether flushing may exceed `innodb_io_capacity_max` when the redo log fills up.

## Why it matters
When the checkpoint age reaches its limit, all writers wait until pages are written. With the
setting ON the server then writes as fast as the drive can; OFF keeps it to
`innodb_io_capacity_max` (manuals name `innodb_io_capacity`, the sources the higher one), which
protects reads and prolongs the wait.

## How it is judged
- ON: fine.
- OFF: the checkpoint age decides. From where on the server flushes for the log alone (see the rule
  on the checkpoint age): recommended ON. Below 75 % of its limit (our choice): fine, the setting
  has no effect at that age. Between: watch. Unknown: not judged.

## How to check by hand
`SELECT @@innodb_flush_sync;` and the checkpoint's age under the highest load.

## Risk and undo
Changes online. With ON a burst of page writes makes reads slower while it lasts.

## When it is wrong
Where reads matter more than writes and a stall of all writers is acceptable.

## References
- MySQL reference manual, innodb_flush_sync
- MariaDB documentation, "InnoDB Page Flushing"
- MySQL 8.0 and MariaDB 10.11 sources, buf0flu.cc, page_cleaner_flush_pages_recommendation and
  buf_flush_page_cleaner
"""

from __future__ import annotations

from advisor.rulekit import Answer, Facts, Is, Unjudged, mariadb, mysql, rule
from advisor.workload.flushing.checkpoint import REDO, checkpoint_age

NEAR = 0.75


@rule(
    topic="Flushing",
    setting="innodb_flush_sync",
    uses=REDO,
    applies_to=(mysql("5.7"), mariadb("10.2")),
    findings=("F67",),
)
def check(facts: Facts) -> Answer:
    """Ask how near the burst is that the switch would hold back."""
    age = checkpoint_age(facts)
    off = Is(not facts.now.on, "it is switched off", "it is switched on")
    if not off:
        return facts.card(
            "Flushing may exceed innodb_io_capacity_max when the redo log fills up.", off
        ).fine()
    saw = "Flushing keeps to innodb_io_capacity_max even when the redo log fills up"
    if age is None:
        return Unjudged(f"{saw}; the checkpoint age is not known.")
    near, pressed = age.at_least(NEAR), age.late
    card = facts.card(f"{saw}. {age.text}", off & (pressed if pressed else near))
    if not near:
        return card.fine()
    propose = card.recommend if pressed else card.consider
    return propose(
        facts.to("ON"),
        effect="A redo log that fills up is drained as fast as the drive can, so that writers wait "
        "less.",
        risk="Medium: reads are slower while the burst lasts.",
        cost_of_error="Some seconds of slow reads at each burst.",
        side_effects="Page writes come in bursts where the log is too small: enlarge it as well.",
    )
