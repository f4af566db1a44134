"""Adaptive flushing: whether page writes follow the redo log, from where on, and how evenly.

## What it checks
Whether flushing follows the growth of the redo log (`innodb_adaptive_flushing`), whether it starts
so late that a burst of writes fills the log first (`innodb_adaptive_flushing_lwm`), and whether it
reacts too slowly or fluctuates (`innodb_flushing_avg_loops`).

## Why it matters
A page's change may be dropped from the redo log only after the page is written. Adaptive flushing
writes pages for the log before that is needed, from the low-water mark on, a share of the log's
size. On MySQL the rate grows with the fill to the power of 1.5, up to `innodb_io_capacity_max`. On
MariaDB the fill only switches flushing on, while `innodb_max_dirty_pages_pct_lwm` is 0: the rate is
then the mean of `innodb_io_capacity`, of what was written lately and of the pages that hold the
checkpoint back. A high mark leaves little room between the first page and the stall. Without
adaptive flushing no page is written for the log until it is nearly full; then all are, at once, and
commits wait for it. The redo's growth and the own rate are averaged over some rounds of about a
second: many make an even rate and miss a burst, few fluctuate.

## How it is judged
The checkpoint age against its limit shows how near the stall is.
- Adaptive flushing ON: fine. OFF: recommended ON. On a server that hardly writes (under 100
  pages/s, our choice) it is watched: there it makes no difference yet.
- A mark of up to 30 % (our choice): fine (the default is 10). Above: recommended 10 where the log
  was filled past the mark within the window, or to half of what it may hold (our choice); watch
  where it was not; not judged where the fill is unknown.
- 5 to 120 rounds (our choice): fine (the default is 30). Above 120: recommended 30 where the
  checkpoint age is 75 % of its limit or more; watch where it is not, or is not known. Below 5:
  watch.
- A mark or a number of rounds is fine where less than 100 pages/s are written, and less than a
  quarter of what the drive flushes (our choices): so little fills the log slowly.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb%flushing%';`, and the checkpoint's age in SHOW ENGINE INNODB
STATUS ("Log sequence number" less "Last checkpoint at") against the redo log's size.

## Risk and undo
All change online and can be undone at once. With a lower mark page writes begin somewhat earlier.

## When it is wrong
For a measured run in which all flushing has to be held back; when bursts are short and fit below
the mark, so that it saves writes; when the rounds were tuned by measurement for regular bursts.

## References
- MySQL reference manual, "Configuring Buffer Pool Flushing", innodb_adaptive_flushing_lwm and
  innodb_flushing_avg_loops
- MySQL 8.0 and MariaDB 10.11 sources, buf0flu.cc, page_cleaner_flush_pages_recommendation
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Condition,
    Facts,
    Is,
    Knowledge,
    Unjudged,
    mariadb,
    mysql,
    number,
    rule,
)
from advisor.workload.flushing.checkpoint import REDO, checkpoint_age
from advisor.workload.flushing.load import (
    HARDLY,
    PAGES,
    QUIET,
    WRITES,
    WRITES_MORE,
    WRITING,
    hardly_writes,
)
from probes.figures import counted, percent

HIGH_MARK, USUAL_MARK = 30.0, 10
HALF = 0.5
FAST_ROUNDS, SLOW_ROUNDS, USUAL_ROUNDS = 5, 120, 30
PRESSED = 0.75


@rule(
    name="flushing.adaptive-flushing",
    title="innodb_adaptive_flushing: page writes that follow the redo log",
    topic="Flushing",
    setting="innodb_adaptive_flushing",
    uses=(status("Innodb_pages_written"), *REDO),
    findings=("F14", "F62"),
)
def switch(facts: Facts) -> Answer:
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


@rule(
    name="flushing.adaptive-flushing-lwm",
    title="innodb_adaptive_flushing_lwm: how full the redo log is when its flushing starts",
    topic="Flushing",
    setting="innodb_adaptive_flushing_lwm",
    uses=(*REDO, *WRITING),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def low_water_mark(facts: Facts) -> Answer:
    """Look for a high mark, then for a log that is filled past it."""
    mark, age = facts.now.number, checkpoint_age(facts)
    high = At("low-water mark", mark, above=HIGH_MARK, say=_percent)
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
        facts.to(str(USUAL_MARK)),
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


@rule(
    name="flushing.avg-loops",
    title="innodb_flushing_avg_loops: over how long the flush rate is averaged",
    topic="Flushing",
    setting="innodb_flushing_avg_loops",
    uses=(*REDO, *WRITING),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def rounds_averaged(facts: Facts) -> Answer:
    """Look for an average that is far too long or too short."""
    rounds, age = facts.now.number, checkpoint_age(facts)
    slow = At("number of rounds", rounds, above=SLOW_ROUNDS, say=number())
    fast = At("number of rounds", rounds, below=FAST_ROUNDS, say=number())
    saw = f"The flush rate is averaged over {counted(rounds, 'round')}."
    card = facts.card(f"{saw} {age.text}" if age else saw, slow | fast)
    if not (slow or fast):
        return card.fine()
    if hardly_writes(facts):
        return card.fine(HARDLY, flips_when=WRITES_MORE)
    pressed = age.at_least(PRESSED) if age else None
    card = card.but(
        risk="Low: page writes are somewhat more or less even.",
        cost_of_error="Page writes that are somewhat more or less even.",
    )
    if slow and pressed:
        return card.recommend(
            facts.to(str(USUAL_ROUNDS)),
            condition=slow & pressed,
            effect="The rate follows a burst sooner, before the redo log is full.",
        )
    return card.consider(
        facts.to(str(USUAL_ROUNDS)),
        effect="The rate follows a burst sooner, before the redo log is full."
        if slow
        else "The rate fluctuates less from second to second.",
        confidence=Confidence.LOW,
    )
