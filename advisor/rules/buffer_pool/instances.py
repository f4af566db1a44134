"""innodb_buffer_pool_instances for this version, pool and number of CPUs.

## What it checks
Whether the number of buffer pool instances suits the server's version.

## Why it matters
The right answer has changed over the years. On MySQL 5.5 with 16 cores, four instances instead of
one took a read-only test from 34,201 to 77,219 queries/s at 64 threads, and changed nothing up to
16 threads. On MySQL 8.0 more instances leave the mean as it is, calm the worst seconds and, where
they are far too many, double the 95th percentile. On 8.4 one instance per few GiB is about a tenth
slower than two, at every pool size that was tried.

## How it is judged
- MariaDB: ignored since 10.5.1, gone in 10.6, never worth setting before: not applicable.
- With 8 GiB or more in each instance none are too many from MySQL 5.7 on (our choice): published
  runs that lost had few GiB in each.
- MySQL 8.4 and newer: above 4 (our choice) and above the automatic value `min(pool / chunk / 2,
  CPUs / 4)` (1 for a pool up to 1 GiB) the automatic value is proposed. Up to it, but above 4:
  fine, and watched where the server writes 1,000 pages/s or more (our choice), for which two were
  better.
- MySQL 5.7 and 8.0: fine from 1 to 16 (our choice); else watch: half as many, which is no gain of
  throughput. Fewer than 4 with a pool of 8 GiB or more, 8 CPUs and 16 running threads (our
  choices): on 8.0 watch, 8 could reduce stalls; on 5.7 the 8 that it comes with are proposed, for
  there one mutex guards all lists of an instance (8.0 split it, as Percona's builds had before).
  Eight at once, since each step takes a restart. Where it is fine the trade is said: calm against
  the 95th percentile.
- Too many on any of these, while most of query time is in no wait that was timed: fine. Threads may
  wait for each other's latches, and fewer instances have fewer of the pool's.
- MySQL 5.5 and 5.6: one instance with 8 CPUs and a pool of 1 GiB or more, and over 16 running
  threads: one per GiB is proposed, 4 to 8 (our choices). For a pool below 1,000 MiB both use one
  instance, but show the number that was set.

## How to check by hand
`SELECT @@innodb_buffer_pool_instances, @@innodb_buffer_pool_size;`

## Risk and undo
Needs a restart. `innodb_lru_scan_depth` counts per instance (on 5.6 `innodb_io_capacity` too), so
the limit on flushing changes with it. On 8.4 there are as many page cleaners as instances, unless
`innodb_page_cleaners` is set.

## When it is wrong
When mutex waits on the pool show contention outside these ranges: measure both ways.

## References
- M. Callaghan, "How many IOPs can InnoDB do?" (MySQL 5.5)
- MySQL reference manual, "What Is New in MySQL 8.4"
- MySQL worklog 8423, "InnoDB: Remove the buffer pool mutex" (8.0)
- MariaDB MDEV-15058
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Unjudged,
    change,
    number,
    per_s,
    rule,
)
from advisor.rules.buffer_pool._pool import NO_SERVER, SIZE, pool_at_least
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload.pool_instances import (
    COUNTED_CPUS,
    counted_cpus,
    pool_instances,
    undivided,
)
from advisor.workload.query_time import USES as OF_TIME
from advisor.workload.query_time import query_time
from probes.figures import counted, size

SETTING = "innodb_buffer_pool_instances"
CHUNK_SIZE, RUNNING = variable("innodb_buffer_pool_chunk_size"), status("Threads_running")
WRITTEN = status("Innodb_pages_written")
GIB = 1 << 30
CHUNK = 128 << 20
FEW_8_4, TWO = 4, 2
WRITES_PER_S = 1000.0
"""Page writes from which on a load is one that writes. Our choice."""
MANY, AMPLE = 16, 8 * GIB
"""More instances than this are too many for MySQL 8.0, unless each has this much of the pool: so
they are on no version from 5.7 on."""

SEVERAL_CPUS, BUSY, USUAL = 8, 16, 8
TRADE = (
    "Fine as it is: in published runs of 8.0 the mean does not depend on it. More instances calm "
    "the worst seconds, and fewer make them longer; far too many lengthen the 95th percentile."
)
LATCHES = (
    "Fine while most of query time is in no wait that was timed: threads may wait for each other's "
    "latches, and fewer instances have fewer of the pool's."
)
GAVE = (
    "4 instances instead of 1 gave 2.26× at 64 threads in a published read-only test of MySQL 5.5 "
    "on 16 cores."
)
RISK = "Low: innodb_lru_scan_depth counts per instance."
COST_8_4 = "Up to a tenth of the throughput, and a restart to return."


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION,),
    uses=(
        variable(SETTING),
        SIZE,
        CHUNK_SIZE,
        *COUNTED_CPUS,
        RUNNING,
        WRITTEN,
        *(each for each in OF_TIME if each not in {MYSQL_VERSION, *COUNTED_CPUS}),
    ),
    settings=(SETTING,),
    findings=("F05", "F72", "F75", "F76", "F77", "F78", "B10"),
)
def check(facts: Facts) -> Answer:
    """Judge by version first: the same number is right on one and wrong on another."""
    version = facts.version
    if version.is_mariadb:
        return Inapplicable(
            f"{version} does not benefit from several instances (the setting is ignored since "
            "10.5.1 and gone from 10.6)."
        )
    now, pool = facts.find(variable(SETTING)), facts.find(SIZE)
    if now is None or pool is None:
        return NO_SERVER
    cpus = facts.find(HOST_CPU_GRANTED)
    if cpus is None:
        return Unjudged("The number of CPUs is not known, and the right number depends on it.")
    saw = (
        f"A buffer pool of {size(pool.number)} has {counted(pool_instances(facts), 'instance')}, "
        f"on {counted(cpus, 'CPU thread')}."
    )
    if undivided(version, pool.number) and now.number > 1:
        saw += f" {now.value} are set, but {version} uses one for a pool this small."
    card = facts.card(saw, setting=SETTING, now=now.now, valid=f"For {version}.")
    if version.at_least(MYSQL, 8, 4):
        return _newest(facts, card, now, pool.number)
    judge = _middle if version.at_least(MYSQL, 5, 7) else _oldest
    return judge(facts, card, now, pool.number, cpus)


def _automatic(facts: Facts, pool_bytes: float) -> int:
    """Compute what MySQL 8.4 chooses when the setting is left out."""
    if pool_bytes <= GIB:
        return 1
    chunk = facts.find(CHUNK_SIZE)
    chunk_bytes = chunk.number if chunk is not None and chunk.number > 0 else CHUNK
    return int(max(1, min(pool_bytes / chunk_bytes / 2, (counted_cpus(facts) or 0) / 4, 64)))


def _more_than(bound: float, now: Standing) -> At:
    return At("number of instances", now.number, above=bound, say=number())


def _small(now: Standing, pool_bytes: float) -> At:
    """Whether each instance has little of the pool."""
    each = pool_bytes / max(now.number, 1)
    of = f"{size(pool_bytes)} / {now.value}"
    return At("size of each", each, below=AMPLE, of=of, say=size)


def _hidden(facts: Facts) -> bool:
    """Whether most of query time may be waits for latches: nobody times those."""
    time = query_time(facts)
    return time is not None and time.hides_most


def _between_latches(card: Card) -> Answer:
    """End it where fewer instances may make more threads wait."""
    return card.fine(LATCHES, condition=Is(True, "", "waits that were timed take most"))


def _newest(facts: Facts, card: Card, now: Standing, pool_bytes: float) -> Answer:
    automatic, small = _automatic(facts, pool_bytes), _small(now, pool_bytes)
    many = _more_than(max(FEW_8_4, automatic), now) & small
    writes = At(
        "server's write rate",
        facts.find(WRITTEN) or 0.0,
        least=WRITES_PER_S,
        say=per_s("pages"),
    )
    some = _more_than(FEW_8_4, now) & small & writes
    if not many and not some:
        return card.fine(condition=many)
    if _hidden(facts):
        return _between_latches(card)
    if not many:
        return card.consider(
            change(facts.version, now, str(TWO)),
            condition=some,
            effect="It is what the server chooses, and no proof that it suits a load that "
            "writes: in published runs of 8.4 two instances were about a tenth faster than "
            "one per few GiB. Try two, and compare.",
            confidence=Confidence.LOW,
            risk=RISK,
            cost_of_error=COST_8_4,
            side_effects="innodb_lru_scan_depth and the page cleaners work on fewer lists.",
        )
    return card.recommend(
        change(facts.version, now, str(automatic)),
        saw=f"{card.says['saw']} {facts.version} would choose {automatic}.",
        condition=many,
        effect="Published runs of 8.4 were about a tenth faster with two instances than with one "
        "per few GiB; the automatic value is a step there. Leaving the line out has the same "
        "effect.",
        because="Published TPC-C runs of 8.4 at several pool sizes; not tried here.",
        risk=RISK,
        cost_of_error=COST_8_4,
        side_effects="innodb_lru_scan_depth and the page cleaners work on fewer lists.",
    )


def _middle(facts: Facts, card: Card, now: Standing, pool_bytes: float, cpus: float) -> Answer:
    running = facts.find(RUNNING) or 0.0
    many = _more_than(MANY, now) & _small(now, pool_bytes)
    card = card.but(
        condition=many,
        confidence=Confidence.LOW,
        because="Published runs of 8.0; stalls were not measured here.",
    )
    if many and _hidden(facts):
        return _between_latches(card)
    if many:
        return card.consider(
            change(facts.version, now, f"{now.number // 2:.0f}"),
            effect="In published runs of 8.0 far too many instances double the 95th percentile and "
            "calm the worst seconds; the mean stays. Try half as many, and compare.",
            risk=RISK,
            cost_of_error="A restart without a benefit, and longer stalls.",
            side_effects="innodb_lru_scan_depth works on fewer lists.",
        )
    stalls = (
        At("number of instances", now.number, below=4, say=number())
        & pool_at_least(AMPLE, pool_bytes)
        & At("number of CPU threads", cpus, least=SEVERAL_CPUS, say=number())
        & At("number of running threads", running, least=BUSY, say=number())
    )
    if not stalls:
        return card.fine(TRADE, condition=many | stalls, confidence=Confidence.MEDIUM)
    return _divided(facts, card.but(condition=stalls), now, running)


def _divided(facts: Facts, card: Card, now: Standing, running: float) -> Answer:
    """As many as the version comes with, at once: each step takes a restart."""
    eight = change(facts.version, now, str(USUAL))
    card = card.but(
        saw=f"{card.says['saw']} {counted(running, 'thread is', 'threads are')} running.",
        risk=RISK,
        cost_of_error="A restart without a benefit.",
        side_effects="innodb_lru_scan_depth and the page cleaners work on more lists.",
    )
    if facts.version.at_least(MYSQL, 8, 0) or facts.version.vendor:
        return card.consider(
            eight,
            effect="More instances leave the mean as it is but reduce stalls; published runs of "
            "8.0 are calm with 4 to 8.",
        )
    return card.recommend(
        eight,
        effect="Less waiting for the pool's mutex, which guards all lists of an instance before "
        f"8.0: {GAVE}",
        because="The published test is of 5.5, whose pool has the same mutex.",
        knowledge=Knowledge.ANALOGY,
    )


def _oldest(facts: Facts, card: Card, now: Standing, pool_bytes: float, cpus: float) -> Answer:
    single = (
        At("number of instances", now.number, most=1, say=number())
        & At("number of CPU threads", cpus, least=SEVERAL_CPUS, say=number())
        & pool_at_least(GIB, pool_bytes)
    )
    if not single:
        return card.fine(condition=single)
    running = facts.find(RUNNING)
    if running is None:
        return Unjudged(f"{card.says['saw']} The number of running threads is not known.")
    busy = At("number of running threads", running, above=BUSY, say=number())
    card = card.but(
        saw=f"{card.says['saw']} {counted(running, 'thread is', 'threads are')} running.",
        condition=single & busy,
    )
    if not busy:
        return card.fine()
    return card.recommend(
        change(facts.version, now, str(min(8, max(4, int(pool_bytes // GIB))))),
        effect=f"Less waiting for the pool's mutex: {GAVE}",
        because="The published test had 16 cores, data in memory and reads that miss the pool.",
        risk="Low: on 5.6 innodb_io_capacity and innodb_lru_scan_depth count per instance.",
        cost_of_error="A restart without a benefit.",
        side_effects="On 5.6 the limits of flushing are multiplied.",
    )
