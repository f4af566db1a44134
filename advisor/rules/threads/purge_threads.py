"""Purge threads against the history list length.

## What it checks
Whether old row versions pile up because too few threads purge them.

## Why it matters
Each update and delete leaves an old version until purge removes it. A long history makes reads walk
back through versions and keeps undo pages in the buffer pool. The usual advice is more threads; the
usual cause is an open transaction: nothing younger than its read view can be purged, with one
thread or thirty-two.

## How it is judged
- A history list length below 100,000 (our choice): fine.
- More, and a transaction has been open for a minute or longer: watched; end it, threads don't help.
  From a million on (our choice) that comes before all tuning.
- More, with no such transaction and fewer than 4 threads (or than CPU threads where those are
  fewer): watched up to a million, since a busy server adds that many in seconds and purges them
  again; from a million on (our choice) that many threads are proposed.
- More, with 4 threads or more: watched; purge waits for pages or for locks, not for threads.
- The history is long and the age of open transactions is not known: not judged.

## How to check by hand
`SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME='trx_rseg_history_len';` or on
MariaDB `Innodb_history_list_length`; `SELECT MIN(trx_started) FROM
information_schema.INNODB_TRX;`

## Risk and undo
Low: each thread competes with queries. A restart, on MariaDB from 10.11 at run time.

## When it is wrong
When all changes are in one table, which one thread purges; and on a replica that applies a backlog.

## References
- MySQL reference manual, "Purge Configuration"
- MariaDB documentation, "InnoDB Purge"; MDEV-32050
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.watched.purge import PURGE_HISTORY, PURGE_OLDEST_TRANSACTION
from advisor.rulekit import Answer, At, Card, Facts, Judged, Knowledge, Unjudged, rule
from advisor.rules.threads._bounds import LONG_HISTORY, OPEN_LONG_S, history_at_least
from advisor.variables.catalogue import MYSQL
from probes.figures import count, counted, seconds

PILED_UP = 1_000_000
"""A server with 10,000 commits per second needs more than a minute and a half for as many."""

USUAL = 4
"""The default of MySQL 5.7 to 8.3 and of every MariaDB."""


@rule(
    topic="Threads",
    setting="innodb_purge_threads",
    needs=(PURGE_HISTORY,),
    uses=(PURGE_OLDEST_TRANSACTION, HOST_CPU_GRANTED),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for threads only where no open transaction explains the history."""
    history = facts.get(PURGE_HISTORY)
    long = history_at_least(LONG_HISTORY, history)
    saw = (
        f"The history list length is {count(history)}, with "
        f"{counted(facts.now.number, 'purge thread')}"
    )
    card = facts.card(
        f"{saw}.",
        long,
        because="History and open transactions were read at one moment, not over a day.",
    )
    if not long:
        return card.fine()
    oldest = facts.find(PURGE_OLDEST_TRANSACTION)
    if oldest is None:
        return Unjudged(f"{saw}; the age of open transactions is not known.")
    held = At("age of the oldest transaction", oldest, least=OPEN_LONG_S, say=seconds)
    if held:
        return card.watch(
            "End that transaction: no number of threads can purge what is younger.",
            saw=f"{saw}, and the oldest transaction has been open for {seconds(oldest)}.",
            condition=long & held,
            urgency=1.0 if history_at_least(PILED_UP, history) else 0.0,
        )
    saw = f"{saw}, and no open transaction holds purge up."
    return _threads(facts, card.but(saw=saw, condition=long & ~held), history)


def _threads(facts: Facts, card: Card, history: float) -> Judged:
    cpus = facts.find(HOST_CPU_GRANTED)
    wanted = 1 if facts.version.before(MYSQL, 5, 6) else int(min(USUAL, cpus or USUAL))
    if wanted <= facts.now.number:
        return card.watch(
            "Purge waits for pages or for locks, not for threads: check whether undo pages fit "
            "into the buffer pool, and whether all changes are in one table.",
        )
    piled_up = history_at_least(PILED_UP, history)
    if not piled_up:
        return card.watch(
            "A busy server adds that many in seconds: check again in some minutes. If there are "
            f"more by then, try {wanted} threads instead of {facts.now.value}.",
            condition=history_at_least(LONG_HISTORY, history) & ~piled_up,
        )
    return card.recommend(
        facts.to(str(wanted)),
        condition=piled_up,
        effect=f"{counted(wanted, 'thread')} instead of {facts.now.value} purge the history.",
        risk="Low: the threads compete with queries.",
        cost_of_error="Purge competes with queries for CPUs and locks, and the history stays.",
        side_effects="Undo tablespaces can be truncated sooner.",
    )
