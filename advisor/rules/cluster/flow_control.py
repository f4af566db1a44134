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
- Less than 2 % of the time (our choice): fine. From there on: watch.
- This node sent pauses within the window: it is one of the slow ones, and its own waits, page reads
  and syncs among them, are the cluster's. It sent none: another node is.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'wsrep_flow_control%';` twice under load, on each node;
`wsrep_local_recv_queue_avg`.

## Risk and undo
Nothing is changed. A higher `gcs.fc_limit` hides it: reads of the slow node get older, and a
failover to it waits for its queue.

## When it is wrong
While a node is a donor, or takes a backup: pauses end with that.

## References
- MariaDB documentation, "Flow Control in Galera Cluster"
- Percona XtraDB Cluster documentation, wsrep status variables
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.rulekit import Answer, At, Facts, Knowledge, Relief, Wait, rule
from advisor.rules.cluster._node import NO_NODE
from advisor.workload.query_time import PAUSED_NS, paused_share
from probes.figures import percent, rate

SENT = status("wsrep_flow_control_sent")
FELT = 0.02


@rule(
    topic="Replication",
    needs=(status("Uptime"),),
    uses=(PAUSED_NS, SENT),
    findings=("F130",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Say how long commits are stopped, and by whom."""
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
    return card.watch(
        "This node is a slow one: what it waits for holds up all. Its page reads and syncs come "
        "first, then more threads that apply (wsrep_slave_threads).",
        saw=f"{card.says['saw']} This node asked for {rate(sent, 'pauses')}.",
    )
