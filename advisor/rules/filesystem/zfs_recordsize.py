"""ZFS' record size against the page size.

## What it checks
The record size of the ZFS dataset with the data against the server's page size.

## Why it matters
ZFS reads and writes whole records: their checksum covers all of it. With records of 128 KiB, its
default, a page of 16 KiB that is read costs 128 KiB from the disks, and one that is written costs
reading, changing and writing 128 KiB.

## How it is judged
`pages in a record = record size / page size`. ZFS tells a dataset's record size as the block size
of the file system.
- up to 2: fine.
- more than 2 and up to 4: watch; compression of whole records may be worth that.
- more than 4: a record size of one page is proposed.
- less than one page: watch.

## How to check by hand
`zfs get recordsize,compression,primarycache,logbias DATASET`

## Risk and undo
The record size counts for files that are written anew: copy or rebuild the tables afterwards. A
size that the dataset inherited comes back with `zfs inherit recordsize DATASET`. The redo log and
the binary log are written in order and do well with large records: give them a dataset of their
own. With small records compression finds less.

## When it is wrong
When reads in order (reports over whole tables) are the load: larger records serve them.

## References
- OpenZFS documentation: "Workload Tuning", InnoDB
"""

from __future__ import annotations

from shlex import quote

from advisor.facts.known import STORAGE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, commands, one_line, together
from advisor.rulekit.rule import rule
from advisor.steps import HostCommand
from probes import figures
from probes.inventory.facts import Storage

PAGE_BYTES = 16 << 10
FINE_PAGES, MOST_PAGES = 2, 4


@rule(
    topic="File system",
    needs=(STORAGE_DATA,),
    uses=(variable("innodb_page_size"),),
    findings=("F61",),
)
def check(facts: Facts) -> Answer:
    """Divide the record by the page."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem != "zfs":
        return Inapplicable(f"It is about ZFS; the data lies on {storage.filesystem or 'another'}.")
    if not storage.block_bytes:
        return Unjudged("The dataset's record size is not known.")
    standing = facts.find(variable("innodb_page_size"))
    page = PAGE_BYTES if standing is None else int(standing.number)
    record = storage.block_bytes
    pages = record / page
    saw = (
        f"The ZFS dataset {one_line(storage.mount_source)} has records of {figures.size(record)}; "
        f"a page has {figures.size(page)}."
    )
    formula = f"{figures.size(record)} / {figures.size(page)} = {pages:g} pages in a record"
    if 1 <= pages <= FINE_PAGES:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: ZFS moves about what InnoDB asks for.",
            confidence=Confidence.HIGH,
            formula=formula,
            because="the dataset's record size and the server's page size",
            flips_when=f"a record holds more than {FINE_PAGES} pages",
        )
    if pages > MOST_PAGES:
        return _too_large(saw, formula, storage, page, pages)
    return Judged(
        Verdict.WATCH,
        saw,
        effect=f"Each page that is read costs {figures.size(record)} from the disks, and one that "
        "changes is read, changed and written with the others of its record."
        if pages > 1
        else "Each page lies in several records, each with a checksum and a place of its own.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="the dataset's record size; what compression makes good was not measured",
        valid="for pages that are read and written singly",
        cost_of_error="records that compress less",
        flips_when=f"a record holds 1 to {FINE_PAGES} pages, or more than {MOST_PAGES}",
        gain=0.2,
    )


def _too_large(saw: str, formula: str, storage: Storage, page: int, pages: float) -> Judged:
    wanted, now = f"{page >> 10}K", f"{(storage.block_bytes or 0) >> 10}K"
    dataset = quote(storage.mount_source)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=f"recordsize of {one_line(storage.mount_source)}",
        now=now,
        effect=f"A page that is read moves 1/{pages:g} of the bytes, and one that is written needs "
        "no reading first, where the tables do not fit into the caches.",
        confidence=Confidence.HIGH,
        formula=formula,
        because="the dataset's record size, the server's page size, and how ZFS keeps records",
        risk="Low: only files that are written anew take it, so tables have to be copied.",
        valid="for tables that are larger than the buffer pool and ZFS' cache",
        cost_of_error="more metadata, and less that compression finds",
        side_effects="reads in order need more requests; give the logs a dataset of their own",
        flips_when=f"a record holds {MOST_PAGES} pages or less",
        gain=0.6,
    ).by(
        together(
            commands(
                wanted,
                HostCommand(
                    what=f"Set the record size of {one_line(storage.mount_source)} to {wanted}",
                    run=f"zfs set recordsize={wanted} {dataset}",
                    undo=f"zfs set recordsize={now} {dataset}",
                    verify=f"zfs get recordsize {dataset}",
                ),
            ),
            by_hand(
                wanted,
                "Write the tables anew",
                (
                    "Only files that are made from now on take it: rebuild the large tables one by "
                    "one (ALTER TABLE ... FORCE), or shut down and copy the data directory.",
                ),
                (
                    f"Where the old size was inherited: zfs inherit recordsize {dataset}",
                    "After setting the old record size, rebuild the tables again.",
                ),
            ),
        )
    )
