"""Chunk size of a software RAID against the page size.

## What it checks
The chunk size of a software RAID that stripes (levels 0, 4, 5, 6, 10) against the page size.

## Why it matters
A page that spans two chunks needs two disks for one read: twice the requests, and the slower disk
decides. Chunks far larger than a page split few pages, and none where partition and file system
begin at a multiple of the chunk size.

## How it is judged
For pages at any multiple of 4 KiB: `share split = (page - 4 KiB) / chunk`, at most all; pages at
multiples of their own size are split only by smaller chunks.
- chunk smaller than a page: a new array with larger chunks is proposed.
- chunk of a page or more: fine up to 15 % split (our choice), else watch. Pages of 16 KiB are fine
  from 80 KiB on, those of 64 KiB from 400 KiB on; mdadm makes chunks of 512 KiB.

## How to check by hand
`cat /sys/block/md0/md/chunk_size`

## Risk and undo
`mdadm --grow --chunk` rewrites the whole array and can take days; a new array and a copy are often
quicker. Take a backup.

## When it is wrong
When the load is table scans: then small chunks let more disks work at a time.

## References
- md(4), mdadm(8), option --chunk
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Change, Facts, Inapplicable, Needs, Unjudged, by_hand, rule
from probes.figures import percent, size, times
from probes.inventory.facts import Layer
from probes.points import PAGE_BYTES

BLOCK_BYTES = 4 << 10
FEW_SPLIT = 0.15
"""Up to this share of pages on two disks nothing is felt (our choice)."""
WANTED = "256 KiB or more"
STRIPED = ("raid0", "raid4", "raid5", "raid6", "raid10")


@rule(
    topic="Block layer",
    do="Check partition and file system against the RAID's chunk size",
    needs=(STORAGE_DATA,),
    uses=(variable("innodb_page_size"),),
    findings=("F25",),
)
def check(facts: Facts) -> Answer:
    """Divide the page over the chunks."""
    layers = facts.get(STORAGE_DATA).layers
    arrays = [layer for layer in layers if layer.kind == "md" and _striped(layer)]
    if not arrays:
        return Inapplicable("No striped software RAID lies below the data.")
    known = [layer for layer in arrays if layer.chunk_bytes]
    if not known:
        return Unjudged("The chunk size of the array is not known.")
    standing = facts.find(variable("innodb_page_size"))
    page = PAGE_BYTES if standing is None else int(standing.number)
    array = min(known, key=lambda layer: layer.chunk_bytes or 0)
    chunk = array.chunk_bytes or 0
    fits = At("chunk size", chunk, least=page, say=size)
    card = facts.card(
        f"The data lies on {array} with chunks of {size(chunk)}; a page is {size(page)}.",
        fits,
        confidence=Confidence.HIGH,
        valid="For reads and writes of single pages.",
    )
    if not fits:
        pieces = -(-page // chunk)
        return card.recommend(
            _larger(chunk),
            setting="chunk size",
            now=size(chunk),
            effect=f"A page needs one disk instead of {pieces}: the disks serve up to "
            f"{times(pieces)} as many pages.",
            formula=f"{size(page)} / {size(chunk)} = {pieces} disks for each page",
            risk="High: the array is rewritten or recreated.",
            cost_of_error="Large sequential reads use fewer disks at a time.",
            side_effects="With parity, a full stripe becomes larger.",
            verify="cat /sys/block/*/md/chunk_size",
        )
    split = (page - BLOCK_BYTES) / chunk
    few = At(
        "share of pages on two disks",
        min(1.0, split),
        of=f"({size(page)} - {size(BLOCK_BYTES)}) / {size(chunk)}",
        most=FEW_SPLIT,
        say=percent,
    )
    ample = (page - BLOCK_BYTES) / FEW_SPLIT
    if few:
        return card.fine(
            "Fine as it is: most pages lie on one disk, wherever files begin.",
            condition=few,
            flips_when=f"the chunk size falls below {size(max(page, ample))}",
        )
    return card.watch(
        "Where file system or partition are not aligned to the chunk size, many pages span two "
        "disks.",
        condition=few,
        flips_when=f"the chunk size falls below a page, or reaches {size(ample)}",
        confidence=Confidence.LOW,
        because="The chunk size; where files begin on the array was not checked.",
        cost_of_error="An array rebuilt for a small gain.",
    )


def _striped(layer: Layer) -> bool:
    return layer.detail.partition(" ")[0] in STRIPED


def _larger(chunk: int) -> Change:
    return by_hand(
        WANTED,
        "Give the array larger chunks",
        (
            "Take a backup and try to restore it.",
            "Make a new array (mdadm --create --chunk=256K or more) and a file system on it, "
            "or rewrite the old one (mdadm --grow --chunk).",
            "Copy the data back, start, measure again.",
        ),
        (f"Restore the backup to an array of the old kind, with chunks of {chunk >> 10}K.",),
        Needs.REWRITE,
    )
