"""Page writes to one file against many files.

## What it checks
Whether the drive takes more random page writes when they go to many files than to one.

## Why it matters
Some file systems allow one direct write to a file at a time. A large table is one file, so its page
writes then run one after the other, whatever the drive could do at once: a RAID volume in
write-through mode gave 143 writes/s to one file at 1 and at 64 threads, but 828 to 128 files.

## How it is judged
`ratio = rate with many files / rate with one file`, at the highest concurrency that both curves
have, 16 KiB random writes.
- `ratio > 1.5` (our choice): watch. On ext4 with a kernel before 5.6 the cause is known (an
  exclusive lock per file) and a newer kernel or XFS is proposed.
- Else fine.

## How to check by hand
`sysbench fileio --file-test-mode=rndwr --file-extra-flags=direct` with `--file-num=1` and with 128.

## Risk and undo
Moving data to another file system or booting another kernel takes a maintenance window; try it on a
copy.

## When it is wrong
When the two sets of files lie on different media, or the drive's cache absorbed one of them.

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs" (2008)
- Linux kernel: ext4 direct I/O with a shared lock for aligned overwrites (5.6)
- PostgreSQL hackers list, T. Munro on XFS and ext4 inode locks (2018)
"""

from __future__ import annotations

import re

from advisor.facts.machine.host import HOST_KERNEL
from advisor.facts.measured.points import CURVE_RANDOM_WRITE_MANY_FILES, CURVE_RANDOM_WRITE_ONE_FILE
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Change, Facts, Knowledge, Needs, Unjudged, by_hand, rule
from probes.figures import rate, times

RATIO = 1.5
LEAST_THREADS = 4
SHARED_LOCK = (5, 6)
"""The first kernel in which ext4 lets aligned overwrites of one file run together."""


@rule(
    topic="File system",
    do="Measure page writes to one large table",
    needs=(CURVE_RANDOM_WRITE_ONE_FILE, CURVE_RANDOM_WRITE_MANY_FILES),
    uses=(STORAGE_PROBE, HOST_KERNEL),
    findings=("F21", "F22", "F95", "F96", "F101"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Compare one file with many at the same concurrency."""
    one = {p.setting.threads: p for p in facts.get(CURVE_RANDOM_WRITE_ONE_FILE).points}
    many = {p.setting.threads: p for p in facts.get(CURVE_RANDOM_WRITE_MANY_FILES).points}
    common = max(one.keys() & many.keys(), default=0)
    if common < LEAST_THREADS:
        return Unjudged("One file and many files were not measured at a common concurrency.")
    single, spread = one[common].rate_per_s, many[common].rate_per_s
    if single <= 0:
        return Unjudged("No write to the single file finished in time.")
    ratio = spread / single
    serial = At(
        f"many files / one file at {common} threads",
        ratio,
        the=False,
        of=f"{rate(spread)} / {rate(single)}",
        above=RATIO,
        say=times,
    )
    saw = (
        f"With {common} threads this drive takes {rate(single, 'page writes')} to one file and "
        f"{rate(spread)} to {many[common].setting.files} files ({times(ratio)})."
    )
    card = facts.card(
        saw,
        serial,
        valid="Aligned direct writes over blocks that exist, on the measured file system and "
        "kernel.",
    )
    if not serial:
        return card.fine(
            "Fine as it is: writes to one large table do not wait for each other.",
            confidence=Confidence.HIGH,
        )
    storage, kernel = facts.find(STORAGE_PROBE), facts.find(HOST_KERNEL)
    if storage is None or storage.filesystem != "ext4" or not _before_shared_lock(kernel):
        return card.watch(
            f"Page writes to one large table reach 1/{ratio:.1f} of what the drive takes.",
            confidence=Confidence.LOW,
            because="The ratio was measured, but the lock behind it is not known.",
            risk="Partitions spread a table over files, but change queries and maintenance too.",
            cost_of_error="Partitioning a table or moving files, without benefit.",
        )
    return card.recommend(
        _upgraded(),
        saw=f"{saw} ext4 under kernel {kernel} locks the file for each direct write.",
        setting="kernel or file system",
        now=f"ext4, {kernel}",
        effect=f"Up to {times(ratio)} the page writes to one large table.",
        confidence=Confidence.HIGH,
        because="The ratio was measured, and this file system under this kernel is known for it.",
        risk="Medium: a new kernel or file system needs a maintenance window and a backup.",
        cost_of_error="A maintenance window for a kernel or a file system that is no faster.",
        side_effects="Other changes in the newer kernel or the other file system.",
        verify="Measure again: leadline probe storage --probe random_write; the ratio is near 1.",
    )


def _before_shared_lock(kernel: str | None) -> bool:
    match = re.match(r"(\d+)\.(\d+)", kernel or "")
    return match is not None and (int(match[1]), int(match[2])) < SHARED_LOCK


def _upgraded() -> Change:
    return by_hand(
        "kernel 5.6 or newer, or XFS",
        "Let writes to one file run side by side",
        (
            "Boot kernel 5.6 or newer, or move the data directory to XFS.",
            "Measure writes to one file and to many files again.",
        ),
        ("Boot the old kernel, or move the data directory back.",),
        Needs.REBOOT,
    )
