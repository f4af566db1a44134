"""The write-set cache of a Galera node.

## What it checks
How long a write-set cache of the default size holds what the cluster writes.

## Why it matters
A node that was restarted takes what it missed from another node's write-set cache, in seconds. What
has left the cache has to come as a whole copy: terabytes over the network, a donor that is busy for
hours, and one node less meanwhile. The cache is a file, in the data directory unless `gcache.dir`
names another place, and is written beside the data.

## How it is judged
- `written` = growth of wsrep_replicated_bytes and wsrep_received_bytes.
- Leadline does not read wsrep_provider_options, which may hold passwords: the default of 128 MiB is
  judged, and the card says what an hour takes.
- 128 MiB hold an hour or more (our choice): fine. Less: watch.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'wsrep_provider_options';` and look for gcache.size and gcache.dir.

## Risk and undo
Nothing is changed. A larger one takes as much of the disk, and a restart of the node.

## When it is wrong
Where gcache.size is set to enough already, or nodes are never away for longer than it holds.

## References
- MariaDB documentation, gcache.size and gcache.dir
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.rulekit import Answer, At, Facts, Knowledge, Stakes, Unjudged, rule
from advisor.rules.cluster._node import NO_NODE
from probes.figures import seconds, size, throughput

SENT, RECEIVED = status("wsrep_replicated_bytes"), status("wsrep_received_bytes")
DEFAULT = 128 << 20
WANTED_S = 3600.0


@rule(
    topic="Replication",
    needs=(status("Uptime"),),
    uses=(SENT, RECEIVED),
    findings=("F131",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Divide the default by what is written."""
    sent, received = facts.find(SENT), facts.find(RECEIVED)
    if sent is None or received is None:
        return NO_NODE
    written = sent + received
    if not written:
        return Unjudged("Nothing was written over the status window.")
    held = At(
        "time that it holds",
        DEFAULT / written,
        of=f"{size(DEFAULT)} / {throughput(written)}",
        below=WANTED_S,
        say=seconds,
    )
    card = facts.card(
        f"The cluster writes {throughput(written)}: a write-set cache of {size(DEFAULT)}, the "
        f"default, holds {seconds(DEFAULT / written)}.",
        held,
        valid="While the load is like that of the status window.",
        because="Its size stands in wsrep_provider_options, which Leadline does not read.",
    )
    if not held:
        return card.fine("Fine as it is, with the default or more.")
    return card.watch(
        f"See that gcache.size is large enough for the longest restart: {size(WANTED_S * written)} "
        "hold an hour. A node that is away for longer takes a whole copy of the data.",
        cost_of_error="Space on the disk.",
    )
