"""The memory that the server may take against the memory that there is.

## What it checks
Whether pools, caches and the buffers of as many connections as there really were fit the memory.

## Why it matters
A server that takes more memory than there is gets slow by swapping or is killed. The usual sum of
all buffers times max_connections says so of nearly every server and is believed by nobody: few
connections are ever open at once, and few of them use each buffer. Even so it is worth knowing what
would happen if all came.

## How it is judged
Pools (buffer pool, log buffer, key buffer, query cache, Aria's page cache) and the Performance
Schema are there once. To them come temptable_max_ram, which is a bound and taken only by queries
that need it, and one of each session buffer for the most connections that were ever open at once.
- Pools alone need more than 90 % of the memory: watched, first of all.
- With temporary tables and buffers more than 90 %: watched.
- Else fine; the figure for max_connections is told beside it.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE '%buffer_size';`, `Max_used_connections`, and the server's resident
memory in `ps`.

## Risk and undo
Nothing is proposed here: what to make smaller depends on what the queries need. The largest part is
named.

## When it is wrong
Session buffers are taken when they are needed, in part or several times in one query: the sum is
neither an upper nor a lower bound. Memory of plugins and of the allocator itself is not in it.

## References
- MySQL reference manual, "How MySQL Uses Memory"
- MariaDB documentation, "MariaDB Memory Allocation"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    HOST_MEMORY_USABLE,
    MEMORY_BUFFERS,
    MEMORY_PERFORMANCE_SCHEMA,
    MEMORY_POOLS,
    MYSQL_VERSION,
    status,
    variable,
)
from advisor.facts.memory import Taken
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

CONNECTIONS = "max_connections"
TEMPTABLE = "temptable_max_ram"
FULL = 0.9
"""The rest is for the system, the page cache and what no setting bounds."""

POOLS_FILL = "Pools are taken as a whole once they have filled; how full they are was not read."


@rule(
    topic="Memory",
    needs=(MYSQL_VERSION, HOST_MEMORY_USABLE, MEMORY_POOLS, MEMORY_BUFFERS),
    uses=(
        MEMORY_PERFORMANCE_SCHEMA,
        variable(TEMPTABLE),
        variable(CONNECTIONS),
        status("Max_used_connections"),
    ),
    settings=(CONNECTIONS,),
)
def check(facts: Facts) -> Answer:
    """Add up what is there once and what comes with connections."""
    granted = facts.get(HOST_MEMORY_USABLE)
    pools = facts.get(MEMORY_POOLS)
    buffers = facts.get(MEMORY_BUFFERS)
    once = pools.total + (facts.find(MEMORY_PERFORMANCE_SCHEMA) or 0.0)
    of = figures.size(granted)
    if once > FULL * granted:
        saw = f"Pools and caches alone may take {figures.size(once)} of {of}."
        formula = f"{figures.size(once)} / {of} = {figures.percent(once / granted)}"
        effect = (
            f"Make {pools.largest} smaller before the system starts to swap or kills the server."
        )
        judged = _judged(Verdict.WATCH, saw, formula, effect, pools.largest, gain=0.9)
        return replace(judged, confidence=Confidence.MEDIUM, because=POOLS_FILL)
    most = facts.find(status("Max_used_connections"))
    if most is None:
        return Unjudged(
            f"Pools and caches may take {figures.size(once)} of {of}; how many connections there "
            "were at most was not seen."
        )
    return _with_sessions(facts, granted, once, buffers, most)


def _with_sessions(
    facts: Facts, granted: float, once: float, buffers: Taken, most: float
) -> Judged:
    bound = facts.find(variable(TEMPTABLE))
    temporary = 0.0 if bound is None else bound.number
    whole = once + temporary + most * buffers.total
    share = whole / granted
    tables = "" if bound is None else f"{figures.size(temporary)} of temporary tables + "
    formula = (
        f"{figures.size(once)} + {tables}{most:.0f} x {figures.size(buffers.total)} = "
        f"{figures.size(whole)}, {figures.percent(share)} of {figures.size(granted)}"
    )
    saw = (
        f"Pools, and buffers for {figures.counted(most, 'connection')} (the most so far), may take "
        f"{figures.percent(share)} of {figures.size(granted)}"
    )
    allowed = facts.find(variable(CONNECTIONS))
    if allowed is not None:
        all_come = (once + temporary + allowed.number * buffers.total) / granted
        saw += f", and with all {allowed.text} that may come {figures.percent(all_come)}"
    if share <= FULL:
        return _judged(Verdict.FINE, f"{saw}.", formula, "Fine as it is.", buffers.largest)
    if temporary > most * buffers.total:
        effect = (
            f"See that {TEMPTABLE} fits beside the pools: temporary tables may take up to "
            f"{figures.size(temporary)}."
        )
        return _judged(Verdict.WATCH, f"{saw}.", formula, effect, TEMPTABLE, gain=0.2)
    effect = (
        f"Make {buffers.largest} smaller, which has {figures.size(buffers.parts[buffers.largest])} "
        "for each connection, or let fewer connections in."
    )
    return _judged(Verdict.WATCH, f"{saw}.", formula, effect, buffers.largest, gain=0.5)


def _judged(
    verdict: Verdict, saw: str, formula: str, effect: str, largest: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        largest,
        effect=effect,
        confidence=Confidence.LOW,
        flips_when=f"the sum passes {figures.percent(FULL)} of the memory"
        if verdict is Verdict.FINE
        else f"the sum is within {figures.percent(FULL)} of the memory",
        gain=gain,
        formula=formula,
        valid="a machine that the server has to itself",
        because="Settings were added up; the memory that the server really holds was not read.",
        cost_of_error="Memory left idle, if what is made smaller was never taken.",
    )
