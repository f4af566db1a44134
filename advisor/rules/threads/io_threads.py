"""The threads of background reads and of page writes, against what they carry on this drive.

## What it checks
Whether innodb_read_io_threads keeps enough background reads in flight, and innodb_write_io_threads
enough page writes.

## Why it matters
A query reads a page that it misses in its own thread, not in these: the readers do read-ahead and
load the buffer pool at a start. The writers write its pages. The usual advice is a thread per CPU,
or sixteen, or sixty-four. What counts is how many requests may be in flight together. With native
AIO that is 256 for each thread: the default of 4 allows 1,024, beyond any drive's knee. Without
native AIO it is one for each thread.

## How it is judged
- Native AIO on: fine, with any number; more than 16 are not needed.
- Native AIO off: the rate of read-ahead, or of page writes, on the drive's own curve gives how many
  are in flight on average. From 80 % of the threads on (our choice), as many threads are proposed
  as the curve's knee has requests in flight; below, fine.
- Native AIO is switched on first where that is possible.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section FILE I/O: pending aio reads and writes, for each thread; the
counters `Innodb_buffer_pool_read_ahead%`.

## Risk and undo
Low: idle threads cost a little memory. A restart, on MariaDB from 10.11 at run time.

## When it is wrong
When the buffer pool is loaded at a start: that reads more than read-ahead does, but once. With page
compression or encryption the writers also do that work, and the CPU may be the limit before the
drive is.

## References
- MySQL reference manual, "Configuring the Number of Background InnoDB I/O Threads"
- MariaDB documentation, innodb_read_io_threads and innodb_write_io_threads
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.fact import Fact
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE, CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.load import LOAD_BACKGROUND_READS
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.model.curves.knee import knee
from advisor.model.curves.operating_point import in_flight
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Judged, Knowledge, Unjudged, number, rule
from advisor.rules.threads._bounds import SLOTS
from probes.figures import count, counted, rate
from probes.points import Curve

NATIVE = variable("innodb_use_native_aio")
MOST_THREADS = 64
FULL = 0.8
"""From this share of busy threads on, requests wait for one of them."""

MANY = 16
"""More threads than this are more than any published test found a use for."""


@dataclass(frozen=True, slots=True)
class _ThreadSetting:
    """One of the two settings: ``does`` and ``requests`` say what its threads do, in words."""

    rate: Fact[float]
    curve: Fact[Curve]
    does: str
    requests: str


READS = _ThreadSetting(
    LOAD_BACKGROUND_READS, CURVE_RANDOM_READ_PAGE, "Background reads", "background reads"
)
WRITES = _ThreadSetting(
    status("Innodb_pages_written"), CURVE_RANDOM_WRITE_PAGE, "Page writes", "page writes"
)


@rule(
    name="threads.read-io-threads",
    title="Read I/O threads against the read-ahead that they do",
    topic="Threads",
    setting="innodb_read_io_threads",
    needs=(NATIVE,),
    uses=(READS.rate, READS.curve),
    waits_for=("threads.native-aio",),
    knowledge=Knowledge.MEASURED,
)
def readers(facts: Facts) -> Answer:
    """Lay the server's read-ahead on the drive's curve."""
    return _judge(facts, READS)


@rule(
    name="threads.write-io-threads",
    title="Write I/O threads against the page writes that they do",
    topic="Threads",
    setting="innodb_write_io_threads",
    needs=(NATIVE,),
    uses=(WRITES.rate, WRITES.curve),
    waits_for=("threads.native-aio",),
    knowledge=Knowledge.MEASURED,
)
def writers(facts: Facts) -> Answer:
    """Lay the server's page writes on the drive's curve."""
    return _judge(facts, WRITES)


def _judge(facts: Facts, kind: _ThreadSetting) -> Answer:
    """Judge a number of I/O threads by the requests that it lets into the drive."""
    if facts.get(NATIVE).on:
        return _with_slots(facts, kind)
    per_s, curve = facts.find(kind.rate), facts.find(kind.curve)
    if per_s is None or curve is None:
        lacking = f"the rate of {kind.requests}" if per_s is None else "the drive"
        return Unjudged(
            f"Native AIO is off, so each of the {facts.now.value} threads has one request in "
            f"flight; {lacking} is not known."
        )
    return _one_each(facts, kind, per_s, curve)


def _with_slots(facts: Facts, kind: _ThreadSetting) -> Judged:
    threads, curve = facts.now.number, facts.find(kind.curve)
    slots = count(threads * SLOTS)
    knees = "" if curve is None else f"; this drive's knee is at {knee(curve).threads}"
    card = facts.card(
        f"With {counted(threads, 'thread')} {slots} {kind.requests} may be in flight{knees}.",
        Is(True, "", "native AIO is off"),
        formula=f"{counted(threads, 'thread')} x {SLOTS} = {slots} requests in flight{knees}",
        confidence=Confidence.HIGH,
        because="The number of AIO slots is a constant of InnoDB.",
    )
    if threads > MANY:
        return card.fine("Fine as it is; fewer threads would do as well.")
    return card.fine("Fine as it is: more threads would not keep more requests in flight.")


def _one_each(facts: Facts, kind: _ThreadSetting, per_s: float, curve: Curve) -> Judged:
    """Judge threads that each wait for one request (Little's law gives how many are busy)."""
    threads, bend, busy = facts.now.number, knee(curve).threads, in_flight(curve, per_s)
    needed = bend if busy is None else busy
    text = f"{needed:.1f}".removesuffix(".0")
    full = At(
        "average number of busy threads",
        needed,
        least=FULL * threads,
        of=f"{rate(per_s, kind.requests)} on this drive's curve",
        say="{:.1f}".format,
    )
    room = At("drive's knee", bend, above=threads, say=number("request"))
    card = facts.card(
        f"Native AIO is off, {count(threads)} threads have one request each in flight, and "
        f"{rate(per_s, kind.requests)} keep {text} of them busy on this drive.",
        full,
    )
    if not full:
        return card.fine()
    wanted = min(bend, MOST_THREADS)
    if threads >= wanted:
        return card.fine(
            "Fine as it is: they are busy, and more would only queue at the drive.",
            condition=full & room,
            flips_when=room.turn if threads < MOST_THREADS else "native AIO is on",
        )
    return card.recommend(
        facts.to(str(wanted)),
        effect=f"{kind.does} reach the drive's knee of {wanted} requests in flight.",
        risk="Low: a thread each.",
        cost_of_error="Some idle threads.",
        side_effects="More requests in flight make each single one slower.",
    )
