"""The limit on threads that commit at once.

## What it checks
Whether innodb_commit_concurrency makes threads wait at their commit.

## Why it matters
The setting limits how many threads at once do the in-memory part of a commit. It was a work-around
for old locks. Since group commit works with the binary log (MySQL 5.6), a thread that waits there
can't join the group whose sync it could have shared. The default of every version is 0, no limit.

## How it is judged
- 0: fine.
- A limit, and no more active connections than that: fine, it is not reached.
- A limit with more active connections: 0 is proposed, with a restart: the server refuses to change
  between 0 and a limit while it runs.

## How to check by hand
`SELECT @@innodb_commit_concurrency;` and `Threads_running` while many write.

## Risk and undo
Low. A restart each way.

## When it is wrong
On MySQL 5.5 and older with the binary log on, where commits are made one by one anyway.

## References
- MySQL reference manual, innodb_commit_concurrency
- MariaDB documentation: deprecated in 10.5.5, removed in 10.6
"""

from __future__ import annotations

from advisor.facts.server.load import LOAD_RUNNING
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Unjudged, mariadb, mysql, rule
from advisor.rules.threads._active import more_active_than
from probes.figures import count


@rule(
    topic="Threads",
    setting="innodb_commit_concurrency",
    uses=(LOAD_RUNNING,),
    applies_to=(mysql("5.6"), mariadb(before="10.5.5")),
    findings=("F90",),
)
def check(facts: Facts) -> Answer:
    """Ask for no limit where one is reached."""
    now = facts.now
    limited = Is(now.number != 0, "a limit is set")
    if not limited:
        return facts.card("Any number of threads may commit at once.", limited).fine()
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"The limit is {now.value}; the number of active connections is not known.")
    reached = more_active_than(now.number, running)
    card = facts.card(
        f"Of {count(running)} active connections {now.value} may commit at once.", reached
    )
    if not reached:
        return card.fine("Fine as it is: the limit is not reached.")
    return card.recommend(
        facts.to("0", dynamic=False),
        effect="Threads no longer wait for each other before they can share one sync.",
        confidence=Confidence.LOW,
        because="How many of the active connections commit is not known.",
        risk="Low: it is the default of every version; needs a restart.",
        cost_of_error="A restart without a benefit.",
    )
