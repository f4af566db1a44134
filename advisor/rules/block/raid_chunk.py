"""Chunk size of a software RAID against the page size.

## What it checks
The chunk size of a software RAID that stripes (levels 0, 4, 5, 6, 10) against the page size.

## Why it matters
A page that lies across two chunks needs two disks for one read: twice the requests, and the slower
of two disks decides. Chunks far larger than a page cut few pages, and none where partition and file
system begin at a multiple of the chunk.

## How it is judged
Pages at any place that is a multiple of 4 KiB: `cut = (page - 4 KiB) / chunk`, at most all; pages
at multiples of their own size are cut only by chunks that are smaller.
- chunk smaller than a page: a new array with larger chunks is proposed.
- chunk of a page or more: fine up to a cut of 15 %, else watch. Pages of 16 KiB are fine from 80
  KiB on, those of 64 KiB from 400 KiB on; mdadm makes chunks of 512 KiB.

## How to check by hand
`cat /sys/block/md0/md/chunk_size`

## Risk and undo
`mdadm --grow --chunk` rewrites the whole array and can take days; a new array and a copy are often
quicker. Take a backup.

## When it is wrong
When reads in order of large tables are the load: then small chunks let more disks work at a time.

## References
- md(4), mdadm(8), option --chunk
"""

from __future__ import annotations

from advisor.facts.known import STORAGE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Layer

PAGE_BYTES = 16 << 10
BLOCK_BYTES = 4 << 10
FEW_CUT = 0.15
"""Up to this share of pages on two disks nothing is felt (our choice)."""
WANTED = "256 KiB or more"
STRIPED = ("raid0", "raid4", "raid5", "raid6", "raid10")


@rule(
    topic="Block layer",
    needs=(STORAGE_DATA,),
    uses=(variable("innodb_page_size"),),
    findings=("F25",),
)
def check(facts: Facts) -> Answer:
    """Divide the page over the chunks."""
    layers = facts.get(STORAGE_DATA).layers
    arrays = [layer for layer in layers if layer.kind == "md" and _striped(layer)]
    if not arrays:
        return Inapplicable("No software RAID that stripes lies below the data.")
    told = [layer for layer in arrays if layer.chunk_bytes]
    if not told:
        return Unjudged("The chunk size of the array is not known.")
    standing = facts.find(variable("innodb_page_size"))
    page = PAGE_BYTES if standing is None else int(standing.number)
    array = min(told, key=lambda layer: layer.chunk_bytes or 0)
    chunk = array.chunk_bytes or 0
    cut = min(1.0, (page - BLOCK_BYTES) / chunk)
    saw = (
        f"The data lies on {array} with chunks of {figures.size(chunk)}; a page has "
        f"{figures.size(page)}."
    )
    formula = (
        f"({figures.size(page)} - {figures.size(BLOCK_BYTES)}) / {figures.size(chunk)} = up to "
        f"{figures.percent(cut)} of the pages on two disks"
    )
    if chunk < page:
        return _too_small(saw, chunk, page)
    ample = (page - BLOCK_BYTES) / FEW_CUT
    if cut <= FEW_CUT:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: most pages lie on one disk, wherever files begin.",
            confidence=Confidence.HIGH,
            formula=formula,
            because="the array's chunk size and the page size",
            flips_when=f"chunks have less than {figures.size(max(page, ample))}",
        )
    return Judged(
        Verdict.WATCH,
        saw,
        effect="Where file system or partition begin at an odd place, many pages lie on two disks.",
        confidence=Confidence.LOW,
        formula=formula,
        because="the chunk size; where files begin on the array was not looked at",
        valid="for reads and writes of single pages",
        cost_of_error="an array rebuilt for little",
        flips_when=f"chunks are smaller than a page, or have {figures.size(ample)} or more",
        gain=0.1,
    )


def _striped(layer: Layer) -> bool:
    return layer.detail.partition(" ")[0] in STRIPED


def _too_small(saw: str, chunk: int, page: int) -> Judged:
    pieces = -(-page // chunk)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="chunk size",
        now=figures.size(chunk),
        effect=f"A page needs one disk instead of {pieces}: the disks serve up to "
        f"{figures.times(pieces)} as many pages.",
        confidence=Confidence.HIGH,
        formula=f"{figures.size(page)} / {figures.size(chunk)} = {pieces} disks for each page",
        because="the array's chunk size and the page size",
        risk="High: the array is rewritten or made anew.",
        valid="for reads and writes of single pages",
        cost_of_error="large reads in order use fewer disks at a time",
        side_effects="with parity, a full stripe becomes larger",
        verify="cat /sys/block/*/md/chunk_size",
        flips_when=f"chunks have {figures.size(page)} or more",
        gain=0.5,
    ).by(
        by_hand(
            WANTED,
            "Give the array larger chunks",
            (
                "Take a backup and try to restore it.",
                "Make a new array (mdadm --create --chunk=256K or more) and a file system on it, "
                "or rewrite the old one (mdadm --grow --chunk).",
                "Copy the data back, start, measure again.",
            ),
            (f"Restore the backup to an array of the old kind, with chunks of {chunk >> 10}K.",),
        )
    )
