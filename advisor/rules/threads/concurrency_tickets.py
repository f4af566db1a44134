"""The tickets of queries at the limit of threads inside InnoDB.

## What it checks
Whether innodb_concurrency_tickets sends long queries back into the queue again and again.

## Why it matters
Under innodb_thread_concurrency a thread that enters InnoDB gets so many tickets and spends one for
each row or call; when they are used up it leaves and queues again, and may sleep for
innodb_thread_sleep_delay before. Without a limit the tickets mean nothing at all.

## How it is judged
- No limit of threads: fine, the setting has no effect.
- At most as many connections at work as the limit: fine, nobody queues.
- The limit is reached with 500 tickets or more: fine.
- The limit is reached with fewer: 5,000 are proposed, the default since MySQL 5.6. What it costs is
  rows over tickets times the sleep, at most.

## How to check by hand
`SELECT @@innodb_concurrency_tickets, @@innodb_thread_concurrency, @@innodb_thread_sleep_delay;`

## Risk and undo
Low: changed at run time and back.

## When it is wrong
When short queries are meant to overtake long ones: few tickets do just that.

## References
- MySQL reference manual, innodb_concurrency_tickets
- MariaDB documentation: without effect from 10.5.5
"""

from __future__ import annotations

from advisor.facts.known import LOAD_RUNNING, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_concurrency_tickets"
LIMIT = "innodb_thread_concurrency"
FEW = 500
"""The default of MySQL 5.5, the lowest that any version shipped with."""

USUAL = 5000
ROWS = 10_000
"""A query of so many rows serves as the example."""


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING), variable(LIMIT)),
    uses=(LOAD_RUNNING, variable("innodb_thread_sleep_delay")),
    settings=(SETTING,),
    applies_to=(mysql(), mariadb(before="10.5.5")),
)
def check(facts: Facts) -> Answer:
    """Look at the tickets only where somebody has to queue for them."""
    now = facts.get(variable(SETTING))
    limit = facts.get(variable(LIMIT))
    if limit.number == 0:
        return _fine(now, f"Without a limit in {LIMIT}, tickets mean nothing.")
    if now.number >= FEW:
        return _fine(now, f"A thread may enter InnoDB {now.text} times before it queues again.")
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"Whether anybody queues with {now.text} tickets was not seen.")
    if running <= limit.number:
        return _fine(now, f"The limit of {limit.text} is not reached by {running:.0f} at work.")
    return _more(facts, now, limit, running)


def _more(facts: Facts, now: Standing, limit: Standing, running: float) -> Judged:
    version = facts.get(MYSQL_VERSION)
    sleep = facts.find(variable("innodb_thread_sleep_delay"))
    times = ROWS / max(now.number, 1)
    formula = f"{figures.count(ROWS)} rows / {now.text} tickets = {times:.0f} times in the queue"
    if sleep is not None:
        formula += (
            f", x {figures.duration_us(sleep.number)} of sleep = "
            f"{figures.duration_us(times * sleep.number)} at most"
        )
    return Judged(
        Verdict.RECOMMEND,
        f"Under a limit of {limit.text} there are {running:.0f} connections at work, and a thread "
        f"gets {now.text} tickets at a time.",
        SETTING,
        now.now,
        effect=f"A query of {figures.count(ROWS)} rows queues {ROWS // USUAL} times in place of "
        f"{times:.0f}.",
        confidence=Confidence.MEDIUM,
        risk="Low: short queries may wait longer behind long ones.",
        flips_when=f"{LIMIT} is 0, or no more than {limit.text} connections are at work",
        gain=0.2,
        formula=formula,
        valid=f"while {LIMIT} is reached",
        because="The queue was seen at both ends of the window; its sleeps were not measured.",
        cost_of_error="Short queries wait longer; undone at once.",
        side_effects="Long queries stay inside longer.",
    ).by(change(version, now, str(USUAL)))


def _fine(now: Standing, saw: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"{LIMIT} is reached with fewer than {FEW} tickets",
        formula=f"{now.text} tickets; few below {FEW}",
        valid="MySQL, and MariaDB before 10.5.5",
        because="Tickets are counted only under a limit.",
    )
