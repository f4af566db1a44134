"""The sleep of threads that find InnoDB full.

## What it checks
Whether threads that wait at innodb_thread_concurrency sleep for a fixed time.

## Why it matters
A thread that finds the limit reached sleeps before it tries again. With
innodb_adaptive_max_sleep_delay the server lengthens and shortens that sleep by itself, as places
become free. With 0 there each waits innodb_thread_sleep_delay, 10 ms by default: hundreds of times
what a query that finds its pages in memory takes.

## How it is judged
- No limit of threads, or as many at work as it allows: fine, nobody sleeps.
- Adaptive: fine.
- Fixed and below 1 ms: fine.
- Fixed and longer, with the limit reached: adaptive, up to the default of 150 ms, is proposed.

## How to check by hand
`SELECT @@innodb_adaptive_max_sleep_delay, @@innodb_thread_sleep_delay;`

## Risk and undo
Low: changed at run time and back.

## When it is wrong
When queries take much longer than the sleep, so that it does not count.

## References
- MySQL reference manual, "Configuring Thread Concurrency for InnoDB"
- MariaDB documentation: without effect from 10.5.5
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import LOAD_RUNNING, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_adaptive_max_sleep_delay"
FIXED = "innodb_thread_sleep_delay"
LIMIT = "innodb_thread_concurrency"
SHORT_US = 1000.0
USUAL_US = 150_000


@rule(
    topic="Threads",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        variable(FIXED),
        variable(LIMIT),
    ),
    uses=(LOAD_RUNNING,),
    settings=(SETTING, FIXED),
    applies_to=(mysql("5.6"), mariadb("10.2", "10.5.5")),
)
def check(facts: Facts) -> Answer:
    """Look at the sleep only where somebody sleeps."""
    now = facts.get(variable(SETTING))
    limit = facts.get(variable(LIMIT))
    sleep_us = facts.get(variable(FIXED)).number
    if limit.number == 0:
        return _fine(now, "No limit of threads sends anybody to sleep.", "limit 0")
    if now.number > 0:
        saw = f"Threads at the limit sleep as long as it takes, {_said(now.number)} at most."
        return _fine(now, saw, f"adaptive up to {_said(now.number)}")
    formula = f"{_said(sleep_us)} each time, against {_said(SHORT_US)}"
    if sleep_us < SHORT_US:
        return _fine(now, f"Threads at the limit sleep {_said(sleep_us)} each time.", formula)
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"Whether anybody sleeps for {_said(sleep_us)} was not seen.")
    saw = (
        f"The limit is {limit.text} threads with {figures.counted(running, 'connection')} at work; "
        f"one that waits sleeps {_said(sleep_us)} each time."
    )
    fine = _fine(now, saw, formula)
    if running <= limit.number:
        return fine
    return replace(
        fine,
        verdict=Verdict.RECOMMEND,
        effect="Threads wake sooner when places become free, and later when none do.",
        confidence=Confidence.MEDIUM,
        risk="Low: changed at run time and back.",
        flips_when=f"no more than {limit.text} connections are at work",
        gain=0.2,
        cost_of_error="Little: it is the default of every version that has it.",
        side_effects="None known.",
    ).by(change(facts.get(MYSQL_VERSION), now, str(USUAL_US)))


def _said(us: float) -> str:
    return figures.duration_us(us)


def _fine(now: Standing, saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"the sleep is fixed at {_said(SHORT_US)} or more and {LIMIT} is reached",
        formula=formula,
        valid=f"while {LIMIT} is reached",
        because="Who is at work was seen at both ends of the window; no sleep was timed.",
    )
