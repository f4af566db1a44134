"""The limit of the purge lag (innodb_max_purge_lag).

## What it checks
Whether innodb_max_purge_lag delays changes now, and whether it can.

## Why it matters
Each insert, update and delete waits while the history list is longer than the limit. The delay is
capped at innodb_max_purge_lag_delay, whose default is 0: a limit alone then has no effect. Measured
on MySQL 9.7.4 with a history of 35 times the limit: an update took 2.5 ms with a longest delay of
0, 3.8 ms with 3 ms and 23 ms with 20 ms; without a limit 2.2 ms. MariaDB 10.11.19 delayed nothing
while an open transaction held purge up.

## How it is judged
- 0: fine, no limit.
- A limit and no delay allowed: watched, it has no effect.
- The history list length is within the limit: fine.
- Above it: watched, with the delay, (history / limit - 0.9995) x 10 ms, at most
  innodb_max_purge_lag_delay. The cause is what holds purge up; see threads.purge-threads.

## How to check by hand
`SELECT @@innodb_max_purge_lag, @@innodb_max_purge_lag_delay;` and the history list length.

## Risk and undo
Nothing is proposed: whether changes should wait is the administrator's choice.

## When it is wrong
When the history was long only during the status window, and on MariaDB while an open transaction
holds purge up.

## References
- MySQL reference manual, "Purge Configuration"; MySQL bugs 72269 and 60776
- MariaDB documentation, innodb_max_purge_lag
"""

from __future__ import annotations

from advisor.facts.watched.purge import PURGE_DELAY_CAP, PURGE_HISTORY
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, mariadb, mysql, number, rule
from probes.figures import count, duration_us

OFFSET, STEP_US = 0.9995, 10_000.0


@rule(
    topic="Threads",
    do="Find what holds purge up",
    setting="innodb_max_purge_lag",
    uses=(PURGE_HISTORY, PURGE_DELAY_CAP),
    applies_to=(mysql("5.6"), mariadb("10.2")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Work out the delay of each change."""
    now = facts.now
    limited = Is(now.number != 0, "a limit is set")
    card = facts.card(
        "Changes are never delayed for purge.",
        limited,
        because="The delay follows from the manual's formula; no change was timed.",
    )
    if not limited:
        return card.fine()
    cap_us = facts.find(PURGE_DELAY_CAP)
    if cap_us is None:
        return Unjudged(f"The limit is {now.value}; the longest delay is not known.")
    if cap_us == 0:
        return card.watch(
            "The limit has no effect: allow a delay with innodb_max_purge_lag_delay, or remove the "
            "line and monitor the history list length.",
            saw=f"The limit is {now.value}, and the longest delay allowed is 0.",
            formula="min(delay, 0) = 0",
            flips_when="the limit is 0, or a delay above 0 is allowed",
        )
    history = facts.find(PURGE_HISTORY)
    if history is None:
        return Unjudged(f"The limit is {now.value}; the history list length is not known.")
    long = At("history list length", history, above=now.number, say=number())
    card = card.but(
        saw=f"The history list length is {count(history)}, the limit is {count(now.number)}.",
        condition=long,
    )
    if not long:
        return card.fine("Fine as it is: nothing is delayed.")
    wanted_us = (history / now.number - OFFSET) * STEP_US
    # MariaDB does not delay while an open transaction is what holds purge up.
    waits = "may wait" if facts.version.is_mariadb else "waits"
    return card.watch(
        f"Each change {waits} {duration_us(min(wanted_us, cap_us))} now. Find what holds purge up, "
        "often an open transaction, before you change the limit.",
        formula=f"({history:.0f} / {now.value} - {OFFSET}) x {duration_us(STEP_US)} = "
        f"{duration_us(wanted_us)}, at most {duration_us(cap_us)}",
    )
