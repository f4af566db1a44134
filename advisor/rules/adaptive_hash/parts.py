"""The number of parts of the adaptive hash index.

## What it checks
Whether threads wait for the latch of one part of the adaptive hash index on a machine with many
processors.

## Why it matters
Each index belongs to one part, and each part has one latch. More parts spread several hot indexes;
they do not help a single one. Switching the adaptive hash index off ends the waits for certain, so
parts are the second choice.

## How it is judged
- The adaptive hash index is OFF: not applicable.
- Fewer than three threads wait for one of its latches: fine.
- Waits, and 16 CPU threads or more, and fewer than 64 parts: watch, 64 could help several hot
  indexes.
- Waits otherwise: watch, more parts would not help.

## How to check by hand
Lines with btr0sea under SEMAPHORES in SHOW ENGINE INNODB STATUS, read several times.

## Risk and undo
A restart, and another one to undo.

## When it is wrong
When the status was read at a moment without waits: they show only while they last.

## References
- MySQL reference manual, innodb_adaptive_hash_index_parts
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server.pool import POOL_HASH_WAITS, SEVERAL
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Knowledge, mariadb, mysql, number, rule
from probes.figures import counted

INDEX = "innodb_adaptive_hash_index"
MANY_CPUS, PARTS = 16, 64


@rule(
    topic="Reads",
    do="Switch the adaptive hash index off, rather than give it more parts",
    setting="innodb_adaptive_hash_index_parts",
    needs=(variable(INDEX), POOL_HASH_WAITS),
    uses=(HOST_CPU_GRANTED,),
    applies_to=(mysql("5.7.8"), mariadb("10.2.2")),
    waits_for=("adaptive-hash.index",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Look for waits, then for processors that could use more parts."""
    if facts.get(variable(INDEX)).value.upper() in {"OFF", "0"}:
        return Inapplicable("The adaptive hash index is off, so its parts are not in use.")
    waits = facts.get(POOL_HASH_WAITS)
    waited = At("number of threads that wait for its latches", waits, least=SEVERAL, say=number())
    waiting = f"{counted(waits, 'thread')} {'waits' if waits == 1 else 'wait'} for its latches"
    card = facts.card(
        f"The adaptive hash index has {facts.now.value} parts, and "
        f"{waiting if waits else 'no thread waits for its latches'}.",
        waited,
        valid="For the moment at which the InnoDB status was read.",
    )
    if not waited:
        return card.fine()
    cpus = facts.find(HOST_CPU_GRANTED)
    more = cpus is not None and cpus >= MANY_CPUS and facts.now.number < PARTS
    card = card.but(
        confidence=Confidence.LOW,
        because="Which indexes are waited for is not known, and one index has one part.",
    )
    if not more:
        return card.watch("More parts are no cure here: switch the adaptive hash index off.")
    return card.consider(
        facts.to(str(PARTS)),
        effect="More parts spread the waits where several indexes are hot; switching the adaptive "
        "hash index off ends them.",
        risk="Low: some memory for each part.",
        cost_of_error="A restart without a benefit.",
    )
