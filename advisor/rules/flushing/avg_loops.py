"""innodb_flushing_avg_loops: over how long the flush rate is averaged.

## What it checks
Whether adaptive flushing reacts so slowly that the redo log fills first, or so fast that its rate
fluctuates.

## Why it matters
Adaptive flushing averages the redo's growth and its own rate over this many rounds of about a
second. A long average makes an even rate and misses a burst; a short one fluctuates.

## How it is judged
- 5 to 120 (our choice): fine (the default is 30).
- Above 120: recommended 30 where the checkpoint age is 75 % of its limit or more; watch where it is
  not, or is not known.
- Below 5: watch.
- A server that writes less than 100 pages/s, and less than a quarter of what its drive flushes (our
  choices): fine.

## How to check by hand
`SELECT @@innodb_flushing_avg_loops;`, and the page writes per second over a few minutes.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
When it was tuned by measurement for a load of regular bursts.

## References
- MySQL reference manual, innodb_flushing_avg_loops
"""

from __future__ import annotations

from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, mariadb, mysql, number, rule
from advisor.workload.flushing.checkpoint import REDO, checkpoint_age
from advisor.workload.flushing.load import HARDLY, WRITES_MORE, WRITING, hardly_writes
from probes.figures import counted

FAST, SLOW, USUAL = 5, 120, 30
PRESSED = 0.75


@rule(
    topic="Flushing",
    setting="innodb_flushing_avg_loops",
    uses=(*REDO, *WRITING),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Look for an average that is far too long or too short."""
    rounds, age = facts.now.number, checkpoint_age(facts)
    slow = At("number of rounds", rounds, above=SLOW, say=number())
    fast = At("number of rounds", rounds, below=FAST, say=number())
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
            facts.to(str(USUAL)),
            condition=slow & pressed,
            effect="The rate follows a burst sooner, before the redo log is full.",
        )
    return card.consider(
        facts.to(str(USUAL)),
        effect="The rate follows a burst sooner, before the redo log is full."
        if slow
        else "The rate fluctuates less from second to second.",
        confidence=Confidence.LOW,
    )
