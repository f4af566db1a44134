"""Write I/O threads against the page writes that they do.

## What it checks
Whether innodb_write_io_threads keeps enough page writes in flight.

## Why it matters
The usual advice is a thread per CPU, or sixteen, or sixty-four. What counts is how many page writes
may be in flight together. With native AIO that is 256 for each thread: the default of 4 allows
1,024, beyond any drive's knee. Without native AIO it is one for each thread: four threads are four
writes.

## How it is judged
- Native AIO on: fine, with any number; more than 16 are not needed.
- Native AIO off: the rate of page writes on the drive's own write curve gives how many are in
  flight on average. From 80 % of the threads on (our choice), as many threads are proposed as the
  curve's knee has requests in flight; below, fine.
- Native AIO is switched on first where that is possible.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section FILE I/O: pending aio writes, for each thread.

## Risk and undo
Low: idle threads cost a little memory. A restart, on MariaDB from 10.11 at run time.

## When it is wrong
With page compression or encryption the threads also do that work, and the CPU may be the limit
before the drive is.

## References
- MySQL reference manual, "Configuring the Number of Background InnoDB I/O Threads"
- MariaDB documentation, innodb_write_io_threads
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.rulekit import Answer, Facts, Knowledge, rule
from advisor.rules.threads._io_threads import NATIVE, ThreadSetting, judge

WRITES = ThreadSetting(
    status("Innodb_pages_written"), CURVE_RANDOM_WRITE_PAGE, "Page writes", "page writes"
)


@rule(
    topic="Threads",
    setting="innodb_write_io_threads",
    needs=(NATIVE,),
    uses=(WRITES.rate, WRITES.curve),
    waits_for=("threads.native-aio",),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Lay the server's page writes on the drive's curve."""
    return judge(facts, WRITES)
