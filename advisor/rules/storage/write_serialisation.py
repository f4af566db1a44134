"""Page writes to one file against many files.

## What it checks
Whether the drive takes more random page writes when they go to many files than to one.

## Why it matters
Some file systems let one direct write into a file at a time. A large table is one file, so its page
writes then run one after the other however many the drive could take: a RAID volume in
write-through mode gave 143 writes/s to one file at 1 and at 64 threads, but 828 to 128 files.

## How it is judged
`ratio = rate with many files / rate with one file`, at the highest concurrency that both curves
have, 16 KiB random writes.
- `ratio > 1.5`: watch. On ext4 with a kernel before 5.6 the cause is known (an exclusive lock per
  file) and a newer kernel or XFS is proposed.
- Else fine.

## How to check by hand
`sysbench fileio --file-test-mode=rndwr --file-extra-flags=direct` with `--file-num=1` and with 128.

## Risk and undo
Moving data to another file system or booting another kernel is work; try it on a copy.

## When it is wrong
When the two sets of files lie on different media, or the drive's cache swallowed one of them.

## References
- P. Zaitsev, "Evaluating IO subsystem performance for MySQL Needs" (2008)
- Linux kernel: ext4 direct I/O with a shared lock for aligned overwrites (5.6)
- PostgreSQL hackers list, T. Munro on XFS and ext4 inode locks (2018)
"""

from __future__ import annotations

import re
from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_WRITE_MANY_FILES,
    CURVE_RANDOM_WRITE_ONE_FILE,
    HOST_KERNEL,
    STORAGE_PROBE,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.steps import Needs, Procedure
from probes import figures

RATIO = 1.5
VALID = "Aligned direct writes over blocks that exist, on the measured file system and kernel."
SHARED_LOCK = (5, 6)
"""The first kernel in which ext4 lets aligned overwrites of one file run together."""


@rule(
    topic="File system",
    needs=(CURVE_RANDOM_WRITE_ONE_FILE, CURVE_RANDOM_WRITE_MANY_FILES),
    uses=(STORAGE_PROBE, HOST_KERNEL),
    findings=("F21", "F22", "F95", "F96", "F101"),
)
def check(facts: Facts) -> Answer:
    """Compare one file with many at the same concurrency."""
    one = {p.setting.threads: p for p in facts.get(CURVE_RANDOM_WRITE_ONE_FILE).points}
    many = {p.setting.threads: p for p in facts.get(CURVE_RANDOM_WRITE_MANY_FILES).points}
    common = max(one.keys() & many.keys(), default=0)
    if common < 4:
        return Unjudged("One file and many files were not measured at a common concurrency.")
    single, spread = one[common].rate_per_s, many[common].rate_per_s
    if single <= 0:
        return Unjudged("No write to the single file finished in time.")
    ratio = spread / single
    saw = (
        f"With {common} threads this drive takes {figures.rate(single, 'page writes')} to one "
        f"file and {figures.rate(spread)} to {many[common].setting.files} files "
        f"({figures.times(ratio)})."
    )
    formula = (
        f"{figures.rate(spread)} / {figures.rate(single)} = {ratio:.2f}, against {RATIO} "
        f"at {common} threads"
    )
    if ratio <= RATIO:
        return Judged(
            Verdict.FINE,
            saw,
            formula=formula,
            valid=VALID,
            effect="Fine as it is: writes to one large table do not wait for each other.",
            confidence=Confidence.HIGH,
            because="both were measured at the same concurrency",
            flips_when=f"many files take more than {figures.times(RATIO)} what one takes",
        )
    return replace(_serialised(saw, ratio, facts), formula=formula, valid=VALID)


def _serialised(saw: str, ratio: float, facts: Facts) -> Judged:
    storage = facts.find(STORAGE_PROBE)
    kernel = facts.find(HOST_KERNEL)
    known = storage is not None and storage.filesystem == "ext4" and _before_shared_lock(kernel)
    judged = Judged(
        Verdict.WATCH,
        saw,
        effect=f"Page writes to one large table reach 1/{ratio:.1f} of what the drive takes.",
        confidence=Confidence.LOW,
        because="the ratio was measured, but which lock makes it is not known here",
        risk="Partitions spread a table over files, but change queries and maintenance too.",
        cost_of_error="Work on a table's partitions or a move of files that brings nothing.",
        flips_when=f"many files take no more than {figures.times(RATIO)} what one takes",
        gain=0.3,
    )
    if not known:
        return judged
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} ext4 under kernel {kernel} locks the file for each direct write.",
        setting="kernel or file system",
        now=f"ext4, {kernel}",
        proposed="kernel 5.6 or newer, or XFS",
        effect=f"Up to {figures.times(ratio)} the page writes to one large table.",
        confidence=Confidence.HIGH,
        because="the ratio was measured, and this file system under this kernel is known for it",
        cost_of_error="A maintenance window for a kernel or a file system that is no faster.",
        side_effects="Whatever else the newer kernel or the other file system changes.",
        verify="Measure again: leadline probe storage --probe random_write; the ratio is near 1.",
        steps=(
            Procedure(
                "Let writes to one file run side by side",
                (
                    "Boot kernel 5.6 or newer, or move the data directory to XFS.",
                    "Measure writes to one file and to many files again.",
                ),
                ("Boot the old kernel, or move the data directory back.",),
                Needs.OS,
            ),
        ),
        risk="Medium: a new kernel or file system needs a maintenance window and a backup.",
        needs=Needs.OS,
        flips_when=judged.flips_when,
        gain=0.5,
    )


def _before_shared_lock(kernel: str | None) -> bool:
    match = re.match(r"(\d+)\.(\d+)", kernel or "")
    return match is not None and (int(match[1]), int(match[2])) < SHARED_LOCK
