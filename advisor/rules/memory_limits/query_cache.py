"""The query cache.

## What it checks
Whether the query cache answers enough queries to be worth its lock.

## Why it matters
One lock guards the whole cache: each query takes it twice, and each change of a table discards all
results of that table under it. With many CPUs queries queue for it even where the cache never
answers one. MySQL 8.0 removed it; MariaDB keeps it, off by default.

## How it is judged
By the hit ratio over the status window: hits / (hits + stored results).
- Off, or without memory: fine. On demand: fine, queries ask for it.
- Less than one query per second that it answers, stores or can't store: off and 0 are proposed
  where that is at most 5 % of the server's statements and the cache has 16 MiB or more (our
  choices), for then its memory lies idle; a replica's applier never asks it. Else not judged, too
  few to tell.
- Fewer than half are hits, or none at all: off is proposed.
- Half or more on up to 8 CPU threads: fine; on more it is watched, since all share one lock.
- Nobody counts the waits for the lock. Where 100 queries/s ask the cache, they are at most what no
  other wait explains, and half of that is expected (our choices).

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Qcache%';` twice, a minute apart.

## Risk and undo
Low: queries that it answered are executed again. Changed at run time; back too, if the server was
started with the cache on (else MySQL 5.6 and 5.7 refuse it).

## When it is wrong
When an application reads the same slow results all day and changes nothing, and the status window
missed it.

## References
- MySQL 5.7 reference manual, "The MySQL Query Cache"; MySQL 8.0, removed features
- MariaDB documentation, "Query Cache"
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Is,
    Knowledge,
    Relief,
    Unjudged,
    Wait,
    mariadb,
    mysql,
    number,
    rule,
)
from advisor.variables.standing import Standing
from probes.figures import count, percent, rate, size

SIZE = "query_cache_size"
WORTH, FEW_CPUS = 0.5, 8
IDLE_BYTES = 16 << 20
QUIET_PER_S = 1.0
HARDLY = 0.05
"""A cache that so few of all statements come to helps nobody, whatever it answers (our choice)."""

HITS, STORED, UNFIT = (status(f"Qcache_{name}") for name in ("hits", "inserts", "not_cached"))


@rule(
    topic="Memory",
    do="Compare the rate of queries without the query cache",
    setting="query_cache_type",
    needs=(variable(SIZE),),
    uses=(HITS, STORED, UNFIT, HOST_CPU_GRANTED, HOST_MEMORY_USABLE, status("Questions")),
    settings=(SIZE,),
    applies_to=(mysql(before="8.0.3"), mariadb()),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Weigh the queries that it answers against its lock."""
    kind, memory = facts.now, facts.get(variable(SIZE))
    in_use = Is(kind.on and memory.number != 0, "it is switched on")
    if not in_use:
        saw = f"The query cache is not in use ({kind.name} {kind.value}, {size(memory.number)})."
        return facts.card(saw, in_use).fine()
    hits, stored = facts.find(HITS), facts.find(STORED)
    if hits is None or stored is None:
        return Unjudged("The query cache is on; how often it answers is not known.")
    asked = hits + stored + (facts.find(UNFIT) or 0.0)
    if asked < QUIET_PER_S:
        return _hardly_asked(facts, memory, asked)
    share = hits / (hits + stored) if hits + stored else 0.0
    of = f"{hits:.1f} / ({hits:.1f} + {stored:.1f})"
    worth = At("hit ratio", share, least=WORTH, of=of, say=percent)
    cpus = facts.find(HOST_CPU_GRANTED)
    few = At("number of CPU threads", cpus or 0.0, most=FEW_CPUS, say=number())
    card = facts.card(
        f"The query cache answers {rate(hits)} and stores {rate(stored)}.",
        worth if cpus is None else worth & few,
        because="Hits and stored results were counted; waits for the lock were not.",
    )
    if not worth:
        return card.but(relieves=(Relief.whole(Wait.QUERY_CACHE),)).recommend(
            facts.to("OFF", first=((memory, "0"),)),
            effect="Queries no longer wait for its lock.",
            risk="Low: queries that it answered are executed again.",
            cost_of_error="Slow queries that it answered take their full time; undone at once.",
            side_effects="Its memory is free for the buffer pool.",
        )
    if not few:
        return card.but(relieves=(Relief.up_to(Wait.QUERY_CACHE, 1.0),)).watch(
            f"It does answer, but {count(few.value)} CPU threads share its one lock: compare the "
            "rate of queries with it off.",
        )
    return card.fine()


def _hardly_asked(facts: Facts, memory: Standing, asked: float) -> Answer:
    """Free a cache that nobody asks, on a server that is asked."""
    came = f"Only {rate(asked, 'queries')} came to the query cache"
    questions, usable = facts.find(status("Questions")), facts.find(HOST_MEMORY_USABLE)
    idle = At("query cache", memory.number, least=IDLE_BYTES, say=size)
    few = questions is not None and asked <= HARDLY * questions
    if questions is None or questions < QUIET_PER_S or not few or not idle:
        return Unjudged(f"{came}.")
    part = "" if not usable else f", {percent(memory.number / usable)} of the memory"
    return facts.card(
        f"{came}, of {rate(questions, 'statements')}: it holds {size(memory.number)}{part}.",
        idle,
        confidence=Confidence.HIGH,
        because="Hits, stored results and statements were counted.",
    ).recommend(
        facts.to("OFF", first=((memory, "0"),)),
        effect=f"Up to {size(memory.number)} become free for the buffer pool, and no query waits "
        "for its lock.",
        risk="Low: hardly a query was answered by it.",
        cost_of_error="Queries of another hour that it answers take their full time.",
    )
