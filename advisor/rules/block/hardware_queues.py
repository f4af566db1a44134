"""Hardware queues of the drive.

## What it checks
The number of hardware queues of a drive that could have many: NVMe and virtual drives.

## Why it matters
With a queue for each processor, requests share no lock, and completions return to the processor
that submitted them. With one queue for all, every request takes the same lock and one processor
handles all interrupts. NVMe drives offer a queue for each processor up to a limit; a virtual drive
has as many as its host is configured for, often one.

## How it is judged
Drives on NVMe, virtio, virtio-scsi, Xen; `processors per queue = CPU threads / queues`.
- fewer than 4 processors, or up to 8 processors per queue (our choices): fine.
- more, and the measured reads peak at 50,000/s or less for each queue (our choice): fine, a queue
  carries that.
- more, beyond that rate, on a virtual drive with one queue: more queues are proposed.
- more, otherwise: watch.

## How to check by hand
`ls /sys/block/vda/mq | wc -l`, `nproc`

## Risk and undo
The virtual machine has to be shut down once. The host spends some memory for each queue.

## When it is wrong
When one thread of the host serves the drive: more queues then wait for that thread. Where the cloud
sets the number of queues, only another machine type changes it.

## References
- Linux kernel: NVMe queues, write and poll queues; blk-mq documentation
- QEMU and libvirt: num-queues, driver queues=
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.measured.points import CURVE_RANDOM_READ_4K, CURVE_RANDOM_READ_16K
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Change,
    Facts,
    Inapplicable,
    Needs,
    Unjudged,
    by_hand,
    number,
    per_s,
    rule,
)
from probes.figures import counted
from probes.inventory.facts import Disk

MANY = ("nvme", "virtio", "virtio-scsi", "xen")
FEW_CPUS = 4
SHARED = 8
BUSY_PER_S = 50_000.0
MOST_QUEUES = 16


@rule(
    topic="Block layer",
    do="See whether reads of many threads wait for the one queue",
    needs=(STORAGE_PROBE, HOST_CPU_THREADS),
    uses=(CURVE_RANDOM_READ_4K, CURVE_RANDOM_READ_16K),
    findings=("F100",),
)
def check(facts: Facts) -> Answer:
    """Divide the processors by the queues of the drive that has fewest."""
    cpus = facts.get(HOST_CPU_THREADS)
    disks = [disk for disk in facts.get(STORAGE_PROBE).disks if disk.bus in MANY]
    if not disks:
        return Inapplicable("No drive below is of a kind that has several hardware queues.")
    known = [disk for disk in disks if disk.hardware_queues]
    if not known:
        return Unjudged("The number of hardware queues is not known.")
    least = min(known, key=_queues)
    queues = _queues(least)
    crowded = At("number of processors", cpus, least=FEW_CPUS, say=number()) & At(
        "number of processors per queue",
        cpus / queues,
        of=f"{cpus:g} / {queues}",
        above=SHARED,
        say="{:.3g}".format,
    )
    saw = (
        f"Drive {least.name} has {counted(queues, 'hardware queue')} for "
        f"{counted(int(cpus), 'processor')}."
    )
    card = facts.card(saw, crowded)
    peak = _peak(facts) if crowded else None
    if not crowded or peak is None:
        few = "Fine as it is: few processors share a queue."
        return card.fine(few) if not crowded else _watched(card.but(confidence=Confidence.LOW))
    busy = At("peak", peak, above=BUSY_PER_S * queues, say=per_s("reads"))
    card = card.but(saw=f"{saw} Its peak is {per_s('reads')(peak)}.", condition=crowded & busy)
    if not busy:
        return card.fine("Fine as it is: these queues handle more than this drive gives.")
    card = card.but(confidence=Confidence.LOW)
    if least.bus == "nvme" or queues > 1:
        return _watched(card)
    return card.recommend(
        _more(min(int(cpus), MOST_QUEUES)),
        setting=f"hardware queues of {least.name}",
        now="1",
        effect="Less CPU time for each read at many threads, and a higher rate where the lock or "
        "the one interrupt is the limit.",
        because="The number of queues, and a rate at which one lock costs time; the gain was not "
        "measured.",
        risk="Low: the virtual machine is shut down once.",
        valid="For virtual drives whose host serves them with several threads.",
        cost_of_error="A shutdown, and some memory of the host.",
        side_effects="The host uses memory and a thread or more for the queues.",
        verify=f"ls /sys/block/{least.name}/mq | wc -l",
    )


def _watched(card: Card) -> Answer:
    return card.watch(
        "Requests of many processors share one queue; whether they wait there shows in the CPU "
        "time of each read at many threads.",
        valid="For drives that give more than some 50,000 requests per second in each queue.",
    )


def _queues(disk: Disk) -> int:
    return disk.hardware_queues or 1


def _peak(facts: Facts) -> float | None:
    curves = [facts.find(size) for size in (CURVE_RANDOM_READ_4K, CURVE_RANDOM_READ_16K)]
    return max((curve.peak.rate_per_s for curve in curves if curve is not None), default=None)


def _more(wanted: int) -> Change:
    return by_hand(
        str(wanted),
        "Give the virtual drive more queues",
        (
            "Shut the virtual machine down.",
            f"Give its drive {wanted} queues (QEMU: num-queues={wanted}; libvirt: driver "
            f"queues='{wanted}'; other hosts: see their manual).",
            "Start it and measure again at many threads.",
        ),
        ("Shut down, give it one queue again.",),
        Needs.REBOOT,
    )
