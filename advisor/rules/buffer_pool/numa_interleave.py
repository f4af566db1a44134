"""innodb_numa_interleave on machines with several NUMA nodes.

## What it checks
Whether the buffer pool is spread over all NUMA nodes where it does not fit into one of them.

## Why it matters
Without a policy, memory comes from the node of the thread that touches it first, and few threads
touch the pool at the start. One node is then full while others are empty: it swaps or reclaims
pages although memory is free elsewhere, and all traffic goes to one node's memory controller. MySQL
8.4 turned the setting on by default.

## How it is judged
- One node, or a build that lacks the setting: not applicable.
- `node = memory / nodes`. ON: fine.
- OFF, and the pool with its descriptors (5 %) takes over 80 % of one node (our choice): ON is
  proposed. It is minor while the pool is not to grow, less than 1 % of the memory is swapped, and
  of the server's own less than 256 MiB or hardly any memory is available (our choices): then no
  node is seen to be short. Memory that is swapped while enough is available shows a full node.
- OFF and a smaller pool: fine.

## How to check by hand
`SELECT @@innodb_numa_interleave;`, `numactl --hardware`, `numastat -p $(pidof mysqld)`.

## Risk and undo
A restart. More accesses go to a remote node, and fewer to an overloaded one.

## When it is wrong
Where the server is bound to one node on purpose, or already started under `numactl --interleave`.
A build has the setting only with libnuma.

## References
- MySQL reference manual, innodb_numa_interleave; upgrade checker's list of new defaults in 8.4
- J. Cole, "The MySQL swap insanity problem and the effects of the NUMA architecture"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE, HOST_NUMA_NODES, HOST_SWAP_USED
from advisor.facts.machine.server_process import HOST_SERVER_SWAPPED
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit import Answer, At, Facts, Inapplicable, Is, change, mariadb, mysql, rule
from advisor.rules.buffer_pool._pool import NO_SERVER, SIZE
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.memory_short import SWAPPED, swapped_beside_room
from advisor.workload.pool.room import OVERHEAD
from probes.figures import count, percent, size

SETTING = "innodb_numa_interleave"
MOST_OF_A_NODE = 0.8


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, SIZE, HOST_NUMA_NODES, HOST_MEMORY),
    uses=(variable(SETTING), HOST_SWAP_USED, pool_growth.MEMORY, *pool_growth.USES),
    settings=(SETTING,),
    applies_to=(mysql("5.6.27"), mariadb("10.2")),
    findings=("F81",),
    part_of=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Ask whether the pool fits into one node."""
    nodes = facts.get(HOST_NUMA_NODES)
    if nodes < 2:
        return Inapplicable("The machine has one NUMA node, so interleaving has no effect.")
    now = facts.find(variable(SETTING))
    if now is None:
        return Inapplicable(
            f"{facts.version} was built without {SETTING}: a start under numactl --interleave=all "
            "does the same."
        )
    pool = facts.get(SIZE)
    if now.default or pool.default:
        return NO_SERVER
    node, taken = facts.get(HOST_MEMORY) / nodes, OVERHEAD * pool.number
    off = Is(not now.on, "it is switched off", "it is switched on")
    large = At(
        "pool with its descriptors",
        taken,
        above=MOST_OF_A_NODE * node,
        of=f"{size(pool.number)} x {OVERHEAD}",
        say=lambda figure: f"{size(figure)} ({percent(figure / node)} of a node)",
    )
    card = facts.card(
        f"A pool of {size(pool.number)} on {count(nodes)} NUMA nodes of about {size(node)} each is "
        f"{'' if now.on else 'not '}interleaved.{_full_node(facts)}",
        off & large,
        setting=SETTING,
        now=now.now,
        valid="If all nodes have the same memory and no numactl policy is in force.",
    )
    if not off or not large:
        return card.fine()
    return card.recommend(
        change(facts.version, now, "ON"),
        slight=pool_growth.grown(facts) is None and not _swaps(facts),
        effect="All nodes hold the same share, so none is full and swaps while others are empty.",
        because="The sizes are known; how the pool is spread over the nodes now is not.",
        risk="Low: more accesses go to a remote node.",
        cost_of_error="Slightly higher memory latency.",
        side_effects="A query on one node finds only its share of the pool in local memory.",
    )


def _swaps(facts: Facts) -> bool:
    swapped = facts.find(HOST_SWAP_USED)
    if swapped_beside_room(facts):
        return True
    return swapped is not None and swapped >= SWAPPED * facts.get(HOST_MEMORY)


def _full_node(facts: Facts) -> str:
    """That memory is swapped beside enough that is available, as a sentence; else ""."""
    if not swapped_beside_room(facts):
        return ""
    return (
        f" {size(facts.get(HOST_SERVER_SWAPPED))} of the server's memory is swapped although "
        f"{size(facts.get(HOST_MEMORY_AVAILABLE))} are available: a node was full."
    )
