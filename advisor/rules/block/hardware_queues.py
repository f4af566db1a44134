"""Hardware queues of the drive.

## What it checks
How many hardware queues the kernel has to a drive that could have many: NVMe and virtual drives.

## Why it matters
Each processor puts its requests into a queue of its own, so that they share no lock and the answer
comes back to the processor that asked. With one queue for all, every request takes the same lock
and one processor answers all interrupts. NVMe drives offer a queue for each processor up to a limit
of theirs; a virtual drive has as many as the machine's host was told to give it, often one.

## How it is judged
Drives on NVMe, virtio, virtio-scsi, Xen; `processors per queue = CPU threads / queues`.
- fewer than 4 processors, or up to 8 processors per queue: fine.
- more, and the measured reads peak at 50,000/s or less for each queue: fine, they carry that.
- more, beyond that rate, on a virtual drive with one queue: more queues are proposed.
- more, otherwise: watch.

## How to check by hand
`ls /sys/block/vda/mq | wc -l`, `nproc`

## Risk and undo
The virtual machine has to be shut down once. The host spends some memory for each queue.

## When it is wrong
When the drive itself answers from one thread of the host: more queues then wait in the same place.
Where the cloud decides on the queues, nothing can be done but to take another kind of machine.

## References
- Linux kernel: NVMe queues, write and poll queues; blk-mq documentation
- QEMU and libvirt: num-queues, driver queues=
"""

from __future__ import annotations

from advisor.facts.known import (
    CURVE_RANDOM_READ_4K,
    CURVE_RANDOM_READ_16K,
    HOST_CPU_THREADS,
    STORAGE_PROBE,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Disk

MANY = ("nvme", "virtio", "virtio-scsi", "xen")
FEW_CPUS = 4
SHARED = 8
BUSY_PER_S = 50_000.0


@rule(
    topic="Block layer",
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
        return Unjudged("How many hardware queues the drives have is not known.")
    least = min(known, key=_queues)
    shared = cpus / _queues(least)
    saw = (
        f"Drive {least.name} has {figures.counted(_queues(least), 'hardware queue')} for "
        f"{figures.counted(int(cpus), 'processor')}."
    )
    formula = f"{cpus:g} / {_queues(least)} = {shared:.3g} processors per queue"
    if cpus < FEW_CPUS or shared <= SHARED:
        return _fine(saw, formula, "Fine as it is: few processors meet in a queue.")
    peak = _peak(facts)
    if peak is not None:
        formula += (
            f"; {figures.rate(peak)} / {_queues(least)} = "
            f"{figures.rate(peak / _queues(least))} per queue, against {figures.rate(BUSY_PER_S)}"
        )
    if peak is not None and peak <= BUSY_PER_S * _queues(least):
        return _fine(
            f"{saw} It gave {figures.rate(peak, 'reads')} at most.",
            formula,
            "Fine as it is: such queues carry more than this drive gives.",
        )
    if least.bus != "nvme" and _queues(least) == 1 and peak is not None:
        return _more(saw, formula, least, int(cpus), peak)
    return Judged(
        Verdict.WATCH,
        saw,
        effect="Requests of many processors meet in one queue; whether they wait there shows in "
        "the CPU time of each read at many threads.",
        confidence=Confidence.LOW,
        formula=formula,
        because="the count of queues alone",
        valid="for drives that give more than some 50,000 requests per second in each queue",
        cost_of_error="none: nothing is changed",
        flips_when=f"there is a queue for {SHARED} processors or fewer, or the drive gives "
        f"{figures.rate(BUSY_PER_S * _queues(least), 'reads')} or less",
        gain=0.15,
    )


def _queues(disk: Disk) -> int:
    return disk.hardware_queues or 1


def _peak(facts: Facts) -> float | None:
    curves = [facts.find(size) for size in (CURVE_RANDOM_READ_4K, CURVE_RANDOM_READ_16K)]
    return max((curve.peak.rate_per_s for curve in curves if curve is not None), default=None)


def _fine(saw: str, formula: str, effect: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect=effect,
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="the count of queues, and the measured rate where there is one",
        flips_when=f"more than {SHARED} processors share a queue and the drive gives more than "
        f"{figures.rate(BUSY_PER_S, 'reads')} in each",
    )


def _more(saw: str, formula: str, disk: Disk, cpus: int, peak: float) -> Judged:
    wanted = min(cpus, 16)
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} It gave {figures.rate(peak, 'reads')} at most.",
        setting=f"hardware queues of {disk.name}",
        now="1",
        effect="Less CPU time for each read at many threads, and a higher rate where the lock or "
        "the one interrupt is the limit.",
        confidence=Confidence.LOW,
        formula=formula,
        because="the count of queues and a rate at which one lock is felt; the gain was not "
        "measured",
        risk="Low: the virtual machine is shut down once.",
        valid="for virtual drives whose host answers in several threads",
        cost_of_error="a shutdown, and some memory of the host",
        side_effects="the host spends memory and a thread or more for the queues",
        verify=f"ls /sys/block/{disk.name}/mq | wc -l",
        flips_when=f"the drive gives {figures.rate(BUSY_PER_S, 'reads')} or less, or there is a "
        f"queue for {SHARED} processors or fewer",
        gain=0.3,
    ).by(
        by_hand(
            str(wanted),
            "Give the virtual drive more queues",
            (
                "Shut the virtual machine down.",
                f"Give its drive {wanted} queues (QEMU: num-queues={wanted}; libvirt: driver "
                f"queues='{wanted}'; other hosts: see their manual).",
                "Start it and measure again at many threads.",
            ),
            ("Shut down, give it one queue again.",),
        )
    )
