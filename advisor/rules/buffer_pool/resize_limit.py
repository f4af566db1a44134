"""How far MariaDB's buffer pool may grow while the server runs.

## What it checks
Whether `innodb_buffer_pool_size_max` lets the pool grow as far as the machine's memory allows.

## Why it matters
Newer MariaDB reserves the addresses of the pool at the start, and the limit can't be moved later.
Where the limit is the pool's own size, as 11.8.6 chooses it, `SET GLOBAL innodb_buffer_pool_size`
upwards is cut back to the present size with a warning only: a busy server has to be restarted for
more memory. From 10.11.17, 11.4.11, 11.8.7 and 12.3.2 on it is 8 TiB, so that the pool can grow.

## How it is judged
- `most` = three quarters of the memory, and half of it up to 4 GiB; on a large machine all but
  32 GiB, less 5 % for the pool's descriptors.
- The limit is at least 1.2 times the pool (our choice), or at least `most`: fine.
- Else, if `most` is at least 1.2 times the pool, the limit of `most` is proposed for the next
  restart; watch where the kernel commits no more memory than it has. If not, the pool has its
  memory already: fine. While the pool is not to grow it is minor.

## How to check by hand
`SELECT @@innodb_buffer_pool_size, @@innodb_buffer_pool_size_max;`

## Risk and undo
A restart. Addresses are reserved, not memory, but the kernel may refuse: a real 11.8.6 did not
start with a limit of 48 GiB on a machine of 23 GiB. The limit proposed stays below the memory;
where the kernel commits no more than it has (`vm.overcommit_memory = 2`), it is not proposed.

## When it is wrong
When the memory is reserved for something else.

## References
- MariaDB documentation, innodb_buffer_pool_size_max
- MariaDB MDEV-29445, MDEV-38671
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE, HOST_OVERCOMMIT
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, mariadb, rule
from advisor.rules.buffer_pool._pool import NO_SERVER, SIZE
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.room import most_for_pool, whole_steps
from probes.figures import size, times

ROOM = 1.2
STRICT = 2.0
"""vm.overcommit_memory where the kernel commits no more memory than it has."""


@rule(
    topic="Buffer pool",
    do="Enlarge the pool itself, and not its limit",
    setting="innodb_buffer_pool_size_max",
    needs=(SIZE, HOST_MEMORY_USABLE),
    uses=(
        variable("innodb_buffer_pool_chunk_size"),
        variable("innodb_buffer_pool_instances"),
        HOST_OVERCOMMIT,
        *pool_growth.USES,
    ),
    applies_to=(mariadb("10.11.12", "10.12"), mariadb("11.4.6", "11.5"), mariadb("11.8.2")),
    findings=("B08",),
)
def check(facts: Facts) -> Answer:
    """Compare the room above the pool with the memory that is there."""
    now, pool = facts.now, facts.get(SIZE)
    if now.default or pool.default:
        return NO_SERVER
    most = whole_steps(facts, most_for_pool(facts.get(HOST_MEMORY_USABLE)))
    wanted = ROOM * pool.number
    low = At(
        "limit",
        now.number,
        below=wanted,
        say=lambda figure: f"{size(figure)} ({times(figure / max(pool.number, 1))} the pool)",
    )
    memory = At("memory for a pool", most, least=wanted, say=size)
    card = facts.card(
        f"The pool has {size(pool.number)} and may grow to {size(now.number)} while the server "
        f"runs; the memory allows {size(most)}.",
        low & memory,
    )
    if not low or not memory or now.number >= most:
        return card.fine()
    card = card.but(confidence=Confidence.HIGH, because="A real server cut values above it.")
    if facts.find(HOST_OVERCOMMIT) == STRICT:
        return card.watch(
            "The kernel commits no more memory than it has, so a limit above the pool may keep the "
            "server from starting: enlarge the pool itself when it is needed.",
        )
    return card.recommend(
        facts.to(str(most)),
        slight=pool_growth.grown(facts) is None,
        effect="The pool can be enlarged without a restart when it turns out to be too small.",
        risk="Low: addresses are reserved, memory is not; the server does not start when the "
        "kernel refuses them.",
        cost_of_error="Some page tables for addresses that are never used.",
        side_effects="innodb_buffer_pool_size_auto_min follows it unless it was set.",
    )
