"""How far MariaDB's buffer pool may grow while the server runs.

## What it checks
Whether `innodb_buffer_pool_size_max` leaves room between the pool and what the machine's memory
would bear.

## Why it matters
Newer MariaDB reserves the addresses of the pool at the start, and the limit can't be moved later.
Where the limit is the pool's own size, as 11.8.6 chooses it, `SET GLOBAL innodb_buffer_pool_size`
upwards is cut back to the present size with a mere warning: a busy server has to be restarted for
more memory. 10.11.19 and 11.8.9 choose 8 TiB and can grow.

## How it is judged
- `most` = three quarters of the memory, and half of it up to 4 GiB; on a large machine all but
  32 GiB, less 5 % for the pool's descriptors.
- The limit is at least 1.2 times the pool, or at least `most`: fine.
- Else, if `most` is at least 1.2 times the pool, the limit of `most` is proposed for the next
  restart; watch where the kernel promises no more memory than it has. If not, the pool has its
  memory already: fine.

## How to check by hand
`SELECT @@innodb_buffer_pool_size, @@innodb_buffer_pool_size_max;`

## Risk and undo
A restart. Addresses are reserved, not memory, but the kernel may refuse: a real 11.8.6 did not
start with a limit of 48 GiB on a machine of 23 GiB. The limit proposed stays below the memory;
where the kernel promises no more than it has (`vm.overcommit_memory = 2`), it is not proposed.

## When it is wrong
When the memory is meant for something else.

## References
- MariaDB documentation, innodb_buffer_pool_size_max
- MariaDB MDEV-29445
"""

from __future__ import annotations

from advisor.facts.known import (
    HOST_CPU_THREADS,
    HOST_MEMORY_USABLE,
    HOST_OVERCOMMIT,
    MYSQL_VERSION,
    variable,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.workload.pool_room import most_for_pool, whole_steps
from probes import figures

SETTING = "innodb_buffer_pool_size_max"
ROOM = 1.2
STRICT = 2.0
"""What vm.overcommit_memory is where the kernel promises no more than it has."""


@rule(
    topic="Buffer pool",
    needs=(
        MYSQL_VERSION,
        variable("innodb_buffer_pool_size_max"),
        variable("innodb_buffer_pool_size"),
        HOST_MEMORY_USABLE,
    ),
    uses=(
        variable("innodb_buffer_pool_chunk_size"),
        variable("innodb_buffer_pool_instances"),
        HOST_CPU_THREADS,
        HOST_OVERCOMMIT,
    ),
    settings=(SETTING,),
    applies_to=(
        mariadb("10.11.12", "10.12"),
        mariadb("11.4.6", "11.5"),
        mariadb("11.8.2"),
    ),
    findings=("B08",),
)
def check(facts: Facts) -> Answer:
    """Compare the room above the pool with the memory that is there."""
    now = facts.get(variable("innodb_buffer_pool_size_max"))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    if now.default or pool.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    most = whole_steps(facts, most_for_pool(facts.get(HOST_MEMORY_USABLE)))
    saw = (
        f"The pool has {figures.size(pool.number)} and may grow to {figures.size(now.number)} "
        f"while the server runs; the memory bears {figures.size(most)}."
    )
    formula = (
        f"{figures.size(now.number)} / {figures.size(pool.number)} = "
        f"{figures.times(now.number / max(pool.number, 1))}"
    )
    if now.number >= min(ROOM * pool.number, most) or most < ROOM * pool.number:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=_flips_when(now.number, ROOM * pool.number, most),
            formula=formula,
            because="all sizes were told by the server and the machine",
            valid="for this pool and this machine",
        )
    strict = facts.find(HOST_OVERCOMMIT) == STRICT
    judged = Judged(
        Verdict.WATCH if strict else Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="The kernel promises no more memory than it has, so a limit above the pool may "
        "keep the server from starting: enlarge the pool itself when it is due."
        if strict
        else "The pool can be enlarged without a restart when it turns out to be too small.",
        confidence=Confidence.HIGH,
        because="the limit was seen to cut a larger value on a real server",
        risk="Low: addresses are reserved, memory is not; the server does not start when the "
        "kernel refuses them.",
        cost_of_error="none but some page tables for addresses that are never used",
        side_effects="innodb_buffer_pool_size_auto_min follows it unless it was set.",
        flips_when=f"the pool may grow by a fifth, to {figures.size(ROOM * pool.number)}",
        valid="for this machine's memory",
        gain=0.1,
        formula=formula,
    )
    if strict:
        return judged
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(most)))


def _flips_when(limit: float, wanted: float, most: float) -> str:
    """Say what would make the limit too low: it, or the memory, or both would have to change."""
    lower = f"the limit is less than {figures.size(wanted)}"
    more = f"the memory bears a pool of {figures.size(wanted)} or more"
    if most >= wanted:
        return lower
    return more if limit < wanted else f"{lower} and {more}"
