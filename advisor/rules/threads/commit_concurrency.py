"""The limit on threads that commit at once.

## What it checks
Whether innodb_commit_concurrency makes threads wait at their commit.

## Why it matters
A limit lets only so many threads into the part of a commit that works in memory. It was a
work-around for the locks of long ago. Since group commit works with the binary log (MySQL 5.6), a
thread that waits there can't join the group whose one sync it could have shared. Every version on
record ships with 0, no limit.

## How it is judged
- 0: fine.
- A limit, and at most as many connections at work: fine, it is not reached.
- A limit with more at work: 0 is proposed, which takes a restart: the server refuses to change
  between 0 and a limit while it runs.

## How to check by hand
`SELECT @@innodb_commit_concurrency;` and `Threads_running` while many write.

## Risk and undo
Low. A restart each way.

## When it is wrong
On MySQL 5.5 and older with the binary log on, where commits go one by one anyway.

## References
- MySQL reference manual, innodb_commit_concurrency
- MariaDB documentation: deprecated in 10.5.5, removed in 10.6
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

SETTING = "innodb_commit_concurrency"


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(LOAD_RUNNING,),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb(before="10.5.5")),
    findings=("F90",),
)
def check(facts: Facts) -> Answer:
    """Ask for no limit where one is reached."""
    now = facts.get(variable(SETTING))
    if now.number == 0:
        return _fine(now, "Any number of threads may commit at once.")
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"How many threads work under a limit of {now.text} was not seen.")
    if running <= now.number:
        return _fine(now, f"The limit of {now.text} is not reached by {running:.0f} at work.")
    version = facts.get(MYSQL_VERSION)
    return Judged(
        Verdict.RECOMMEND,
        f"Of {running:.0f} connections at work {now.text} may commit at once.",
        SETTING,
        now.now,
        effect="Threads no longer wait for each other before they can share one sync.",
        confidence=Confidence.LOW,
        risk="Low: it is the default of every version; takes a restart.",
        flips_when=f"no more than {now.text} connections are at work",
        gain=0.2,
        formula=f"{running:.0f} at work - {now.text} allowed = up to {running - now.number:.0f} "
        "that wait at commit",
        valid="while more connections write than may commit",
        because="How many of those at work commit was not seen, only how many there are.",
        cost_of_error="A restart for nothing.",
        side_effects="None known.",
    ).by(change(version, now, "0", dynamic=False))


def _fine(now: Standing, saw: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when="a limit is set and more threads than it are at work",
        formula=f"limit {now.text}, 0 for none",
        valid="MySQL from 5.6, MariaDB before 10.5.5",
        because="The limit can only make threads wait.",
    )
