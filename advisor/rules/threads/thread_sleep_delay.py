"""The sleep of threads that wait to enter InnoDB.

## What it checks
Whether threads that wait at innodb_thread_concurrency sleep for a fixed time.

## Why it matters
A thread that finds the limit reached sleeps before it tries again. With
innodb_adaptive_max_sleep_delay the server adapts that sleep as places become free. With 0 each
sleeps innodb_thread_sleep_delay, 10 ms by default: hundreds of times what a query takes whose pages
are in memory.

## How it is judged
- No limit of threads, or no more active connections than it allows: fine, no thread sleeps.
- Adaptive: fine.
- Fixed and below 1 ms (our choice): fine.
- Fixed and longer, with the limit reached: adaptive, up to the default of 150 ms, is proposed.

## How to check by hand
`SELECT @@innodb_adaptive_max_sleep_delay, @@innodb_thread_sleep_delay;`

## Risk and undo
Low: changed at run time and back.

## When it is wrong
When queries take much longer than the sleep, so that it does not matter.

## References
- MySQL reference manual, "Configuring Thread Concurrency for InnoDB"
- MariaDB documentation: without effect from 10.5.5
"""

from __future__ import annotations

from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, mariadb, mysql, rule
from advisor.rules.threads._active import more_active_than
from probes.figures import counted, duration_us

FIXED, LIMIT = "innodb_thread_sleep_delay", "innodb_thread_concurrency"
SHORT_US = 1000.0
USUAL_US = 150_000


@rule(
    topic="Threads",
    setting="innodb_adaptive_max_sleep_delay",
    needs=(variable(FIXED), variable(LIMIT)),
    uses=(LOAD_RUNNING,),
    settings=(FIXED,),
    applies_to=(mysql("5.6"), mariadb("10.2", "10.5.5")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge the sleep only where threads sleep."""
    now, limit = facts.now, facts.get(variable(LIMIT))
    sleep_us = facts.get(variable(FIXED)).number
    slept = f"Threads at the limit sleep {duration_us(sleep_us)} each time"
    limited = Is(limit.number != 0, f"{LIMIT} sets a limit")
    fixed = Is(now.number <= 0, "the sleep is fixed", "the sleep is adaptive")
    long = At("the sleep", sleep_us, least=SHORT_US, say=duration_us)
    card = facts.card(
        f"{slept}.",
        limited & fixed & long,
        because="Active connections were counted at both ends of the status window; no sleep was "
        "timed.",
    )
    if not limited:
        return card.fine(saw="The number of threads is not limited, so none sleeps.")
    if not fixed:
        saw = f"Threads at the limit sleep for an adaptive time, {duration_us(now.number)} at most."
        return card.fine(saw=saw)
    if not long:
        return card.fine()
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"{slept}; the number of active connections is not known.")
    reached = more_active_than(limit.number, running)
    card = card.but(
        saw=f"The limit is {limit.value} threads with {counted(running, 'active connection')}; one "
        f"that waits sleeps {duration_us(sleep_us)} each time.",
        condition=fixed & long & reached,
    )
    if not reached:
        return card.fine()
    return card.recommend(
        facts.to(str(USUAL_US)),
        condition=reached,
        effect="Threads wake sooner when places become free, and later when none do.",
        risk="Low: changed at run time and back.",
        cost_of_error="Little: it is the default of every version that has it.",
    )
