"""Threads started for new connections.

## What it checks
Whether the server starts threads for connections that it could take out of its cache.

## Why it matters
A connection that ends leaves its thread in the cache if there is room. Without room the next
connection has to wait for a new thread. The advice to look at a hit rate since the server's start
misleads: what counts is how many threads are started now.

## How it is judged
- Fewer than 10 threads started per second over the window: fine.
- More, and the cache is smaller than the most connections that were ever open: that many, rounded
  up and no more than max_connections, are proposed.
- More, although the cache holds that many: watched; clients connect and leave in bursts, and a pool
  of connections saves them the log-in too.
- With MariaDB's pool of threads the cache has no effect: nothing to say.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Threads_created';` twice, a minute apart.

## Risk and undo
Low: a sleeping thread costs its stack, some 100 to 300 KiB, and only what it touched of it.

## When it is wrong
When the window caught a restart of an application that connects anew.

## References
- MySQL reference manual, thread_cache_size
- MariaDB documentation, thread_cache_size
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.model.round_figures import round_up
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from probes import figures

SETTING = "thread_cache_size"
FEW_PER_S = 10.0
MOST = 16384


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING), status("Threads_created")),
    uses=(
        variable("thread_handling"),
        variable("max_connections"),
        status("Max_used_connections"),
    ),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Compare the cache with the connections that come and go."""
    handling = facts.find(variable("thread_handling"))
    if handling is not None and handling.text == "pool-of-threads":
        return Inapplicable("The server runs its connections on a pool of threads.")
    now = facts.get(variable(SETTING))
    started = facts.get(status("Threads_created"))
    saw = f"The cache holds {now.text} threads, and {figures.rate(started)} are started anew."
    formula = f"{figures.rate(started)} against {figures.rate(FEW_PER_S)}"
    if started < FEW_PER_S:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is.")
    most = facts.find(status("Max_used_connections"))
    allowed = facts.find(variable("max_connections"))
    if most is None:
        return Unjudged(f"{saw} How many connections there were at most was not seen.")
    wanted = min(round_up(most), MOST, int(allowed.number) if allowed else MOST)
    if wanted <= now.number:
        effect = (
            "The cache is large enough for all; a pool of connections in the application saves "
            "the log-in as well as the thread."
        )
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.1)
    effect = "New connections find a thread ready."
    formula += f"; {most:.0f} connections at most, rounded up to {wanted}"
    version = facts.get(MYSQL_VERSION)
    judged = _judged(Verdict.RECOMMEND, now, saw, formula, effect, gain=0.1)
    return judged.by(change(version, now, str(wanted)))


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    rising = "more" if verdict is Verdict.FINE else "fewer"
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        risk="Low: changed at run time and back." if verdict is Verdict.RECOMMEND else "",
        flips_when=f"{rising} than {FEW_PER_S:.0f} threads are started per second",
        gain=gain,
        formula=formula,
        valid="a thread for each connection",
        because="The threads were counted over the window; what starting one costs was not.",
        cost_of_error="Some memory for stacks of sleeping threads.",
        side_effects="None known.",
    )
