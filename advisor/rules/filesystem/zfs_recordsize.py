"""ZFS' record size against the page size.

## What it checks
The record size of the ZFS dataset with the data against the server's page size.

## Why it matters
ZFS reads and writes whole records, since a checksum covers the record. With records of 128 KiB, its
default, each read of a 16 KiB page reads 128 KiB from the disks, and each write becomes a
read-modify-write of 128 KiB.

## How it is judged
`pages in a record = record size / page size`. ZFS reports a dataset's record size as the block size
of the file system.
- up to 2: fine.
- more than 2 and up to 4: watch; better compression may be worth that.
- more than 4: a record size of one page is proposed. Of the time of page reads it saves at most the
  share of the bytes that are no longer read.
- less than one page: watch.

## How to check by hand
`zfs get recordsize,compression,primarycache,logbias DATASET`

## Risk and undo
The record size applies to new files: copy or rebuild the tables afterwards. A
size that the dataset inherited comes back with `zfs inherit recordsize DATASET`. The redo log and
the binary log are written sequentially and suit large records: give them a dataset of their own.
Small records compress less.

## When it is wrong
When the load is table scans (reports over whole tables): larger records serve them.

## References
- OpenZFS documentation: "Workload Tuning", InnoDB
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.plan.foreign_words import shell
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Facts,
    Inapplicable,
    Needs,
    Relief,
    Unjudged,
    Wait,
    by_hand,
    commands,
    rule,
)
from advisor.rulekit.host_change import one_line, together
from advisor.rules.filesystem._zfs_records import MOST_PAGES, PAGE_SIZE, page_bytes
from advisor.steps import HostCommand
from probes.figures import size

FINE_PAGES = 2


@rule(
    topic="File system",
    do="Give the data a record size of one page",
    needs=(STORAGE_DATA,),
    uses=(PAGE_SIZE,),
    findings=("F61",),
)
def check(facts: Facts) -> Answer:
    """Divide the record by the page."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem != "zfs":
        return Inapplicable(
            f"It applies to ZFS; the data lies on {storage.filesystem or 'another'}."
        )
    if not storage.block_bytes:
        return Unjudged("The dataset's record size is not known.")
    page = page_bytes(facts)
    record, dataset = storage.block_bytes, one_line(storage.mount_source)
    pages, name, of = record / page, "record size", f"{size(record)} / {size(page)}"
    whole = At(name, pages, of=of, least=1, say=_pages)
    few = At(name, pages, of=of, most=FINE_PAGES, say=_pages)
    many = At(name, pages, of=of, above=MOST_PAGES, say=_pages)
    card = facts.card(
        f"The record size of the ZFS dataset {dataset} is {size(record)}; a page is {size(page)}.",
        few if whole else whole,
    )
    if whole and few:
        return card.fine(
            "Fine as it is: ZFS reads and writes little more than InnoDB asks for.",
            confidence=Confidence.HIGH,
        )
    if not many:
        return card.watch(
            f"Each read of a page reads {size(record)} from the disks, and each write is a "
            "read-modify-write of the whole record."
            if pages > 1
            else "Each page spans several records, each with its own checksum and place.",
            because="The dataset's record size; the gain from compression was not measured.",
            valid="For pages that are read and written singly.",
            cost_of_error="Records that compress less.",
            flips_when=f"a record holds 1 to {FINE_PAGES} pages, or more than {MOST_PAGES}",
        )
    wanted, now = f"{page >> 10}K", f"{record >> 10}K"
    return card.recommend(
        _smaller(dataset, shell(storage.mount_source), now, wanted),
        setting=f"recordsize of {dataset}",
        now=now,
        effect=f"Reading a page moves 1/{pages:g} of the bytes, and writing one needs no read "
        "first, where the tables exceed the caches.",
        condition=many,
        relieves=(Relief.up_to(Wait.PAGE_READS, 1 - 1 / pages),),
        confidence=Confidence.HIGH,
        because="The dataset's record size, the server's page size, and the ZFS documentation.",
        risk="Low: it applies only to new files, so tables have to be copied.",
        valid="For tables that are larger than the buffer pool and the ZFS cache.",
        cost_of_error="More metadata, and less compression.",
        side_effects="Table scans need more requests; give the logs a dataset of their own.",
    )


def _pages(value: float) -> str:
    return f"{value:g} {'page' if value == 1 else 'pages'}"


def _smaller(dataset: str, quoted: str, now: str, wanted: str) -> Change:
    return together(
        commands(
            wanted,
            HostCommand(
                what=f"Set the record size of {dataset} to {wanted}",
                run=f"zfs set recordsize={wanted} {quoted}",
                undo=f"zfs set recordsize={now} {quoted}",
                verify=f"zfs get recordsize {quoted}",
            ),
        ),
        by_hand(
            wanted,
            "Rewrite the tables",
            (
                "Only files that are made from now on take it: rebuild the large tables one by "
                "one (ALTER TABLE ... FORCE), or shut down and copy the data directory.",
            ),
            (
                f"Where the old size was inherited: zfs inherit recordsize {quoted}",
                "After setting the old record size, rebuild the tables again.",
            ),
            Needs.REWRITE,
        ),
    )
