"""The server's own sizing by the machine's memory.

## What it checks
Whether innodb_dedicated_server gave the server more memory than it has to itself.

## Why it matters
The switch sizes the buffer pool by all memory of the machine and the redo log by memory or CPUs,
where these are not set by hand. Measured on 23 GiB and 2 CPUs: 8.0.33 takes a pool of 18 GiB and a
redo log of 14 GiB, and changes the flush method to O_DIRECT_NO_FSYNC; 9.7.4 takes 17.25 GiB, a redo
log of 1 GiB and leaves the flush method alone. In a container or beside other programs that is too
much.

## How it is judged
- Off: fine.
- On, and the buffer pool is within 80 % of the memory that the server may use: fine.
- On with more: watched. Set innodb_buffer_pool_size and innodb_redo_log_capacity by hand before it
  is switched off: off by itself makes the pool 128 MiB.

## How to check by hand
`SELECT @@innodb_dedicated_server, @@innodb_buffer_pool_size, @@innodb_flush_method;` and the memory
limit of the container.

## Risk and undo
Nothing is proposed: it takes three settings at once and a restart.

## When it is wrong
When the limit that was read is not the one that the server runs under.

## References
- MySQL reference manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server"
- Behaviour of MySQL 8.0.33 and 9.7.4 on a real machine
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY_USABLE, MEMORY_LIMIT, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes import figures

SETTING, POOL = "innodb_dedicated_server", "innodb_buffer_pool_size"
MOST = 0.8


@rule(
    topic="Memory",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(variable(POOL), HOST_MEMORY_USABLE, MEMORY_LIMIT),
    settings=(SETTING,),
    applies_to=(mysql("8.0.3"),),
)
def check(facts: Facts) -> Answer:
    """Compare the pool that it chose with the memory that the server may use."""
    now = facts.get(variable(SETTING))
    if not now.on:
        saw = "The server's sizes are set by hand or by default."
        return _judged(Verdict.FINE, now, saw, "OFF", "Fine as it is.")
    pool = facts.find(variable(POOL))
    memory = facts.find(HOST_MEMORY_USABLE)
    if pool is None or memory is None:
        return Unjudged("The server sizes itself; the memory that it may use is not known.")
    share = pool.number / memory
    whose = "its control group grants" if facts.find(MEMORY_LIMIT) else "the machine has"
    saw = (
        f"The server sizes itself: its pool has {figures.size(pool.number)} of the "
        f"{figures.size(memory)} that {whose}."
    )
    formula = f"{figures.size(pool.number)} / {figures.size(memory)} = {figures.percent(share)}"
    if share <= MOST:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is." + _flush_method(facts))
    effect = (
        f"Set {POOL} and innodb_redo_log_capacity by hand, then switch it off: it counts memory "
        f"that the server does not have.{_flush_method(facts)}"
    )
    return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.7)


def _flush_method(facts: Facts) -> str:
    """Say what older versions change along."""
    version = facts.get(MYSQL_VERSION)
    if version.before(MYSQL, 8, 4):
        return " It also set the flush method to O_DIRECT_NO_FSYNC, unless that is set by hand."
    return ""


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        flips_when=f"{'' if now.on else 'it is ON and '}the pool has more than "
        f"{figures.percent(MOST)} of the memory"
        if verdict is Verdict.FINE
        else f"the pool has {figures.percent(MOST)} of the memory or less",
        gain=gain,
        formula=formula,
        valid="MySQL from 8.0.3",
        because="Pool and memory were read; what else runs on the machine was not.",
        cost_of_error="Memory left idle.",
    )
