"""Pauses of a Galera cluster (flow control).

## What it checks
For which share of the time the cluster's flow control stops all commits, and whether this node
asks for it.

## Why it matters
All nodes commit at the pace of the slowest. Where its queue of received writes grows beyond
`gcs.fc_limit` (16 by default), it makes every other node wait. Nothing on those shows it: their
drives idle, and their commits take long. What the slow node waits for is what all wait for.

## How it is judged
- `paused` = growth of wsrep_flow_control_paused_ns over the status window.
- Less than 2 % of the time (our choice): fine.
- This node sent no pauses within the window: another node is slow. Watch.
- It sent some: it is one of the slow ones. As many threads that apply as help are `enough`: one for
  each processor, up to 32 (our choice), and no more than wsrep_cert_deps_distance, the write sets
  that can be applied at once. With less than half of that (our choice; the default is 1): `enough`
  is proposed. Else its own waits, page reads and syncs among them, are the cluster's: watch.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'wsrep_flow_control%';` twice under load, on each node;
`wsrep_local_recv_queue_avg`, `wsrep_cert_deps_distance`; `SHOW GLOBAL VARIABLES LIKE
'wsrep%threads';`

## Risk and undo
Low: threads that find nothing to apply wait. They start and end while the server runs. A higher
`gcs.fc_limit` hides it: reads of the slow node get older, and a failover to it waits for its queue.

## When it is wrong
While a node is a donor, or takes a backup: pauses end with that. When one large transaction after
the other comes, or tables without a primary key: more threads apply these no faster.

## References
- MariaDB documentation, "Flow Control in Galera Cluster"
- Galera Cluster documentation, "Setting Parallel Replica Threads": four threads for each core to
  begin with, wsrep_cert_deps_distance at most
- Percona XtraDB Cluster documentation, wsrep status variables
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server import cluster
from advisor.facts.server.cluster import CLUSTER_APPLIERS, CLUSTER_IN_PARALLEL, FELT
from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Change,
    Facts,
    Judged,
    Knowledge,
    Needs,
    Relief,
    Wait,
    rule,
)
from advisor.rules.cluster._node import NO_NODE
from advisor.steps import SetVariable
from advisor.variables.standing import Standing
from advisor.workload.query_time import PAUSED_NS, paused_share
from probes.figures import counted, percent, rate

SENT = status(cluster.SENT)
MOST_THREADS = 32
FEW = 0.5
"""Fewer threads than this part of what helps are few."""


@rule(
    topic="Replication",
    do="Find the node that holds up the cluster",
    needs=(status("Uptime"),),
    uses=(PAUSED_NS, SENT, CLUSTER_APPLIERS, CLUSTER_IN_PARALLEL, HOST_CPU_GRANTED),
    findings=("F130", "F133"),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Say how long commits are stopped, and by whom; ask for threads where they are few."""
    paused = paused_share(facts)
    if paused is None:
        return NO_NODE
    felt = At("share of the time that is paused", paused, least=FELT, say=percent)
    card = facts.card(
        f"Flow control stops the cluster's commits for {percent(paused)} of the time.",
        felt,
        because="The server counted it over the status window.",
        relieves=(Relief.whole(Wait.CLUSTER),),
    )
    if not felt:
        return card.fine("Fine as it is: all nodes keep up.")
    sent = facts.find(SENT)
    if sent is None:
        return card.watch(
            "See on each node whether wsrep_flow_control_sent grows: the one that sends is slow."
        )
    if not sent:
        return card.watch(
            "Another node asks for it: see on each whether wsrep_flow_control_sent grows, and what "
            "that one waits for. Nothing on this node shortens it.",
        )
    return _slow(
        facts, card.but(saw=f"{card.says['saw']} This node asked for {rate(sent, 'pauses')}.")
    )


def _slow(facts: Facts, card: Card) -> Judged:
    """Ask the node that holds up the others for more threads, where few apply."""
    standing, enough = facts.find(CLUSTER_APPLIERS), _enough(facts)
    if standing is None or enough is None:
        return card.watch(
            "This node is a slow one: what it waits for holds up all. Look at its threads that "
            "apply (wsrep_slave_threads) and at its page reads and syncs.",
        )
    threads = int(standing.number)
    few = At(standing.name, threads, below=FEW * enough, say="{:g}".format)
    card = card.but(
        saw=f"{card.says['saw']} {counted(threads, 'thread')} "
        f"{'applies' if threads == 1 else 'apply'} what the other nodes write.",
        setting=standing.name,
        now=standing.now,
    )
    if not few:
        return card.watch(
            "This node is a slow one: what it waits for holds up all. Its page reads and syncs "
            "come first; it has threads enough.",
        )
    return card.recommend(
        _threads(standing, enough),
        condition=card.says["condition"] & few,
        effect="Write sets that do not touch the same rows are applied at once, so the queue that "
        "stops the other nodes stays short. What is left then is this node's page reads and syncs.",
        confidence=Confidence.MEDIUM,
        formula=_formula(facts, enough),
        because="Threads and pauses were read; how long the threads are busy was not.",
        risk="Low: more threads may meet in deadlocks, which the node tries again.",
        side_effects="Each thread takes a connection's memory while it applies.",
    )


def _enough(facts: Facts) -> int | None:
    """How many threads help; None where the processors are not known."""
    cpus, distance = facts.find(HOST_CPU_GRANTED), facts.find(CLUSTER_IN_PARALLEL)
    if cpus is None:
        return None
    most = MOST_THREADS if distance is None else min(MOST_THREADS, int(distance))
    return max(1, min(int(cpus), most))


def _formula(facts: Facts, enough: int) -> str:
    cpus, distance = facts.get(HOST_CPU_GRANTED), facts.find(CLUSTER_IN_PARALLEL)
    at_once = "" if distance is None else f", {distance:g} write sets at once"
    return f"min({cpus:g} processors, {MOST_THREADS}{at_once}) = {enough}"


def _threads(standing: Standing, enough: int) -> Change:
    step = SetVariable(standing, str(enough), Needs.DYNAMIC)
    return Change(str(enough), Needs.DYNAMIC, (step,))
