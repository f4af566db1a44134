"""innodb_numa_interleave on machines of several memory nodes.

## What it checks
Whether the buffer pool is spread over all NUMA nodes where it does not fit into one of them.

## Why it matters
Without a policy, memory comes from the node of the thread that touches it first, and the pool is
touched by few threads at the start. One node is then full while others are empty: its processes are
swapped or pages are reclaimed although memory is free elsewhere, and all traffic goes to one node's
controller. MySQL 8.4 turned the setting on by default.

## How it is judged
- One node, or a build that lacks the setting: not applicable.
- `node = memory / nodes`. ON: fine.
- OFF, and the pool with its descriptors (5 %) takes over 80 % of one node: recommended ON.
- OFF and a smaller pool: fine.

## How to check by hand
`SELECT @@innodb_numa_interleave;`, `numactl --hardware`, `numastat -p $(pidof mysqld)`.

## Risk and undo
A restart. Each access is to a far node more often, and to an overloaded one less often.

## When it is wrong
Where the server is bound to one node on purpose, or already started under `numactl --interleave`.
Whether a build has the setting hangs on libnuma.

## References
- MySQL reference manual, innodb_numa_interleave; upgrade checker's list of new defaults in 8.4
- J. Cole, "The MySQL swap insanity problem and the effects of the NUMA architecture"
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY, HOST_NUMA_NODES, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.workload.pool_room import OVERHEAD
from probes import figures

SETTING = "innodb_numa_interleave"
MOST_OF_A_NODE = 0.8


@rule(
    topic="Buffer pool",
    needs=(
        MYSQL_VERSION,
        variable("innodb_buffer_pool_size"),
        HOST_NUMA_NODES,
        HOST_MEMORY,
    ),
    uses=(variable(SETTING),),
    settings=(SETTING,),
    applies_to=(mysql("5.6.27"), mariadb("10.2")),
    findings=("F81",),
)
def check(facts: Facts) -> Answer:
    """Ask whether the pool fits into one node."""
    nodes = facts.get(HOST_NUMA_NODES)
    if nodes < 2:
        return Inapplicable("The machine has one memory node, so there is nothing to spread over.")
    now = facts.find(variable(SETTING))
    if now is None:
        return Inapplicable(
            f"{facts.get(MYSQL_VERSION)} was built without {SETTING}: a start "
            "under numactl --interleave=all does the same."
        )
    pool = facts.get(variable("innodb_buffer_pool_size"))
    if now.default or pool.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    node = facts.get(HOST_MEMORY) / nodes
    taken = OVERHEAD * pool.number
    saw = (
        f"A pool of {figures.size(pool.number)} on {nodes:.0f} memory nodes of about "
        f"{figures.size(node)} each is {'' if now.on else 'not '}spread over them."
    )
    formula = (
        f"{figures.size(pool.number)} x {OVERHEAD} = {figures.size(taken)} of {figures.size(node)} "
        f"a node ({figures.percent(taken / node)})"
    )
    limit = MOST_OF_A_NODE * node / OVERHEAD
    if now.on or taken <= MOST_OF_A_NODE * node:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when="it is switched off"
            if now.on
            else f"the pool is larger than {figures.size(limit)}",
            formula=formula,
            because="the pool and the nodes were told by the server and the machine",
            valid="where all nodes have the same memory",
        )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="All nodes give the same share, so that none is full and swaps while others are "
        "empty.",
        confidence=Confidence.MEDIUM,
        because="sizes were told; how the pool lies on the nodes now was not looked at",
        risk="Low: an access goes to a far node more often.",
        cost_of_error="a little more latency of memory",
        side_effects="A query on one node finds only its share of the pool close by.",
        flips_when=f"the pool is {figures.size(limit)} or smaller",
        valid="where all nodes have the same memory and no numactl policy is in force",
        gain=0.25,
        formula=formula,
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))
