"""The tickets of threads inside InnoDB (innodb_concurrency_tickets).

## What it checks
Whether innodb_concurrency_tickets sends long queries back into the queue too often.

## Why it matters
Under innodb_thread_concurrency a thread that enters InnoDB gets this many tickets and spends one
for each row or call; when they are used up it leaves and queues again, and may sleep for
innodb_thread_sleep_delay before. Without a limit the tickets have no effect.

## How it is judged
- No limit of threads: fine, the setting has no effect.
- No more active connections than the limit: fine, no thread queues.
- The limit is reached with 500 tickets or more: fine.
- The limit is reached with fewer: 5,000 are proposed, the default since MySQL 5.6. The cost is rows
  / tickets x sleep, at most.

## How to check by hand
`SELECT @@innodb_concurrency_tickets, @@innodb_thread_concurrency, @@innodb_thread_sleep_delay;`

## Risk and undo
Low: changed at run time and back.

## When it is wrong
When short queries should overtake long ones: few tickets do that.

## References
- MySQL reference manual, innodb_concurrency_tickets
- MariaDB documentation: without effect from 10.5.5
"""

from __future__ import annotations

from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, mariadb, mysql, number, rule
from advisor.rules.threads._active import more_active_than
from probes.figures import count, duration_us

LIMIT, SLEEP = "innodb_thread_concurrency", variable("innodb_thread_sleep_delay")
FEW = 500
"""The default of MySQL 5.5, the lowest of any version."""

USUAL = 5000
ROWS = 10_000
"""A query of this many rows is the example."""


@rule(
    topic="Threads",
    setting="innodb_concurrency_tickets",
    needs=(variable(LIMIT),),
    uses=(LOAD_RUNNING, SLEEP),
    applies_to=(mysql(), mariadb(before="10.5.5")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge the tickets only where threads queue for them."""
    now, limit = facts.now, facts.get(variable(LIMIT))
    limited = Is(limit.number != 0, f"{LIMIT} sets a limit")
    few = At("the number of tickets", now.number, below=FEW, say=number())
    card = facts.card(f"Without a limit in {LIMIT}, tickets have no effect.", limited)
    if not limited:
        return card.fine()
    if not few:
        saw = f"A thread may enter InnoDB {now.value} times before it queues again."
        return card.fine(saw=saw, condition=few)
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"Whether threads queue with {now.value} tickets is not known.")
    reached = more_active_than(limit.number, running)
    card = card.but(
        saw=f"The limit is {limit.value} threads with {count(running)} active connections, and a "
        f"thread gets {now.value} tickets at a time.",
        condition=few & reached,
    )
    if not reached:
        return card.fine("Fine as it is: the limit is not reached.")
    times, sleep = ROWS / max(now.number, 1), facts.find(SLEEP)
    formula = f"{count(ROWS)} rows / {now.value} tickets = {count(times)} times in the queue"
    if sleep is not None:
        delay_us = sleep.number
        formula += f", x {duration_us(delay_us)} of sleep = {duration_us(times * delay_us)} at most"
    return card.recommend(
        facts.to(str(USUAL)),
        effect=f"A query of {count(ROWS)} rows queues {ROWS // USUAL} times instead of "
        f"{count(times)}.",
        formula=formula,
        because="Active connections were counted at both ends of the status window; the sleeps "
        "were not measured.",
        risk="Low: short queries may wait longer behind long ones.",
        cost_of_error="Short queries wait longer; undone at once.",
        side_effects="Long queries stay inside longer.",
    )
