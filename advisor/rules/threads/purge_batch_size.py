"""The size of purge batches (innodb_purge_batch_size).

## What it checks
Whether innodb_purge_batch_size is far from its version's default.

## Why it matters
A batch is the undo pages that purge handles before it checks again what may be removed. Small
batches spend more on these checks. Large ones hold more pages at once: in MariaDB a batch of 1,000
made updates of secondary indexes wait for purge, and the default went from 300 to 1,000 and then to
127, one page for each rollback segment.

## How it is judged
- Within a quarter and four times the version's default: fine. With a history of a million or more
  (our choice) and fewer purge threads than are worth it, the advice on those says what to do.
- Smaller, with a history list length of 100,000 or more and no transaction open for a minute: the
  default is proposed.
- Smaller with a short history: fine, purge keeps up.
- Larger: watched while the history is short, since such batches are not needed then; fine while the
  history is long.

## How to check by hand
`SELECT @@innodb_purge_batch_size;` and the history list length.

## Risk and undo
Low: changed at run time and back.

## When it is wrong
When a large batch was set for a load that did not run during the status window.

## References
- MariaDB MDEV-34515 (127), MDEV-32050 (1,000)
- MySQL reference manual, "Purge Configuration"
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server.variables import variable
from advisor.facts.watched.purge import PURGE_HISTORY, PURGE_OLDEST_TRANSACTION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Knowledge, Unjudged, rule
from advisor.rulekit.card import FINE
from advisor.rules.threads._bounds import (
    LONG_HISTORY,
    PILED_UP,
    history_at_least,
    threads_worth,
)
from advisor.variables.catalogue import span
from advisor.workload.long_transaction import OPEN_LONG_S
from probes.figures import count, seconds

THREADS = variable("innodb_purge_threads")
FAR = 4
"""Within this many times the default, up or down, no difference worth a change was measured."""


@rule(
    topic="Threads",
    do="Try smaller purge batches, and compare",
    setting="innodb_purge_batch_size",
    uses=(PURGE_HISTORY, PURGE_OLDEST_TRANSACTION, HOST_CPU_GRANTED, THREADS),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare with the version's default, in a wide band."""
    now = facts.now
    known = span(facts.version, now.name)
    if known is None or known.default is None:
        return Unjudged(f"The default of {now.name} in {facts.version} is not known.")
    usual = int(known.default)
    near = At("batch size", now.number, least=usual / FAR, say="{:g}".format) & At(
        "batch size", now.number, most=usual * FAR, say="{:g}".format
    )
    saw = f"Purge handles {now.value} undo pages at a time; the default of {facts.version} is "
    card = facts.card(
        f"{saw}{usual}.",
        near,
        confidence=Confidence.LOW,
        because="The vendors tuned the defaults; here only the history list length is known.",
    )
    history = facts.find(PURGE_HISTORY)
    if near:
        return card.fine(_of_threads(facts, history))
    if history is None:
        return Unjudged(f"{card.says['saw']} The history list length is not known.")
    card = card.but(saw=f"{saw}{usual}. The history list length is {count(history)}.")
    long = history_at_least(LONG_HISTORY, history)
    if now.number < usual:
        return _small(facts, card, usual, long)
    if long:
        effect = "Fine as it is while old row versions pile up."
        return card.fine(effect, condition=long)
    return card.watch(
        "Such batches are not needed now, and they make updates of secondary indexes wait: try "
        f"{usual} and compare.",
    )


def _of_threads(facts: Facts, history: float | None) -> str:
    """What is said of a usual batch, where purge is behind for want of threads as well."""
    threads = facts.find(THREADS)
    if history is None or threads is None or not history_at_least(PILED_UP, history):
        return FINE
    if threads.number >= threads_worth(facts):
        return FINE
    return f"Fine in the long run; what helps until purge has caught up: see {threads.name}."


def _small(facts: Facts, card: Card, usual: int, long: At) -> Answer:
    """Judge small batches: they matter under a long history."""
    if not long:
        return card.fine("Fine as it is: purge keeps up.", condition=long)
    oldest = facts.find(PURGE_OLDEST_TRANSACTION)
    if oldest is None:
        return Unjudged(f"{card.says['saw']} The age of open transactions is not known.")
    held = At("age of the oldest transaction", oldest, least=OPEN_LONG_S, say=seconds)
    if held:
        effect = "Fine as it is: an open transaction holds purge up, not the size of a batch."
        return card.fine(effect, condition=held)
    return card.recommend(
        facts.to(str(usual)),
        effect="Purge spends less time on starting batches and more on purging.",
        risk="Low: changed at run time and back.",
        cost_of_error="Purge is somewhat slower; undone at once.",
    )
