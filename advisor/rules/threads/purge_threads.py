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
- More, with 4 threads or more: watched; purge waits for pages or for locks, not for threads. From
  a million on it has its line.
- Whether the history grows is said where it was watched: by the means of both halves of that time.
  Threads that are proposed while it grows come before what saves less than a tenth of query time
  (our choice): purge falls further behind from hour to hour.
- Until a restart gives MySQL its threads, `innodb_purge_batch_size = 1000` (our choice) changes at
  run time. `innodb_fast_shutdown = 0` would purge all of a long history before that restart.
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
from advisor.facts.server.variables import variable
from advisor.facts.watched.purge import PURGE_GROWTH, PURGE_HISTORY, PURGE_OLDEST_TRANSACTION
from advisor.gain import FLOOR
from advisor.rulekit import Answer, At, Card, Facts, Judged, Knowledge, Needs, Unjudged, rule
from advisor.rules.threads._bounds import (
    LONG_HISTORY,
    PILED_UP,
    history_at_least,
    threads_worth,
)
from advisor.variables.catalogue import MARIADB
from advisor.workload.long_transaction import OPEN_LONG_S
from probes.figures import count, counted, rate, seconds

GROWS_PER_S, FALLS_BEHIND = 1.0, 0.1
"""A history that grows takes more of query time from hour to hour, and nobody counts that: it
counts for this share of it (our choice)."""

BATCH = "innodb_purge_batch_size"
STOPGAP = 1000
"""Undo pages in a batch, until there are more threads; MariaDB had as many as its default, and has
given that up. Our choice."""


@rule(
    topic="Threads",
    do="Find what holds purge up: often one open transaction",
    setting="innodb_purge_threads",
    needs=(PURGE_HISTORY,),
    uses=(PURGE_GROWTH, PURGE_OLDEST_TRANSACTION, HOST_CPU_GRANTED, variable(BATCH)),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for threads only where no open transaction explains the history."""
    history = facts.get(PURGE_HISTORY)
    long = history_at_least(LONG_HISTORY, history)
    saw = (
        f"The history list length is {count(history)}{_course(facts)}, with "
        f"{counted(facts.now.number, 'purge thread')}"
    )
    card = facts.card(
        f"{saw}.",
        long,
        because=f"{_seen(facts)}, not over a day.",
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


def _seen(facts: Facts) -> str:
    """How often the history was read."""
    if facts.find(PURGE_GROWTH) is None:
        return "History and open transactions were read at one moment"
    return "The history was read throughout the watch"


def _course(facts: Facts) -> str:
    """Whether the history grows, after its length; "" where nobody watched it."""
    per_s = facts.find(PURGE_GROWTH)
    if per_s is None:
        return ""
    if abs(per_s) < GROWS_PER_S:
        return " and does not grow"
    return f" and {'grows' if per_s > 0 else 'shrinks'} by {rate(abs(per_s))}"


def _until_then(facts: Facts) -> str:
    """What helps at run time, as a sentence after a space; MariaDB found large batches to hurt."""
    batch = facts.find(variable(BATCH))
    if batch is None or batch.number >= STOPGAP or facts.version.at_least(MARIADB, 0):
        return ""
    return (
        f" Until the restart {BATCH} {batch.value} → {STOPGAP} helps somewhat: it changes at run "
        "time."
    )


def _threads(facts: Facts, card: Card, history: float) -> Judged:
    wanted, piled_up = threads_worth(facts), history_at_least(PILED_UP, history)
    if wanted <= facts.now.number:
        return card.but(urgency=FLOOR if piled_up else 0.0).watch(
            "Purge waits for pages or for locks, not for threads: check whether undo pages fit "
            "into the buffer pool, and whether all changes are in one table.",
        )
    if not piled_up:
        return card.watch(
            "A busy server adds that many in seconds: check again in some minutes. If there are "
            f"more by then, try {wanted} threads instead of {facts.now.value}.",
            condition=history_at_least(LONG_HISTORY, history) & ~piled_up,
        )
    made = facts.to(str(wanted))
    until, shutdown = "", ""
    if made.needs is Needs.RESTART:
        until = _until_then(facts)
        shutdown = (
            " Before the restart innodb_fast_shutdown has to be 1: with 0 the server purges all of "
            "the history before it ends."
        )
    return card.recommend(
        made,
        condition=piled_up,
        urgency=FALLS_BEHIND if (facts.find(PURGE_GROWTH) or 0.0) >= GROWS_PER_S else 0.0,
        effect=f"{counted(wanted, 'thread')} instead of {facts.now.value} purge the history."
        f"{until}",
        risk=f"Low: the threads compete with queries.{shutdown}",
        cost_of_error="Purge competes with queries for CPUs and locks, and the history stays.",
        side_effects="Undo tablespaces can be truncated sooner.",
    )
