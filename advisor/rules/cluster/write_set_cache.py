"""The write-set cache of a Galera node.

## What it checks
How long the node's write-set cache holds what the cluster writes.

## Why it matters
A node that was restarted takes what it missed from another node's write-set cache, in seconds. What
has left the cache has to come as a whole copy: terabytes over the network, a donor that is busy for
hours, and one node less meanwhile. The cache is a file, in the data directory unless `gcache.dir`
names another place, and is written beside the data.

## How it is judged
- `written` = growth of wsrep_replicated_bytes and wsrep_received_bytes.
- Of wsrep_provider_options, which may hold passwords, nothing is kept but gcache.size and
  gcache.dir. Where the size was not read, the default of 128 MiB is judged, and the card says so.
- A cache in the data directory is written to the data's drive, beside the data; of one that lies in
  another directory the drive is not known, nor its room. Where it lies is said.
- The cache holds an hour or more (our choice): fine.
- Less, and its size was read: what an hour takes is proposed, in whole GiB, or half of the room
  that the data's file system has (our choice) where that is less, unless the cache lies apart from
  the data. A cache as large as the data is of no use, nor is one that is hardly larger than now
  (twice as large, our choice): watch. Its size was not read: watch.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'wsrep_provider_options';` and look for gcache.size and gcache.dir.

## Risk and undo
A larger one takes as much of the disk, and a restart of the node, with which its cache is empty:
while the others still hold what it missed, it catches up from theirs.

## When it is wrong
Where nodes are never away for longer than it holds.

## References
- MariaDB documentation, gcache.size and gcache.dir
"""

from __future__ import annotations

import math

from advisor.facts.server.cluster import CLUSTER_CACHE_PLACE, CLUSTER_WRITE_CACHE
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.status import status
from advisor.facts.server.temp_tables import TEMP_ROOM_BESIDE_DATA
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
    Stakes,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rules.cluster._node import NO_NODE
from probes.figures import seconds, size, throughput
from probes.inventory.redact import CACHE_SIZE, PROVIDER_OPTIONS

SENT, RECEIVED = status("wsrep_replicated_bytes"), status("wsrep_received_bytes")
DEFAULT = 128 << 20
WANTED_S = 3600.0
GIB = 1 << 30
OF_FREE = 0.5
WORTH = 2.0
"""A cache that becomes less than this many times as large is not worth a restart."""


@rule(
    topic="Replication",
    do="See that the write-set cache holds the longest restart",
    needs=(status("Uptime"),),
    uses=(
        SENT,
        RECEIVED,
        CLUSTER_WRITE_CACHE,
        CLUSTER_CACHE_PLACE,
        POOL_DATA,
        TEMP_ROOM_BESIDE_DATA,
    ),
    findings=("F131",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Divide the cache by what is written."""
    sent, received = facts.find(SENT), facts.find(RECEIVED)
    if sent is None or received is None:
        return NO_NODE
    written = sent + received
    if not written:
        return Unjudged("Nothing was written over the status window.")
    known = facts.find(CLUSTER_WRITE_CACHE)
    cache = DEFAULT if known is None else known
    which = ", if it is the default," if known is None else ""
    held = At(
        "time that it holds",
        cache / written,
        of=f"{size(cache)} / {throughput(written)}",
        below=WANTED_S,
        say=seconds,
    )
    card = facts.card(
        f"The cluster writes {throughput(written)}: the write-set cache of {size(cache)}{which} "
        f"holds {seconds(cache / written)}.{_place(facts)}",
        held,
        valid="While the load is like that of the status window.",
        because=f"{PROVIDER_OPTIONS} was not read; 128 MiB are the default of {CACHE_SIZE}."
        if known is None
        else f"{CACHE_SIZE} was read from {PROVIDER_OPTIONS}.",
    )
    if not held:
        return card.fine("Fine as it is." if known else "Fine as it is, with the default or more.")
    return _larger(facts, card, known, written)


def _larger(facts: Facts, card: Card, known: float | None, written: float) -> Judged:
    """Propose an hour's size where it is worth a restart; else say what an hour takes."""
    hour_bytes = WANTED_S * written
    place, data = facts.find(CLUSTER_CACHE_PLACE), facts.find(POOL_DATA)
    apart = place is not None and not place.with_data
    where = None if apart else facts.find(TEMP_ROOM_BESIDE_DATA)
    room = math.inf if where is None or where.free_bytes is None else OF_FREE * where.free_bytes
    wanted = min(math.ceil(hour_bytes / GIB), room // GIB) * GIB
    useful = data is None or wanted < data
    if known is None or not useful or wanted < WORTH * known:
        return card.watch(
            f"See that {CACHE_SIZE} is large enough for the longest restart: {size(hour_bytes)} "
            "hold an hour. A node that is away for longer takes a whole copy of the data.",
            cost_of_error="Space on the disk.",
        )
    copied = "all data" if data is None else f"all {size(data)} of data"
    return card.recommend(
        _restarts(known, wanted),
        setting=CACHE_SIZE,
        now=size(known),
        stakes=Stakes.TIME,
        effect=f"A node that is away for longer than {seconds(known / written)} takes {copied} "
        f"from another one, which that burdens; with {size(wanted)} it has "
        f"{seconds(wanted / written)}.",
        confidence=Confidence.HIGH,
        risk=f"Low: each node is restarted once, and its disk holds {size(wanted)} more"
        f"{': see first that it has room.' if apart else '.'}",
        cost_of_error="Space on the disk.",
        side_effects="The cache of a node that restarts is empty: one node after the other, each "
        "once the one before it is synced.",
    )


def _place(facts: Facts) -> str:
    """Where the cache lies, as a sentence after a space; "" where that was not read."""
    place = facts.find(CLUSTER_CACHE_PLACE)
    if place is None:
        return ""
    if place.with_data:
        return " It lies in the data directory, whose drive takes these writes, too."
    return f" It lies in {place.directory}, apart from the data."


def _restarts(known: float, wanted: float) -> Change:
    """One node after the other: the line, a restart, and a look whether it is synced."""
    line = f'{PROVIDER_OPTIONS} = "{CACHE_SIZE}={wanted / GIB:.0f}G"'
    return by_hand(
        size(wanted),
        f"Enlarge the write-set cache of each node to {size(wanted)}",
        (
            f"In the option file of a node, write {CACHE_SIZE}={wanted / GIB:.0f}G among the "
            f"options of {PROVIDER_OPTIONS}, separated by semicolons; where it has no such line: "
            f"{line}",
            "Restart that node, and wait until wsrep_local_state_comment is Synced.",
            "Do the same with the next node.",
        ),
        (f"Write {CACHE_SIZE}={known / (1 << 20):.0f}M there, and restart the nodes again.",),
        Needs.RESTART,
    )
