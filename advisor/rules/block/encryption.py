"""Encryption below the data.

## What it checks
Whether the data lies on an encrypted volume (dm-crypt, LUKS), and in sectors of which size it is
encrypted.

## Why it matters
dm-crypt encrypts each sector on its own: 32 times for a page of 16 KiB in sectors of 512 bytes, 4
times in sectors of 4 KiB. It also hands reads and writes to other threads by default, which was
made for disks: on a drive that answers in tens of microseconds the hand-over takes as long as the
read. From Linux 5.9 on a volume can be told to do without.

## How it is judged
Volumes on dm-crypt only; `sectors = page size / sector size`.
- sectors of 512 bytes, and one thread's median read is below 500 us (or not measured): watch;
  sectors of 4 KiB take a new LUKS header or a re-encryption.
- sectors of 4 KiB, a median read below 200 us, and Linux 5.9 or newer: watch with little weight;
  the hand-over to other threads may be felt, and can be left out.
- any sectors on a slower drive: fine, it hides the work. Sectors of 4 KiB else: fine.

## How to check by hand
`cryptsetup status VOLUME` (sector size, flags), `cryptsetup benchmark`

## Risk and undo
Re-encryption rewrites the whole volume; take a backup. Going without work queues is a flag that can
be set and taken back while the volume is in use (`cryptsetup refresh --perf-no_read_workqueue
--perf-no_write_workqueue`), and makes processors encrypt in the thread that asks.

## When it is wrong
When processors have time to spare and reads are slow for another reason.

## References
- cryptsetup(8): --sector-size, --perf-no_read_workqueue, --perf-no_write_workqueue
- Linux kernel documentation: dm-crypt
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_16K, HOST_KERNEL, STORAGE_PROBE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import one_line
from advisor.rulekit.kernels import kernel_numbers
from advisor.rulekit.rule import rule
from advisor.workload.single_read import alone_us
from probes import figures
from probes.inventory.facts import Layer

PAGE_BYTES = 16 << 10
SMALL_BYTES = 512
QUICK_US = 500.0
HAND_OVER_US = 200.0
"""Below this a hand-over of some tens of microseconds is a tenth of a read or more."""
WITHOUT_QUEUES = (5, 9, 0)


@rule(
    topic="Block layer",
    needs=(STORAGE_PROBE,),
    uses=(CURVE_RANDOM_READ_16K, HOST_KERNEL),
)
def check(facts: Facts) -> Answer:
    """Count the sectors of a page, and ask whether the drive is quick enough for it to matter."""
    layers = facts.get(STORAGE_PROBE).layers
    crypt = next((layer for layer in layers if layer.kind == "crypt"), None)
    if crypt is None:
        return Inapplicable("No encrypted volume lies below the data.")
    if not crypt.logical_block_bytes:
        return Unjudged("The sector size of the encrypted volume is not known.")
    read_us = alone_us(facts.find(CURVE_RANDOM_READ_16K))
    sector = crypt.logical_block_bytes
    sectors = PAGE_BYTES // sector
    saw = (
        f"The encrypted volume {one_line(crypt.name)} has sectors of {figures.size(sector)}: "
        f"{sectors} for a page of {figures.size(PAGE_BYTES)}."
    )
    formula = f"{figures.size(PAGE_BYTES)} / {figures.size(sector)} = {sectors} sectors"
    if sector > SMALL_BYTES and read_us is not None and _hands_over(read_us, facts):
        return _handed_over(saw, formula, read_us)
    slow = False
    if read_us is not None:
        slow = read_us >= QUICK_US
        formula += f"; a read takes {figures.duration_us(read_us)}, against "
        formula += figures.duration_us(QUICK_US)
    if sector > SMALL_BYTES or slow:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: the drive takes longer than the encryption."
            if slow
            else "Fine as it is: a page takes few steps.",
            confidence=Confidence.MEDIUM,
            formula=formula,
            because="the volume's sector size, and the measured reads where there are some",
            flips_when=f"sectors have {figures.size(SMALL_BYTES)} and a read takes less than "
            f"{figures.duration_us(QUICK_US)}",
        )
    return _small(saw, formula, crypt, read_us)


def _hands_over(read_us: float, facts: Facts) -> bool:
    kernel = kernel_numbers(facts.find(HOST_KERNEL) or "")
    return read_us < HAND_OVER_US and kernel is not None and kernel >= WITHOUT_QUEUES


def _handed_over(saw: str, formula: str, read_us: float) -> Judged:
    return Judged(
        Verdict.WATCH,
        f"{saw} One thread's read takes {figures.duration_us(read_us)}.",
        effect="The sectors are right. Unless it was left out already, each read and write is "
        "handed to another thread: try cryptsetup refresh with --perf-no_read_workqueue and "
        "--perf-no_write_workqueue, and measure again.",
        confidence=Confidence.LOW,
        formula=formula,
        because="how dm-crypt works by default; whether the flags are set is told to root alone",
        valid="for drives that answer within some 200 microseconds, and Linux 5.9 and newer",
        cost_of_error="a measurement",
        side_effects="without work queues the asking thread encrypts, so its processor is busier",
        verify="cryptsetup status of the volume names the flags",
        flips_when=f"a read takes {figures.duration_us(HAND_OVER_US)} or more",
        gain=0.1,
    )


def _small(saw: str, formula: str, crypt: Layer, read_us: float | None) -> Judged:
    measured = (
        "" if read_us is None else f" One thread's read takes {figures.duration_us(read_us)}."
    )
    return Judged(
        Verdict.WATCH,
        f"{saw}{measured}",
        now=figures.size(SMALL_BYTES),
        effect="On a drive this quick the encryption is a part of each read's time: try "
        "cryptsetup refresh with --perf-no_read_workqueue and --perf-no_write_workqueue and "
        "measure again; sectors of 4 KiB when the volume is made anew.",
        confidence=Confidence.LOW,
        formula=formula,
        because=f"{one_line(crypt.detail) or 'dm-crypt'} by its documentation; how much it costs "
        "here shows only in a measurement with and without",
        valid="for drives that answer within some hundred microseconds, and Linux 5.9 and newer",
        cost_of_error="a measurement",
        side_effects="without work queues the asking thread encrypts, so its processor is busier",
        verify="cryptsetup status of the volume names the flags",
        flips_when=f"sectors have 4 KiB, or a read takes {figures.duration_us(QUICK_US)} or more",
        gain=0.25,
    )
