"""Purge threads against the history that waits for them.

## What it checks
Whether old row versions pile up because too few threads remove them.

## Why it matters
Each update and delete leaves an old version behind until purge removes it. A long history makes
reads walk back through versions and keeps pages of undo in the buffer pool. The usual advice is
more threads; the usual cause is a transaction that was left open: nothing younger than its view can
be purged, with one thread or thirty-two.

## How it is judged
- Fewer than 100,000 transactions in the history: fine.
- More, and a transaction has been open for a minute or longer: watched; end it, threads don't help.
- More, with no such transaction and fewer than 4 threads (or than CPU threads where those are
  fewer): watched up to a million, for a busy server makes so many in seconds and works them off
  again; from there on so many threads are proposed.
- More, with 4 threads or more: watched; purge waits for pages or for locks, not for threads.
- The history is long and the age of open transactions is not known: not judged.

## How to check by hand
`SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME='trx_rseg_history_len';` or on
MariaDB `Innodb_history_list_length`; `SELECT MIN(trx_started) FROM
information_schema.INNODB_TRX;`

## Risk and undo
Low: each is a thread that competes with queries. A restart, on MariaDB from 10.11 at run time.

## When it is wrong
When all changes go to one table, which one thread purges; and on a replica that applies a backlog.

## References
- MySQL reference manual, "Purge Configuration"
- MariaDB documentation, "InnoDB Purge"; MDEV-32050
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    HOST_CPU_THREADS,
    MYSQL_VERSION,
    PURGE_HISTORY,
    PURGE_OLDEST_TRANSACTION,
    variable,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_purge_threads"
LONG_HISTORY = 100_000
PILED_UP = 1_000_000
"""What a server that commits 10,000 times a second needs more than a minute and a half to make."""

OPEN_LONG_S = 60.0
USUAL = 4
"""The default of MySQL 5.7 to 8.3 and of every MariaDB."""


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING), PURGE_HISTORY),
    uses=(PURGE_OLDEST_TRANSACTION, HOST_CPU_THREADS),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Ask for threads only where no open transaction explains the history."""
    now = facts.get(variable(SETTING))
    history = facts.get(PURGE_HISTORY)
    threads = figures.counted(now.number, "purge thread")
    saw = f"The history holds {figures.count(history)} transactions for {threads}"
    formula = f"{figures.count(history)} against {figures.count(LONG_HISTORY)}"
    if history < LONG_HISTORY:
        return _judged(Verdict.FINE, now, f"{saw}.", formula, "Fine as it is.")
    oldest = facts.find(PURGE_OLDEST_TRANSACTION)
    if oldest is None:
        return Unjudged(f"{saw}; whether an open transaction keeps them is not known.")
    formula += f", and the oldest open transaction is {figures.seconds(oldest)} old"
    if oldest >= OPEN_LONG_S:
        effect = (
            f"End the transaction that has been open for {figures.seconds(oldest)}: nothing "
            "younger than it can be purged, whatever the threads."
        )
        watched = _judged(Verdict.WATCH, now, f"{saw}.", formula, effect, gain=0.5)
        return replace(watched, flips_when=f"{watched.flips_when}, or the transaction ends")
    saw = f"{saw}, and no open transaction keeps them."
    return _threads(facts, now, history, saw, formula)


def _threads(facts: Facts, now: Standing, history: float, saw: str, formula: str) -> Judged:
    version = facts.get(MYSQL_VERSION)
    cpus = facts.find(HOST_CPU_THREADS)
    wanted = 1 if version.before(MYSQL, 5, 6) else int(min(USUAL, cpus or USUAL))
    if wanted <= now.number:
        effect = (
            "Purge waits for pages or for locks, not for threads: see whether undo pages fit the "
            "buffer pool, and whether all changes go to one table."
        )
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.3)
    formula += f"; piled up from {figures.count(PILED_UP)} on"
    if history < PILED_UP:
        effect = (
            "A busy server makes so many in seconds: look again in some minutes. If there are more "
            f"by then, {wanted} threads in place of {now.text} are worth a trial."
        )
        return _judged(Verdict.WATCH, now, saw, formula, effect, gain=0.2)
    effect = f"{wanted} threads share the history in place of {now.text}."
    judged = _judged(Verdict.RECOMMEND, now, saw, formula, effect, gain=0.4)
    return judged.by(change(version, now, str(wanted)))


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        risk="Low: the threads compete with queries." if verdict is Verdict.RECOMMEND else "",
        flips_when=f"the history falls below "
        f"{figures.count(PILED_UP if verdict is Verdict.RECOMMEND else LONG_HISTORY)} transactions"
        if verdict is not Verdict.FINE
        else f"the history reaches {figures.count(LONG_HISTORY)} transactions",
        gain=gain,
        formula=formula,
        valid="changes spread over several tables",
        because="History and open transactions were seen at one moment, not over a day.",
        cost_of_error="Purge competes with queries for CPUs and locks, and the history stays.",
        side_effects="Undo tablespaces can be truncated sooner.",
    )
