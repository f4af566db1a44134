"""innodb_adaptive_flushing: page writes that follow the redo log.

## What it checks
Whether flushing follows the growth of the redo log.

## Why it matters
A page's change may be dropped from the redo log only after the page is written. Adaptive flushing
writes pages for the log before that is needed: on MySQL the more, the fuller it is; on MariaDB,
while `innodb_max_dirty_pages_pct_lwm` is 0, the mean of `innodb_io_capacity`, of what it wrote
lately and of the pages that hold the checkpoint back. Without it no page is written for the log
until it is nearly full; then all are, at once, and commits wait for it.

## How it is judged
- ON: fine.
- OFF: recommended ON; the checkpoint age shows how near the stall is. On a server that hardly
  writes (under 100 pages/s, our choice) it is watched: there it makes no difference yet.

## How to check by hand
`SELECT @@innodb_adaptive_flushing;` and the checkpoint's age in SHOW ENGINE INNODB STATUS ("Log
sequence number" less "Last checkpoint at").

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
For a measured run in which all flushing has to be held back.

## References
- MySQL reference manual, "Configuring Buffer Pool Flushing"
- MySQL 8.0 and MariaDB 10.11 sources, buf0flu.cc, page_cleaner_flush_pages_recommendation
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Is, rule
from advisor.workload.flushing.checkpoint import REDO, checkpoint_age
from advisor.workload.flushing.load import PAGES, QUIET, WRITES


@rule(
    topic="Flushing",
    setting="innodb_adaptive_flushing",
    uses=(status("Innodb_pages_written"), *REDO),
    findings=("F14", "F62"),
)
def check(facts: Facts) -> Answer:
    """Ask for the switch, and say how near a full log is."""
    age, written = checkpoint_age(facts), facts.find(status("Innodb_pages_written"))
    off: Condition = Is(not facts.now.on, "it is switched off", "it is switched on")
    saw = f"Flushing {'does not follow' if off else 'follows'} the growth of the redo log."
    card = facts.card(f"{saw} {age.text}" if age else saw, off)
    if not off:
        return card.fine()
    busy: Condition = Is(True, "")
    if written is not None:
        busy = At(WRITES, written, least=QUIET, say=PAGES)
    propose = card.recommend if busy else card.consider
    return propose(
        facts.to("ON"),
        condition=off & busy,
        effect="Pages are written evenly as the log fills, not all at once when it is full.",
        confidence=Confidence.MEDIUM if written is None else Confidence.HIGH,
        valid="For every load that writes.",
        risk="None known.",
        cost_of_error="Page writes somewhat earlier than necessary.",
    )
