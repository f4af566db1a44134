"""The limit on the purge lag.

## What it checks
Whether innodb_max_purge_lag delays changes now, and whether it can at all.

## Why it matters
With a limit, each insert, update and delete waits while the history is longer than it. The delay
is cut to innodb_max_purge_lag_delay, whose default is 0: the limit alone then does nothing, though
people who set it believe that they are protected. Measured on MySQL 9.7.4 with a history of 35
times the limit: an update took 2.5 ms with a longest delay of 0, 3.8 ms with 3 ms and 23 ms with
20 ms allowed; without a limit 2.2 ms. MariaDB 10.11.19 delayed nothing while an open transaction
held purge up.

## How it is judged
- 0: fine, no limit.
- A limit and no delay allowed: watched, it has no effect.
- The history is within the limit: fine.
- Beyond it: watched, with the delay, (history / limit - 0.9995) x 10,000 microseconds, cut to
  innodb_max_purge_lag_delay. The cause is what holds purge up; see threads.purge-threads.

## How to check by hand
`SELECT @@innodb_max_purge_lag, @@innodb_max_purge_lag_delay;` and the length of the history list.

## Risk and undo
Nothing is proposed: whether changes should wait is for people to say.

## When it is wrong
When the history was long for the moment of the window alone, and on MariaDB while an open
transaction is what holds purge up.

## References
- MySQL reference manual, "Purge Configuration"; MySQL bugs 72269 and 60776
- MariaDB documentation, innodb_max_purge_lag
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, PURGE_DELAY_CAP, PURGE_HISTORY, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_max_purge_lag"
OFFSET, STEP_US = 0.9995, 10_000.0


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(PURGE_HISTORY, PURGE_DELAY_CAP),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.2")),
)
def check(facts: Facts) -> Answer:
    """Work out the delay that changes suffer."""
    now = facts.get(variable(SETTING))
    if now.number == 0:
        return _judged(
            Verdict.FINE, now, "No purge lag delays changes.", "limit 0", "Fine as it is."
        )
    cap_us = facts.find(PURGE_DELAY_CAP)
    if cap_us is None:
        return Unjudged(f"The limit is {now.text}; how long it may delay was not told.")
    if cap_us == 0:
        effect = (
            "The limit does nothing: allow a delay with innodb_max_purge_lag_delay, or take the "
            "line out and watch the history."
        )
        saw = f"The limit is {now.text} and the longest delay allowed is 0."
        return _judged(Verdict.WATCH, now, saw, "min(delay, 0) = 0", effect, gain=0.2)
    history = facts.find(PURGE_HISTORY)
    if history is None:
        return Unjudged(f"The limit is {now.text}; how long the history is was not told.")
    return _delay(facts, now, history, cap_us)


def _delay(facts: Facts, now: Standing, history: float, cap_us: float) -> Judged:
    ratio = history / now.number
    saw = f"The history holds {figures.count(history)} transactions, the limit is {now.text}."
    if ratio <= 1:
        formula = f"{history:.0f} / {now.text} = {ratio:.2f}; delays above 1"
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is: nothing is delayed.")
    wanted_us = (ratio - OFFSET) * STEP_US
    delay_us = min(wanted_us, cap_us)
    # MariaDB does not delay while an open transaction is what holds purge up.
    waits = "may wait" if facts.get(MYSQL_VERSION).is_mariadb else "waits"
    formula = (
        f"({history:.0f} / {now.text} - {OFFSET}) x {STEP_US:,.0f} us = {wanted_us:,.0f} us, at "
        f"most {cap_us:,.0f} us"
    )
    effect = (
        f"Each change {waits} {figures.duration_us(delay_us)} now. Find what holds purge up, often "
        "a transaction that was left open, before the limit is touched."
    )
    flips = f"the history holds {now.text} transactions or fewer"
    return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.5, flips=flips)


def _judged(
    verdict: Verdict,
    now: Standing,
    saw: str,
    formula: str,
    effect: str,
    *,
    gain: float = 0.0,
    flips: str = "the limit is 0, or a delay above 0 is allowed",
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        flips_when=f"the history is longer than {now.text}"
        if verdict is Verdict.FINE and now.number
        else "a limit is set"
        if verdict is Verdict.FINE
        else flips,
        gain=gain,
        formula=formula,
        valid="MySQL from 5.6, MariaDB from 10.2",
        because="The delay is worked out as the manual says; no change was timed.",
        cost_of_error="None: nothing is changed.",
    )
