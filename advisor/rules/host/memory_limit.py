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
- more than the limit: a higher limit is proposed.

## How to check by hand
`cat /proc/$(pidof mysqld mariadbd)/cgroup`, `systemctl show -p MemoryMax mysql mariadb`

## Risk and undo
A higher limit leaves less memory to others on the machine. It can be changed while the server runs.
The alternative is a smaller buffer pool.

## When it is wrong
When the pool never fills because the data is smaller.

## References
- Linux kernel documentation: cgroup v2, memory.max
- systemd.resource-control(5): MemoryMax
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT, HOST_SERVER_RESIDENT
from advisor.facts.server.variables import variable
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Facts,
    Knowledge,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    rule,
)
from probes.figures import size

POOL_OVERHEAD = 1.1
BESIDE_BYTES = 512 << 20
NEAR = 0.9
FINE = "Fine as it is: the kernel has no reason to kill the server."


@rule(
    topic="Memory",
    needs=(HOST_SERVER_MEMORY_LIMIT,),
    uses=(variable("innodb_buffer_pool_size"), HOST_SERVER_RESIDENT),
    settings=("innodb_buffer_pool_size",),
    stakes=Stakes.DATA,
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
    pool = facts.find(variable("innodb_buffer_pool_size"))
    if pool is None:
        return Unjudged("The size of the buffer pool is not known.")
    resident = facts.find(HOST_SERVER_RESIDENT) or 0.0
    estimated = pool.number * POOL_OVERHEAD + BESIDE_BYTES
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
        return card.watch(
            "Many connections or large sorts may reach the limit: don't enlarge the buffer pool.",
            condition=near & ~over,
            because="The group's limit and the pool's size; memory of connections is not included.",
            cost_of_error="Memory that stays unused.",
        )
    proposed = need / NEAR
    return card.recommend(
        _raised(limit, proposed),
        setting="memory limit of the server's control group",
        now=size(limit),
        effect="The kernel does not kill the server once its buffer pool is full.",
        condition=over,
        formula=f"{size(need)} / {NEAR} = {size(proposed)}",
        because="The group's limit and the pool's size; how far the pool will fill is not known.",
        risk="Low: other programs on the machine may get less.",
        cost_of_error="Memory that others could have used.",
        side_effects="The machine may run short where limits add up to more than its memory.",
        verify="systemctl show -p MemoryMax of the service, or memory.max of the group",
    )


def _raised(limit: float, proposed: float) -> Change:
    return by_hand(
        f"{size(proposed)} or more, or a smaller buffer pool",
        "Grant the server what it will hold",
        (
            "See which group limits it: cat /proc/PID/cgroup and memory.max of each.",
            f"A systemd service: systemctl set-property SERVICE MemoryMax={proposed:.0f}; a "
            "container: its memory limit.",
            "Or make the buffer pool smaller by as much as is lacking.",
        ),
        (f"Set the old limit of {limit:.0f} bytes the same way.",),
        Needs.OS,
    )
