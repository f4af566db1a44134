"""Thin volumes below the data.

## What it checks
Whether the data lies on a thin LVM volume.

## Why it matters
A thin volume takes space from its pool at the first write. When the pool is full, writes wait or
fail, although the file system still shows free space: for InnoDB that is a failing drive. The first
write to a chunk also updates the pool's metadata, and after a snapshot each chunk is copied once,
up to megabytes for one page.

## How it is judged
- thin: watch. Only root can read how full the pool is, so that is not checked.
- LVM that is not thin, or no LVM: fine.

## How to check by hand
`lvs -o name,pool_lv,data_percent,metadata_percent,chunk_size`

## Risk and undo
Nothing is changed.

## When it is wrong
When the pool is as large as all of its volumes together.

## References
- lvmthin(7): thin pool, data_percent, autoextend, chunk size
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, Stakes, Unjudged, rule
from advisor.rulekit.host_change import one_line


@rule(
    topic="Block layer",
    do="Watch how full the thin pool is, and turn autoextend on",
    needs=(STORAGE_DATA,),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Look for a thin volume among the layers."""
    storage = facts.get(STORAGE_DATA)
    if not storage.disks and not storage.layers:
        return Unjudged("The devices below the data's file system are not known.")
    thin = next((layer for layer in storage.layers if layer.detail == "thin"), None)
    name = one_line(thin.name) if thin else ""
    discards = "discard" in storage.mount_options
    mounted = "" if discards else ", mounted without discard"
    card = facts.card(
        f"The data lies on the thin volume {name}{mounted}."
        if thin
        else "No thin volume lies below the data.",
        Is(thin is not None, "the data lies on a thin volume", "the volume is not thin"),
        confidence=Confidence.HIGH,
    )
    if thin is None:
        return card.fine("Fine as it is: the volume has its space for itself.")
    return card.watch(
        "Watch data_percent and metadata_percent of its pool, and turn on autoextend: a full pool "
        "fails writes while the file system still shows free space."
        + ("" if discards else " Only fstrim or discard returns the space of deleted files."),
        formula=f"{name}: its pool hands out space at the first write",
        because="What the machine reports; only root can read how full the pool is.",
        valid="For pools that are overcommitted.",
    )
