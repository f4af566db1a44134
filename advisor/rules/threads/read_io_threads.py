"""Read I/O threads against the read-ahead that they do.

## What it checks
Whether innodb_read_io_threads keeps enough background reads in flight.

## Why it matters
A query reads a page that it misses in its own thread, not in these. They do read-ahead and load the
buffer pool at a start. With native AIO each may have 256 requests in flight, so the default of 4
allows 1,024; without native AIO each has one.

## How it is judged
- Native AIO on: fine, with any number; more than 16 are not needed.
- Native AIO off: the rate of read-ahead on the drive's own read curve gives how many are in flight
  on average. From 80 % of the threads on (our choice), as many threads are proposed as the curve's
  knee has requests in flight; below, fine.
- Native AIO is switched on first where that is possible.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section FILE I/O: pending aio reads, for each thread; the counters
`Innodb_buffer_pool_read_ahead%`.

## Risk and undo
Low: idle threads cost a little memory. A restart, on MariaDB from 10.11 at run time.

## When it is wrong
When the buffer pool is loaded at a start: that reads more than read-ahead does, but once.

## References
- MySQL reference manual, "Configuring the Number of Background InnoDB I/O Threads"
- MariaDB documentation, innodb_read_io_threads
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.load import LOAD_BACKGROUND_READS
from advisor.rulekit import Answer, Facts, Knowledge, rule
from advisor.rules.threads._io_threads import NATIVE, ThreadSetting, judge

READS = ThreadSetting(
    LOAD_BACKGROUND_READS, CURVE_RANDOM_READ_PAGE, "Background reads", "background reads"
)


@rule(
    topic="Threads",
    setting="innodb_read_io_threads",
    needs=(NATIVE,),
    uses=(READS.rate, READS.curve),
    waits_for=("threads.native-aio",),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Lay the server's read-ahead on the drive's curve."""
    return judge(facts, READS)
