"""Encryption below the data.

## What it checks
Whether the data lies on an encrypted volume (dm-crypt, LUKS), and the sector size of its
encryption.

## Why it matters
dm-crypt encrypts each sector on its own: 32 times for a page of 16 KiB in sectors of 512 bytes, 4
times in sectors of 4 KiB. By default it also passes reads and writes through work queues to other
threads, which suits disks: on a drive that answers in tens of microseconds that takes as long as
the read. From Linux 5.9 on a volume can bypass the work queues.

## How it is judged
Volumes on dm-crypt only; `sectors = page size / sector size`.
- sectors of 512 bytes, and one thread's median read is below 500 us (our choice; or not measured):
  watch; sectors of 4 KiB take a new LUKS header or a re-encryption.
- sectors of 4 KiB, a median read below 200 us (our choice), and Linux 5.9 or newer: watch with
  little weight; the work queues may cost a noticeable share of each read, and can be bypassed.
- any sectors on a slower drive: fine, the drive takes longer than the encryption. Sectors of 4 KiB
  else: fine.

## How to check by hand
`cryptsetup status VOLUME` (sector size, flags), `cryptsetup benchmark`

## Risk and undo
Re-encryption rewrites the whole volume; take a backup. Bypassing the work queues is a flag that can
be set and cleared while the volume is in use (`cryptsetup refresh --perf-no_read_workqueue
--perf-no_write_workqueue`); the thread that does the I/O then encrypts as well.

## When it is wrong
When processors are idle and reads are slow for another reason.

## References
- cryptsetup(8): --sector-size, --perf-no_read_workqueue, --perf-no_write_workqueue
- Linux kernel documentation: dm-crypt
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_KERNEL
from advisor.facts.measured.points import CURVE_RANDOM_READ_16K
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Condition,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Unjudged,
    rule,
)
from advisor.rulekit.host_change import one_line
from advisor.rulekit.kernels import kernel_numbers
from advisor.workload.single_read import alone_us
from probes.figures import duration_us, size
from probes.points import PAGE_BYTES

SMALL_BYTES = 512
QUICK_US = 500.0
QUEUED_US = 200.0
"""Below this a work queue's delay of some tens of microseconds is a tenth of a read or more."""
WITHOUT_QUEUES = (5, 9, 0)
READ = "one thread's read"
BYPASS = "cryptsetup refresh with --perf-no_read_workqueue and --perf-no_write_workqueue"


@rule(
    topic="Block layer",
    do="Try the encryption without its work queues, and measure again",
    needs=(STORAGE_PROBE,),
    uses=(CURVE_RANDOM_READ_16K, HOST_KERNEL),
    knowledge=Knowledge.DOCUMENTED,
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
    small = Is(sector <= SMALL_BYTES, f"sectors are {size(SMALL_BYTES)}", "sectors are 4 KiB")
    costly: Condition = small
    measured = ""
    if read_us is not None:
        costly = small & At(READ, read_us, the=False, below=QUICK_US, say=duration_us)
        measured = f" One thread's read takes {duration_us(read_us)}."
    card = facts.card(
        f"A page of {size(PAGE_BYTES)} on the encrypted volume {one_line(crypt.name)} takes "
        f"{sectors} sectors of {size(sector)}.{measured}",
        costly,
        formula=f"{size(PAGE_BYTES)} / {size(sector)} = {sectors} sectors",
    )
    experiment = card.but(
        confidence=Confidence.LOW,
        side_effects="Without work queues the thread that does the I/O encrypts, and its "
        "processor is busier.",
        verify="cryptsetup status of the volume names the flags",
    )
    if not small and read_us is not None and _bypassable(facts):
        queued = At(READ, read_us, the=False, below=QUEUED_US, say=duration_us)
        if queued:
            return experiment.watch(
                "The sector size is right. Unless bypassed already, a work queue passes each "
                f"read and write to another thread: try {BYPASS}, and measure again.",
                condition=queued,
                because="The defaults of dm-crypt; only root can read whether the flags are set.",
                valid="For drives that answer within some 200 microseconds, and Linux 5.9 and "
                "newer.",
            )
    if not costly:
        slow = read_us is not None and read_us >= QUICK_US
        return card.fine(
            "Fine as it is: the drive takes longer than the encryption."
            if slow
            else "Fine as it is: a page takes few sectors."
        )
    return experiment.watch(
        f"On a drive this fast, encryption is a noticeable part of each read: try {BYPASS}, and "
        "measure again. Choose sectors of 4 KiB when you recreate the volume.",
        now=size(SMALL_BYTES),
        because=f"The documentation of {one_line(crypt.detail) or 'dm-crypt'}; only a measurement "
        "with and without shows what it costs here.",
        valid="For drives that answer within some hundred microseconds, and Linux 5.9 and newer.",
    )


def _bypassable(facts: Facts) -> bool:
    kernel = kernel_numbers(facts.find(HOST_KERNEL) or "")
    return kernel is not None and kernel >= WITHOUT_QUEUES
