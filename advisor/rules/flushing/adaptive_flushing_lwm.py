"""innodb_adaptive_flushing_lwm: how full the redo log is when its flushing starts.

## What it checks
Whether adaptive flushing starts so late that a burst of writes fills the redo log first.

## Why it matters
Below this share of the redo log's size adaptive flushing writes no pages. Above it, on MySQL, the
rate grows with the fill to the power of 1.5, up to `innodb_io_capacity_max`. On MariaDB the fill
only switches flushing on, while `innodb_max_dirty_pages_pct_lwm` is 0: the rate is then the mean of
`innodb_io_capacity`, of what was written lately and of the pages that hold the checkpoint back. A
high mark leaves little room between the first page and the stall.

## How it is judged
- Up to 30 % (our choice): fine (the default is 10).
- Above 30 %: recommended 10 where the log was filled past the mark within the window, or to half of
  what it may hold (our choice); watch where it was not.
- Above 30 %, and less than 100 pages/s are written, and less than a quarter of what the drive
  flushes (our choices): fine, so little fills the log slowly.
- Above 30 % and the fill unknown: not judged.

## How to check by hand
`SELECT @@innodb_adaptive_flushing_lwm;` and the checkpoint's age against the redo log's size.

## Risk and undo
Changes online. Page writes begin somewhat earlier.

## When it is wrong
When bursts are short and fit below the mark: then a high mark saves writes.

## References
- MySQL reference manual, innodb_adaptive_flushing_lwm
- MySQL 8.0 and MariaDB 10.11 sources, buf0flu.cc, page_cleaner_flush_pages_recommendation
"""

from __future__ import annotations

from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, mariadb, mysql, rule
from advisor.workload.flushing.checkpoint import REDO, checkpoint_age
from advisor.workload.flushing.load import HARDLY, WRITES_MORE, WRITING, hardly_writes
from probes.figures import percent

HIGH, USUAL = 30.0, 10
HALF = 0.5


@rule(
    topic="Flushing",
    setting="innodb_adaptive_flushing_lwm",
    uses=(*REDO, *WRITING),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Look for a high mark, then for a log that is filled past it."""
    mark, age = facts.now.number, checkpoint_age(facts)
    high = At("low-water mark", mark, above=HIGH, say=_percent)
    saw = f"Adaptive flushing starts at {_percent(mark)} of the redo log"
    card = facts.card(f"{saw}.", high)
    if not high:
        return card.fine()
    if age is None:
        return Unjudged(f"{saw}, which is late; the checkpoint age is not known.")
    if hardly_writes(facts):
        return card.fine(HARDLY, saw=f"{saw}. {age.text}", flips_when=WRITES_MORE)
    pressed = age.at_least(min(HALF, mark / 100))
    propose = card.recommend if pressed else card.consider
    return propose(
        facts.to(str(USUAL)),
        saw=f"{saw}. {age.text}",
        condition=high & pressed,
        effect="Page writes begin earlier, so that a burst is less likely to fill the log and "
        "stall all writers.",
        risk="Low: somewhat more page writes.",
        cost_of_error="Pages that are written once more than necessary.",
        side_effects="The checkpoint age is lower, so recovery is shorter.",
    )


def _percent(value: float) -> str:
    return percent(value / 100)
