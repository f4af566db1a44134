"""The cache of threads (thread_cache_size).

## What it checks
Whether the server starts threads for new connections instead of reusing cached ones.

## Why it matters
A connection that ends leaves its thread in the cache if there is room. Without room the next
connection waits for a new thread. A hit ratio since the server's start misleads: what counts is how
many threads are started now.

## How it is judged
- Fewer than 10 threads started per second (our choice): fine.
- More, and the cache is smaller than the peak of connections: Max_used_connections, rounded up and
  no more than max_connections, is proposed.
- More, although the cache holds that many: watched; clients connect and leave in bursts, and a
  connection pool saves them the login too.
- With MariaDB's thread pool the cache has no effect: not applicable.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Threads_created';` twice, a minute apart.

## Risk and undo
Low: a sleeping thread costs what it has used of its stack, at most some 100 to 300 KiB.

## When it is wrong
When an application was restarted during the status window and reconnected.

## References
- MySQL reference manual, thread_cache_size
- MariaDB documentation, thread_cache_size
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_up
from advisor.rulekit import Answer, At, Facts, Inapplicable, Knowledge, Unjudged, per_s, rule
from probes.figures import count, rate

HANDLING, ALLOWED = variable("thread_handling"), variable("max_connections")
FEW_PER_S = 10.0
MOST = 16384


@rule(
    topic="Threads",
    setting="thread_cache_size",
    needs=(status("Threads_created"),),
    uses=(HANDLING, ALLOWED, status("Max_used_connections")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare the cache with the connections that come and go."""
    handling = facts.find(HANDLING)
    if handling is not None and handling.value == "pool-of-threads":
        return Inapplicable("The server runs its connections on a thread pool.")
    now, started = facts.now, facts.get(status("Threads_created"))
    often = At("the rate of started threads", started, least=FEW_PER_S, say=per_s())
    card = facts.card(
        f"The cache holds up to {now.value} threads, and {rate(started)} are started.",
        often,
        because="Threads were counted over the status window; the cost of starting one was not.",
    )
    if not often:
        return card.fine()
    most, allowed = facts.find(status("Max_used_connections")), facts.find(ALLOWED)
    if most is None:
        return Unjudged(f"{card.said['saw']} The peak number of connections is not known.")
    wanted = min(round_up(most), MOST, int(allowed.number) if allowed else MOST)
    if wanted <= now.number:
        return card.watch(
            "The cache is large enough for all; a connection pool in the application saves the "
            "login as well as the thread.",
        )
    return card.recommend(
        facts.to(str(wanted)),
        effect="New connections find a thread ready.",
        formula=f"{count(most)} connections at peak, rounded up to {count(wanted)}",
        risk="Low: changed at run time and back.",
        cost_of_error="Some memory for stacks of sleeping threads.",
    )
