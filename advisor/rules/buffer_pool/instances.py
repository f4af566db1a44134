"""innodb_buffer_pool_instances for this version, pool and number of CPUs.

## What it checks
Whether the buffer pool is cut into a number of instances that suits the server's version.

## Why it matters
The right answer has turned round over the years. On MySQL 5.5 with 16 cores, four instances in
place of one took a read-only test from 34,201 to 77,219 queries/s at 64 threads, and nothing
changed up to 16 threads. On MySQL 8.0 more instances leave the mean as it is and only calm
stalls. On 8.4 one instance per few GiB is about a tenth slower than two.

## How it is judged
- MariaDB: ignored since 10.5.1, gone in 10.6, never worth setting before: not applicable.
- MySQL 8.4 and newer: fine up to 4 or the automatic value `min(pool / chunk / 2, CPUs / 4)` (1
  for a pool up to 1 GiB), whichever is larger; above that the automatic value is proposed.
- MySQL 5.7 and 8.0: fine from 1 to 16, and above that with 8 GiB or more in each; else 8 is
  proposed. Fewer than 4 with a pool of 8 GiB
  or more, 8 CPUs and 16 running threads: watch, 8 could calm stalls.
- MySQL 5.5 and 5.6: one instance with 8 CPUs and a pool of 1 GiB or more, and over 16 running
  threads: one per GiB is proposed, 4 to 8. Of a pool below 1,000 MiB both make one instance, and
  go on showing the number that was set.

## How to check by hand
`SELECT @@innodb_buffer_pool_instances, @@innodb_buffer_pool_size;`

## Risk and undo
Takes a restart. `innodb_lru_scan_depth` counts per instance (on 5.6 `innodb_io_capacity` too), so
the work allowed to flushing changes with it.

## When it is wrong
When mutex waits on the pool show contention that these bands do not expect: measure both ways.

## References
- M. Callaghan, "How many IOPs can InnoDB do?" (MySQL 5.5)
- MySQL reference manual, "What Is New in MySQL 8.4"
- MariaDB MDEV-15058
"""

from __future__ import annotations

from advisor.facts.known import HOST_CPU_THREADS, MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload.pool_instances import pool_instances, undivided
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_buffer_pool_instances"
GIB = 1 << 30
CHUNK = 128 << 20
MANY, AMPLE = 16, 8 * GIB
"""More instances than this are too many for MySQL 8.0, unless each has this much of the pool."""


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION,),
    uses=(
        variable("innodb_buffer_pool_instances"),
        variable("innodb_buffer_pool_size"),
        variable("innodb_buffer_pool_chunk_size"),
        HOST_CPU_THREADS,
        status("Threads_running"),
    ),
    settings=(SETTING,),
    findings=("F05", "F72", "F75", "F76", "F77", "F78", "B10"),
)
def check(facts: Facts) -> Answer:
    """Judge by version first: the same number is right on one and wrong on another."""
    version = facts.get(MYSQL_VERSION)
    if version.is_mariadb:
        return Inapplicable(
            f"{version} gains nothing from several instances (the setting is ignored since 10.5.1 "
            "and gone from 10.6)."
        )
    now = facts.find(variable("innodb_buffer_pool_instances"))
    pool = facts.find(variable("innodb_buffer_pool_size"))
    if now is None or pool is None:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    cpus = facts.find(HOST_CPU_THREADS)
    if cpus is None:
        return Unjudged(
            "How many CPUs the server has is not known, and the right number hangs on it."
        )
    saw = (
        f"A buffer pool of {figures.size(pool.number)} in "
        f"{figures.counted(pool_instances(facts), 'instance')}, on {cpus:.0f} CPU threads."
    )
    if undivided(version, pool.number) and now.number > 1:
        saw += f" {now.text} are set, and {version} makes one of so small a pool."
    if version.at_least(MYSQL, 8, 4):
        return _newest(version, now, saw, _automatic(facts, pool.number, cpus))
    running = facts.find(status("Threads_running"))
    if version.at_least(MYSQL, 5, 7):
        return _middle(version, now, saw, pool_bytes=pool.number, cpus=cpus, running=running)
    return _oldest(version, now, saw, pool_bytes=pool.number, cpus=cpus, running=running)


def _automatic(facts: Facts, pool_bytes: float, cpus: float) -> int:
    """Compute what MySQL 8.4 chooses when the setting is left out."""
    if pool_bytes <= GIB:
        return 1
    chunk = facts.find(variable("innodb_buffer_pool_chunk_size"))
    chunk_bytes = chunk.number if chunk is not None and chunk.number > 0 else CHUNK
    return int(max(1, min(pool_bytes / chunk_bytes / 2, cpus / 4, 64)))


def _newest(version: ServerVersion, now: Standing, saw: str, automatic: int) -> Answer:
    if now.number <= max(4, automatic):
        return _fine(saw, now, f"there are more than {max(4, automatic)} instances")
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} {version} itself would choose {automatic}.",
        SETTING,
        now.now,
        effect="About a tenth more throughput in published runs of 8.4 with many against few "
        "instances. Leaving the line out has the same effect.",
        because="published TPC-C runs of 8.4 at several pool sizes; not tried here",
        risk="Low: innodb_lru_scan_depth counts per instance.",
        cost_of_error="up to a tenth of the rate, and a restart to return",
        side_effects="innodb_lru_scan_depth and the page cleaners work on fewer lists.",
        flips_when=f"{max(4, automatic)} or fewer instances are set, or mutex waits on the pool "
        "are seen",
        valid="for MySQL 8.4 and newer",
        gain=0.2,
        formula=f"{now.text} > max(4, {automatic}), the automatic value",
    ).by(change(version, now, str(automatic)))


def _middle(
    version: ServerVersion,
    now: Standing,
    saw: str,
    *,
    pool_bytes: float,
    cpus: float,
    running: float | None,
) -> Answer:
    if now.number > MANY and pool_bytes < AMPLE * now.number:
        return Judged(
            Verdict.RECOMMEND,
            saw,
            SETTING,
            now.now,
            effect="Far too many instances double the 95th percentile in published runs of 8.0.",
            confidence=Confidence.LOW,
            because="published runs of 8.0; stalls were not looked for here",
            risk="Low: innodb_lru_scan_depth counts per instance.",
            cost_of_error="a restart for nothing",
            side_effects="innodb_lru_scan_depth works on fewer lists.",
            flips_when=f"{MANY} or fewer instances are set, the pool has "
            f"{figures.size(AMPLE * now.number)} or more, or mutex waits on it are seen",
            valid="for MySQL 5.7 and 8.0",
            gain=0.2,
            formula=f"{now.text} > {MANY}; {figures.size(pool_bytes)} / {now.text} = "
            f"{figures.size(pool_bytes / now.number)} in each",
        ).by(change(version, now, "8"))
    if now.number < 4 and pool_bytes >= 8 * GIB and cpus >= 8 and (running or 0) >= 16:
        return Judged(
            Verdict.WATCH,
            f"{saw} {running:.0f} threads are running.",
            SETTING,
            now.now,
            effect="8 instances leave the mean as it is but calm stalls.",
            confidence=Confidence.LOW,
            because="published runs of 8.0; stalls were not looked for here",
            risk="Low: innodb_lru_scan_depth counts per instance.",
            cost_of_error="a restart for nothing",
            side_effects="innodb_lru_scan_depth works on more lists.",
            flips_when="fewer than 16 threads run at a time",
            valid="for MySQL 5.7 and 8.0",
            gain=0.2,
            formula=f"{now.text} < 4; {figures.size(pool_bytes)} >= {figures.size(8 * GIB)}, "
            f"{cpus:.0f} >= 8 CPU threads, {running:.0f} >= 16 running",
        ).by(change(version, now, "8"))
    return _fine(saw, now, "there are more than 16 instances, or stalls are seen with fewer than 4")


def _oldest(
    version: ServerVersion,
    now: Standing,
    saw: str,
    *,
    pool_bytes: float,
    cpus: float,
    running: float | None,
) -> Answer:
    if now.number > 1 or cpus < 8 or pool_bytes < GIB:
        return _fine(saw, now, "one instance serves 8 or more CPUs and a pool of 1 GiB or more")
    if running is None:
        return Unjudged(f"{saw} How many threads run at a time was not seen, and it decides.")
    if running <= 16:
        seen = f"{saw} {running:.0f} threads are running."
        return _fine(seen, now, "more than 16 threads run at a time")
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} {running:.0f} threads are running.",
        SETTING,
        now.now,
        effect="Less waiting for the pool's mutex: 4 instances in place of 1 gave 2.26× at 64 "
        "threads in a published read-only test of MySQL 5.5 on 16 cores.",
        because="the published test had 16 cores, data in memory and reads that miss the pool",
        risk="Low: on 5.6 innodb_io_capacity and innodb_lru_scan_depth count per instance.",
        cost_of_error="a restart for nothing",
        side_effects="On 5.6 the limits on flushing are multiplied.",
        flips_when="16 threads or fewer run at a time",
        valid="for MySQL 5.5 and 5.6 with many threads",
        gain=0.6,
        formula=f"1 instance; {figures.size(pool_bytes)} >= 1 GiB, {cpus:.0f} >= 8 CPU threads, "
        f"{running:.0f} > 16 running",
    ).by(change(version, now, str(min(8, max(4, int(pool_bytes // GIB))))))


def _fine(saw: str, now: Standing, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=f"{now.text} within the band of this version",
        because="published runs of this version and its neighbours",
        valid="for this version",
    )
