"""Thin volumes below the data.

## What it checks
Whether the data lies on a thin LVM volume.

## Why it matters
A thin volume takes room from its pool when it is first written to. When the pool is full, writes
wait or fail, although the file system still shows room: for InnoDB that is a failing drive. The
first write to a chunk also costs a change of the pool's own tables, and after a snapshot each chunk
is copied once, up to megabytes for one page.

## How it is judged
- thin: watch. How full the pool is can only be asked as root, so it is not looked at.
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

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import one_line
from advisor.rulekit.rule import rule


@rule(topic="Block layer", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Look for a thin volume among the layers."""
    storage = facts.get(STORAGE_DATA)
    if not storage.disks and not storage.layers:
        return Unjudged("What lies below the data's file system is not known.")
    thin = next((layer for layer in storage.layers if layer.detail == "thin"), None)
    if thin is None:
        return Judged(
            Verdict.FINE,
            "No thin volume lies below the data: its room is its own.",
            effect="Fine as it is.",
            confidence=Confidence.HIGH,
            because="the layers as the kernel tells them",
            flips_when="the data lies on a thin volume",
        )
    discards = "discard" in storage.mount_options
    return Judged(
        Verdict.WATCH,
        f"The data lies on the thin volume {one_line(thin.name)}"
        f"{'' if discards else ', mounted without discard'}.",
        effect="Watch data_percent and metadata_percent of its pool, and let it extend itself: a "
        "full pool fails writes while the file system still shows room."
        + ("" if discards else " Room of deleted files goes back only by fstrim or discard."),
        confidence=Confidence.HIGH,
        formula=f"{one_line(thin.name)}: room is taken from a pool at the first write",
        because="the layers as the kernel tells them; the pool's fill can be asked by root alone",
        valid="for pools that promise more than they have",
        cost_of_error="a look at a pool that is large enough",
        flips_when="the volume is not thin",
        gain=0.4,
    )
