"""Memory limit of the server's control group.

## What it checks
The memory limit of the server's own control groups (a systemd service, a container) against its
buffer pool and against what its process holds.

## Why it matters
The machine's memory is not what counts for a server in a limited group: when the group's limit is
reached, the kernel first throws out the group's file cache and then ends its largest process,
however much memory the machine has free. The buffer pool is filled little by little, so it can take
days.

## How it is judged
`wanted = buffer pool x 1.1 + 512 MiB`, for what the server holds beside its pages; or what the
process holds already, where that is more.
- no limit in any of its groups: fine.
- wanted is 90 % of the lowest limit or less: fine. Up to the limit: watch.
- more than the limit: a larger limit is proposed.

## How to check by hand
`cat /proc/$(pidof mysqld mariadbd)/cgroup`, `systemctl show -p MemoryMax mysql mariadb`

## Risk and undo
A larger limit takes memory from others on the machine. It can be changed while the server runs. A
smaller buffer pool is the other way.

## When it is wrong
When the pool never fills because the data is smaller.

## References
- Linux kernel documentation: cgroup v2, memory.max
- systemd.resource-control(5): MemoryMax
"""

from __future__ import annotations

from advisor.facts.known import HOST_SERVER_MEMORY_LIMIT, HOST_SERVER_RESIDENT, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand
from advisor.rulekit.rule import rule
from probes import figures

POOL_OVERHEAD = 1.1
BESIDE_BYTES = 512 << 20
NEAR = 0.9


@rule(
    topic="Memory",
    needs=(HOST_SERVER_MEMORY_LIMIT,),
    uses=(variable("innodb_buffer_pool_size"), HOST_SERVER_RESIDENT),
    settings=("innodb_buffer_pool_size",),
)
def check(facts: Facts) -> Answer:
    """Compare what the server will want with what it is granted."""
    limit = facts.get(HOST_SERVER_MEMORY_LIMIT)
    if limit == 0:
        return _fine("None of the server's control groups limits its memory.", "")
    pool = facts.find(variable("innodb_buffer_pool_size"))
    if pool is None:
        return Unjudged("The size of the buffer pool is not known.")
    held = facts.find(HOST_SERVER_RESIDENT) or 0.0
    reckoned = pool.number * POOL_OVERHEAD + BESIDE_BYTES
    wanted = max(reckoned, held)
    saw = (
        f"The server's control group grants {figures.size(limit)}; with a buffer pool of "
        f"{figures.size(pool.number)} the server "
        + (
            f"holds {figures.size(held)} already."
            if held > reckoned
            else f"will hold about {figures.size(wanted)}."
        )
    )
    formula = (
        f"{figures.size(pool.number)} x {POOL_OVERHEAD} + {figures.size(BESIDE_BYTES)} = "
        f"{figures.size(reckoned)}, of {figures.size(limit)}"
    )
    if held > reckoned:
        formula += f"; the process holds {figures.size(held)} already"
    if wanted <= NEAR * limit:
        return _fine(saw, formula)
    if wanted > limit:
        return _too_little(saw, formula, limit, wanted)
    return Judged(
        Verdict.WATCH,
        saw,
        effect="Many connections or large sorts may reach the limit: give the buffer pool nothing "
        "more.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="the group's limit and the pool's size; what connections take is not in it",
        valid="once the buffer pool is full",
        cost_of_error="memory that lies idle",
        flips_when=f"the server wants {figures.size(NEAR * limit)} or less, or more than "
        f"{figures.size(limit)}",
        gain=0.3,
    )


def _fine(saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: the kernel has no reason to end the server.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="the limits of the groups that the server's process is in",
        flips_when=f"the server wants more than {figures.percent(NEAR)} of a limit",
    )


def _too_little(saw: str, formula: str, limit: float, wanted: float) -> Judged:
    proposed = wanted / NEAR
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="memory limit of the server's control group",
        now=figures.size(limit),
        effect="The kernel does not end the server when its buffer pool has filled up.",
        confidence=Confidence.MEDIUM,
        formula=f"{formula}; {figures.size(wanted)} / {NEAR} = {figures.size(proposed)}",
        because="the group's limit and the pool's size; how far the pool will fill is not known",
        risk="Low: other programs on the machine may get less.",
        valid="once the buffer pool is full",
        cost_of_error="memory that others could have used",
        side_effects="the machine itself may run short where limits add up to more than it has",
        verify="systemctl show -p MemoryMax of the service, or memory.max of the group",
        flips_when=f"the server wants {figures.size(limit)} or less",
        gain=0.7,
    ).by(
        by_hand(
            f"{figures.size(proposed)} or more, or a smaller buffer pool",
            "Grant the server what it will hold",
            (
                "See which group limits it: cat /proc/PID/cgroup and memory.max of each.",
                f"A systemd service: systemctl set-property SERVICE MemoryMax={proposed:.0f}; a "
                "container: its memory limit.",
                "Or make the buffer pool smaller by as much as is lacking.",
            ),
            (f"Set the old limit of {limit:.0f} bytes the same way.",),
        )
    )
