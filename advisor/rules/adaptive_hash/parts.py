"""The number of parts of the adaptive hash index.

## What it checks
Whether threads wait for the latch of one part of the adaptive hash index on a machine with many
processors.

## Why it matters
Each index belongs to one part, and each part has one latch. More parts spread several hot indexes;
they do nothing for one. Switching the adaptive hash index off ends the waits for certain, so parts
are the second choice.

## How it is judged
- The adaptive hash index is OFF: not applicable.
- Fewer than three threads were seen waiting at one of its latches: fine.
- Waits, and 16 CPU threads or more, and fewer than 64 parts: watch, 64 could help several hot
  indexes.
- Waits otherwise: watch, more parts are no cure.

## How to check by hand
Lines with btr0sea under SEMAPHORES in SHOW ENGINE INNODB STATUS, looked at several times.

## Risk and undo
A restart, and another one to undo.

## When it is wrong
When the one look fell on a moment without waits: they are seen only while they last.

## References
- MySQL reference manual, innodb_adaptive_hash_index_parts
"""

from __future__ import annotations

from advisor.facts.known import HOST_CPU_THREADS, MYSQL_VERSION, POOL_HASH_WAITS, variable
from advisor.facts.pool import SEVERAL
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from probes import figures

SETTING = "innodb_adaptive_hash_index_parts"
MANY_CPUS, PARTS = 16, 64


@rule(
    topic="Reads",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        variable("innodb_adaptive_hash_index"),
        POOL_HASH_WAITS,
    ),
    uses=(HOST_CPU_THREADS,),
    settings=(SETTING,),
    applies_to=(mysql("5.7.8"), mariadb("10.2.2")),
    waits_for=("adaptive-hash.index",),
)
def check(facts: Facts) -> Answer:
    """Look for waits, then for processors that could use more parts."""
    index = facts.get(variable("innodb_adaptive_hash_index"))
    if index.text.upper() in {"OFF", "0"}:
        return Inapplicable("The adaptive hash index is off, so it has no parts in use.")
    now = facts.get(variable(SETTING))
    waits = facts.get(POOL_HASH_WAITS)
    saw = f"The adaptive hash index has {now.text} parts, and {_waiting(waits)}."
    formula = f"{figures.count(waits)} waiting threads"
    if waits < SEVERAL:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"{SEVERAL} threads or more wait for one of its latches",
            formula=formula,
            because="the server's own list of waits, at one moment",
            valid="for this moment",
        )
    cpus = facts.find(HOST_CPU_THREADS)
    more = cpus is not None and cpus >= MANY_CPUS and now.number < PARTS
    judged = Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="More parts spread the waits when several indexes are hot; with the adaptive hash "
        "index off there are none."
        if more
        else "More parts are no cure here: switch the adaptive hash index off.",
        confidence=Confidence.LOW,
        because="which indexes are waited for is not known, and one index has one part",
        risk="Low: some memory for each part.",
        cost_of_error="a restart for nothing",
        side_effects="None.",
        flips_when=f"fewer than {SEVERAL} threads wait for its latches",
        valid="for loads like the one at that moment",
        gain=0.08,
        formula=formula,
    )
    if not more:
        return judged
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(PARTS)))


def _waiting(waits: float) -> str:
    if not waits:
        return "no thread was waiting for one of them"
    were = "was" if waits == 1 else "were"
    return f"{figures.counted(waits, 'thread')} {were} waiting for one of them"
