"""innodb_flush_neighbors against the cost of a seek on this drive.

## What it checks
Whether neighbouring dirty pages should be flushed together, judged from how long a random read
takes. What the drive reports (`rotational`) is not used: virtual disks and RAID volumes report it
wrongly.

## Why it matters
On a rotating disk one seek of 4 to 10 ms pays for a whole row of neighbours. On flash a seek
costs nothing, and every neighbour is a page written before its time: more writes, more wear,
fewer changes per write. What it brings is fewer writes: a write-only load on MySQL 5.6.14, all
data in its pool, did as many transactions with 1 as with 0 on a virtual drive, switched in turns
(0 against 1: 0.99 times, +-0.03, 22 turns of 4 s).

## How it is judged
One random 16 KiB read at a time, median latency:
- below 1 ms (our choice): random access is cheap, proposed 0;
- above 3 ms (our choice): the drive seeks, proposed 1;
- between (network volumes, busy drives): left as it is.
MariaDB 10.4.4 and newer ignore the setting on a drive that reports itself as non-rotational; there
the verdict is "fine". Where only several reads at a time were measured, it is not judged: each then
waits for the others. A server that writes less than 100 pages/s, and less than a quarter of what
its drive flushes (our choices), stays as it is.

## How to check by hand
`fio --rw=randread --bs=16k --direct=1 --iodepth=1` on a file larger than any controller cache.

## Risk and undo
No known risk; changes at once and can be undone at once.

## When it is wrong
When the measured file fitted into a RAID controller's cache: a disk array then looks like flash.

## References
- MySQL worklog 9631 (default 0 since 8.0)
- MariaDB MDEV-17380 (ignored on SSD)
- MySQL reference manual, innodb_flush_neighbors
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Unjudged, mariadb, mysql, rule
from advisor.variables.catalogue import MARIADB
from advisor.workload.flushing.load import HARDLY, WRITES_MORE, WRITING, hardly_writes
from advisor.workload.single_read import CHEAP_US, CURVE, NOT_ALONE, SEEK_US, single_read_us
from probes.figures import duration_us


@rule(
    topic="Flushing",
    setting="innodb_flush_neighbors",
    needs=(CURVE,),
    uses=(STORAGE_DATA, *WRITING),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F71",),
)
def check(facts: Facts) -> Answer:
    """Choose 0 where random access is cheap and 1 where it means a seek."""
    now, read_us = facts.now, single_read_us(facts)
    if read_us is None:
        return Unjudged(NOT_ALONE)
    cheap = At("read latency", read_us, below=CHEAP_US, say=duration_us)
    seek = At("read latency", read_us, above=SEEK_US, say=duration_us)
    card = facts.card(
        f"A random read takes {duration_us(read_us)} (median, one at a time), and the "
        f"{'default' if now.default else 'setting'} is {now.value}.",
        seek if now.value == "0" else cheap,
        valid="For the measured drive, beyond any controller's cache.",
    )
    if now.value != "0" and _skipped(facts):
        return card.fine(
            f"Fine as it is: {facts.version} ignores it on a drive that reports rotational=0.",
            flips_when=f"the drive reports rotational=1 while the read latency is below "
            f"{duration_us(CHEAP_US)}",
        )
    wanted = "0" if cheap else "1" if seek else now.value
    if wanted == now.value or (now.value == "2" and wanted == "1"):
        return card.fine()
    if hardly_writes(facts):
        return card.fine(HARDLY, flips_when=WRITES_MORE)
    return card.recommend(
        facts.to(wanted),
        effect="Only pages that are due are written: fewer page writes, less wear."
        if cheap
        else "One seek serves a row of neighbouring pages.",
        confidence=Confidence.HIGH if read_us < CHEAP_US / 2 else Confidence.MEDIUM,
        risk="None known.",
        cost_of_error="Some more page writes, or some more seeks."
        if cheap
        else "Pages written before their time.",
    )


def _skipped(facts: Facts) -> bool:
    """Whether the server ignores the setting, because its drives report that they don't rotate."""
    storage = facts.find(STORAGE_DATA)
    if storage is None or not storage.disks or not facts.version.at_least(MARIADB, 10, 4, 4):
        return False
    return all(disk.rotational is False for disk in storage.disks)
