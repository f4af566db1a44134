"""Memory limit of the server's control group.

## What it checks
The memory limit of the server's own control groups (a systemd service, a container) against its
buffer pool and against its resident memory.

## Why it matters
For a server in a limited group the group's limit counts, not the machine's memory: at the limit the
kernel first evicts the group's page cache and then kills its largest process, however much memory
the machine has free. The buffer pool fills gradually, so it can take days.

## How it is judged
`need = buffer pool x 1.1 + 512 MiB`, for memory beside the pages; or the process's resident memory,
where that is more.
- no limit in any of its groups: fine.
- a need of 90 % of the lowest limit or less (our choice): fine. Up to the limit: watch.
- more than the limit: a higher limit is proposed, unless the machine has no such memory, or would
  be left with less than should be available: then a pool that the limit has room for. That also
  where innodb_dedicated_server chose the pool: it counts the machine's memory, and a limit should
  not follow that.
- a pool that the rule on its size makes smaller for the same memory, and a group that is nearly
  full, of which that rule says how much: watched under that.

## How to check by hand
`cat /proc/$(pidof mysqld mariadbd)/cgroup`, `systemctl show -p MemoryMax mysql mariadb`

## Risk and undo
A higher limit leaves less memory to others on the machine. It can be changed while the server runs.
A smaller pool evicts pages and reads more.

## When it is wrong
When the pool never fills because the data is smaller.

## References
- Linux kernel documentation: cgroup v2, memory.max
- systemd.resource-control(5): MemoryMax
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT, HOST_SERVER_RESIDENT
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Change,
    Facts,
    Judged,
    Knowledge,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    change,
    rule,
)
from advisor.workload.pool import group_limit as of_group
from advisor.workload.pool import room as of_steps
from advisor.workload.pool.group_limit import (
    BESIDE_BYTES,
    NEAR,
    POOL,
    POOL_OVERHEAD,
    can_be_raised,
    needed,
    sizes_itself,
)
from advisor.workload.pool.memory_short import group_full
from advisor.workload.pool.room import is_too_large, whole_steps
from probes.figures import size

FINE = "Fine as it is: the kernel has no reason to kill the server."


@rule(
    topic="Memory",
    do="Leave the pool as it is: the memory limit is near",
    needs=(HOST_SERVER_MEMORY_LIMIT,),
    uses=(*of_group.USES, HOST_MEMORY_USABLE, MYSQL_VERSION, *of_steps.USES),
    settings=("innodb_buffer_pool_size",),
    stakes=Stakes.DATA,
    symptom_of=("buffer-pool.size",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare what the server needs with what it may use."""
    limit = facts.get(HOST_SERVER_MEMORY_LIMIT)
    if limit == 0:
        return facts.card(
            "None of the server's control groups limits its memory.",
            flips_when="one of them has a limit",
        ).fine(FINE)
    pool = facts.find(POOL)
    if pool is None:
        return Unjudged("The size of the buffer pool is not known.")
    resident = facts.find(HOST_SERVER_RESIDENT) or 0.0
    estimated = needed(pool.number)
    need, name, of, saw = estimated, "server's need", "", f"will need about {size(estimated)}"
    of = f"{size(pool.number)} x {POOL_OVERHEAD} + {size(BESIDE_BYTES)}"
    if resident > estimated:
        need, name, of, saw = resident, "resident memory", "", f"uses {size(resident)} already"
    near = At(name, need, of=of, above=NEAR * limit, say=size)
    over = At(name, need, of=of, above=limit, say=size)
    card = facts.card(
        f"The limit of the server's control group is {size(limit)}; with a buffer pool of "
        f"{size(pool.number)} the server {saw}.",
        near,
        valid="Once the buffer pool is full.",
    )
    if not near:
        return card.fine(FINE)
    if not over:
        # Of a group that is nearly full the rule on the pool's size says more.
        stakes = Stakes.DATA if group_full(facts) is None else Stakes.TIME
        return card.watch(
            "Many connections or large sorts may reach the limit: don't enlarge the buffer pool.",
            condition=near & ~over,
            stakes=stakes,
            because="The group's limit and the pool's size; memory of connections is not included.",
            cost_of_error="Memory that stays unused.",
        )
    return _beyond(facts, card.but(condition=over), limit, need)


def _beyond(facts: Facts, card: Card, limit: float, need: float) -> Judged:
    """Choose what has to give way, pool or limit, where the rule on the pool has not done so."""
    card = card.but(
        because="The group's limit and the pool's size; how far the pool will fill is not known.",
    )
    pool, usable = facts.get(POOL), facts.find(HOST_MEMORY_USABLE)
    if usable is not None and is_too_large(pool.number, usable):
        return card.watch("It ends with the smaller buffer pool.", stakes=Stakes.TIME)
    if can_be_raised(facts, need):
        return _raise(card, limit, need)
    return _shrink(facts, card, limit, need)


def _raise(card: Card, limit: float, need: float) -> Judged:
    """Grant the server what the machine has for it."""
    proposed = need / NEAR
    return card.recommend(
        _raised(limit, proposed),
        setting="memory limit of the server's control group",
        now=size(limit),
        effect="The kernel does not kill the server once its buffer pool is full.",
        formula=f"{size(need)} / {NEAR} = {size(proposed)}",
        risk="Low: other programs on the machine may get less.",
        cost_of_error="Memory that others could have used.",
        side_effects="The machine may run short where limits add up to more than its memory.",
        verify="systemctl show -p MemoryMax of the service, or memory.max of the group",
    )


def _shrink(facts: Facts, card: Card, limit: float, need: float) -> Judged:
    """Make the pool what the limit has room for: more than that is not there, as far as known."""
    pool = facts.get(POOL)
    lacks = (need - NEAR * limit) / POOL_OVERHEAD
    value = whole_steps(facts, pool.number - lacks) if lacks < pool.number else 0
    if not value:
        return card.watch("The limit has room for no buffer pool of whole chunks: raise it.")
    raised = f" Or raise the limit to {size(need / NEAR)}, where the machine has that."
    return card.recommend(
        change(facts.version, pool, str(value)),
        setting=pool.name,
        now=pool.now,
        effect="The kernel does not kill the server once its buffer pool is full."
        + ("" if sizes_itself(facts) else raised),
        formula=f"{size(pool.number)} - ({size(need)} - {NEAR} x {size(limit)}) / {POOL_OVERHEAD}",
        risk="Medium: pages are evicted while the pool shrinks, so reads grow for a while.",
        cost_of_error="Some more reads than necessary.",
        side_effects="More requests miss the smaller pool.",
        verify=f"SELECT @@GLOBAL.{pool.name};",
    )


def _raised(limit: float, proposed: float) -> Change:
    return by_hand(
        f"{size(proposed)} or more, or a smaller buffer pool",
        "Raise the server's memory limit",
        (
            "See which group limits it: cat /proc/PID/cgroup and memory.max of each.",
            f"A systemd service: systemctl set-property SERVICE MemoryMax={proposed:.0f}; a "
            "container: its memory limit.",
            "Or make the buffer pool smaller by as much as is lacking.",
        ),
        (f"Set the old limit of {limit:.0f} bytes the same way.",),
        Needs.OS,
    )
