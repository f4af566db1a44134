"""ZFS' logbias where the redo log lies on it.

## What it checks
Whether the redo log of a server that syncs at commit lies on a ZFS dataset, whose `logbias` decides
how such a sync is written.

## Why it matters
With `logbias=latency`, the default, ZFS writes what a commit syncs into its intent log: a few KiB,
on a log device of its own where the pool has one. With `logbias=throughput` it writes the whole
record to its place at once: a commit of 4 KiB then writes 128 KiB by default, and reads the rest of
the record first where that is not in the cache. The tuning guides that recommend `throughput` mean
the dataset of the data files, which do not wait for it.

## How it is judged
- The redo log not on ZFS: not applicable.
- `innodb_flush_log_at_trx_commit` is not 1, or fewer than 10 commits/s (our choice): fine.
- Else it is to be watched: neither the server nor the kernel shows `logbias`, so ask ZFS.

## How to check by hand
`zfs get logbias,sync,recordsize DATASET`, `zpool status` for a log device

## Risk and undo
`zfs set logbias=latency DATASET` takes effect at once and can be undone at once.

## When it is wrong
When the pool's disks are faster than its log device.

## References
- OpenZFS documentation: "Workload Tuning" (InnoDB), "Native Properties" (logbias)
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.facts.watched.sync_cost import COMMITS_COUNTED
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Is, Unjudged, per_s, rule
from advisor.rulekit.host_change import one_line
from probes.figures import size

AT_COMMIT = variable("innodb_flush_log_at_trx_commit")
FEW_PER_S = 10.0
"""Fewer commits wait too little for it to matter. Our choice."""


@rule(
    topic="File system",
    do="See that logbias is latency for the redo log",
    needs=(REDO_DIRECTORY,),
    uses=(AT_COMMIT, COMMITS_COUNTED),
    findings=("F61",),
    symptom_of=("durability.redo-sync",),
)
def check(facts: Facts) -> Answer:
    """Ask for the property where commits wait for what it decides."""
    where = facts.get(REDO_DIRECTORY)
    if where.filesystem != "zfs":
        return Inapplicable(
            f"It applies to ZFS; the redo log lies on {where.filesystem or 'another'}."
        )
    flushed, commits = facts.find(AT_COMMIT), facts.find(COMMITS_COUNTED)
    if flushed is None or commits is None:
        return Unjudged("How the server commits, or how often, is not known.")
    dataset = one_line(where.mount_source)
    synced = Is(flushed.value == "1", "commits are synced", "commits are not synced")
    many = At("rate of commits", commits, least=FEW_PER_S, say=per_s("commits"))
    record = "" if not where.block_bytes else f" with records of {size(where.block_bytes)}"
    card = facts.card(
        f"The redo log lies on the ZFS dataset {dataset}{record}.",
        synced & many,
        confidence=Confidence.LOW,
        valid="While the server commits as often as in the status window.",
        because="The kernel does not show the dataset's logbias.",
    )
    if not (synced and many):
        return card.fine()
    return card.watch(
        f"See zfs get logbias {dataset}: with throughput each commit writes whole records where it "
        "could write a few KiB to the intent log; latency is for the redo log.",
        cost_of_error="None: it is a look at a property.",
    )
