"""innodb_change_buffering against the cost of a random read on this drive.

## What it checks
Whether changes of secondary indexes are buffered where a read is expensive, and only there.

## Why it matters
A change of a secondary index needs the index's page. With the change buffer it waits until the page
is read anyway, which saves a random read: a seek on a disk, next to nothing on flash. In
return the buffer takes part of the pool, is merged later, and makes shutdowns slow. MySQL 8.4 made
`none` the default (9.7 shows `all` again), and servers on slow drives got slower writes by the
upgrade. MariaDB went to `none` in 10.5.15 and 10.6.7 after corrupted indexes; 11.0 dropped it.

## How it is judged
- One random read of a page at a time, median: below 1 ms a read is cheap, above 3 ms it is a seek
  (our choices).
- MariaDB: `none` is fine on every drive. Any other value: recommended `none` where reads are cheap,
  else watched: 11.0 has no change buffer. It is a risk to the data, for indexes were corrupted.
- MySQL, fewer than 1 miss per second: fine, there is nothing to save.
- MySQL, `none`, reads are seeks and requests miss: recommended `all`. Between 1 and 3 ms, as on
  network volumes: watch.
- MySQL, any other value: fine; where reads are cheap it gains little and costs little.

## How to check by hand
"INSERT BUFFER" in SHOW ENGINE INNODB STATUS: merges, and merged operations per merge.

## Risk and undo
Changes online. Before a move to MariaDB 11.0 shut down slowly (`innodb_fast_shutdown = 0`).

## When it is wrong
When all secondary indexes fit into the pool although other pages are missed.

## References
- MySQL reference manual, "Change Buffer"; "What Is New in MySQL 8.4"
- K. Vaijanapurkar, "How to fix write latency in MySQL 8.4 upgrade"
- MariaDB documentation, "InnoDB Change Buffering"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Is,
    Knowledge,
    Stakes,
    Unjudged,
    mariadb,
    mysql,
    per_s,
    rule,
)
from advisor.workload.pool.read_cost import NOTHING
from advisor.workload.single_read import CHEAP_US, CURVE, NOT_ALONE, SEEK_US, single_read_us
from probes.figures import duration_us, rate

MISSES = status("Innodb_buffer_pool_reads")


@rule(
    topic="Reads",
    setting="innodb_change_buffering",
    needs=(CURVE,),
    uses=(MISSES,),
    applies_to=(mysql("5.5"), mariadb("10.0", "11.0")),
    findings=("F81", "F82", "B02"),
)
def check(facts: Facts) -> Answer:
    """Judge by flavour first: MariaDB has given the buffer up."""
    read_us = single_read_us(facts)
    if read_us is None:
        return Unjudged(NOT_ALONE)
    value = facts.now.value
    off = value.lower() == "none"
    buffered = (
        f"changes of secondary indexes are {'not buffered' if off else f'buffered ({value})'}"
    )
    card = facts.card(f"A random read takes {duration_us(read_us)}, and {buffered}.")
    if facts.version.is_mariadb:
        return _mariadb(facts, card, read_us, off=off)
    return _unbuffered(facts, card, read_us) if off else _buffered(card, read_us)


def _mariadb(facts: Facts, card: Card, read_us: float, *, off: bool) -> Answer:
    if off:
        return card.but(condition=Is(off, "", "a value other than none is set")).fine()
    cheap = At("read latency", read_us, below=CHEAP_US, say=duration_us)
    propose = card.recommend if cheap else card.consider
    dear = "" if cheap else " On this drive that costs a read for each change of an uncached page."
    return propose(
        facts.to("none"),
        condition=cheap,
        effect="Index pages are changed at once, without a buffer that damaged indexes in the past "
        f"and is gone in MariaDB 11.0.{dear}",
        stakes=Stakes.DATA,
        knowledge=Knowledge.DOCUMENTED,
        confidence=Confidence.HIGH if cheap else Confidence.MEDIUM,
        because="MariaDB switched it off by default in 10.5.15 and 10.6.7; the read was measured.",
        valid="For MariaDB before 11.0.",
        risk="Low: a write to a secondary index that is not cached reads its page first.",
        cost_of_error="Somewhat slower writes while the pool misses.",
        side_effects="What is buffered already is merged as its pages are read.",
    )


def _unbuffered(facts: Facts, card: Card, read_us: float) -> Answer:
    """Ask for the buffer where reads are expensive and there are any."""
    missed = facts.find(MISSES)
    dear = At("read latency", read_us, least=CHEAP_US, say=duration_us)
    if missed is None and dear:
        return Unjudged(f"{card.says['saw']} The miss rate of the buffer pool is not known.")
    missing = At("miss rate", missed or 0.0, least=NOTHING, say=per_s())
    if not dear:
        return card.but(condition=dear & missing).fine()
    if not missing:
        return card.but(condition=missing).fine("Fine as it is: the pool hardly misses.")
    seek = At("read latency", read_us, above=SEEK_US, say=duration_us)
    propose = card.recommend if seek else card.consider
    return propose(
        facts.to("all"),
        saw=f"{card.says['saw']} {rate(missed or 0.0, 'requests')} miss the pool.",
        condition=seek & missing,
        effect="A change of a secondary index waits until its page is read anyway, and saves a "
        f"read of {duration_us(read_us)}.",
        confidence=Confidence.MEDIUM if seek else Confidence.LOW,
        because="The read was measured and the misses counted; how many of them are for changes of "
        "secondary indexes is not known.",
        valid="For tables with secondary indexes that are not unique.",
        risk="Low: the buffer takes part of the pool and is merged later.",
        cost_of_error="Merges later on, and slower shutdowns.",
        side_effects="A slow shutdown merges the whole buffer; indexes are read more slowly until "
        "then.",
    )


def _buffered(card: Card, read_us: float) -> Answer:
    """Leave MySQL's buffer alone: it costs little where it saves little."""
    cheap = At("read latency", read_us, below=CHEAP_US, say=duration_us)
    return card.but(
        condition=cheap,
        flips_when=f"it is none and the read latency exceeds {duration_us(SEEK_US)} while requests "
        "miss the pool",
    ).fine(
        "Fine as it is: on such a drive it saves little and costs little."
        if cheap
        else "Fine as it is: each buffered change saves a read."
    )
