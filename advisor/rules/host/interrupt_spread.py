"""Processors that handle the drive's interrupts.

## What it checks
Which processors handle the interrupts of the drives below the data.

## Why it matters
Each completed request raises an interrupt, and some microseconds of work follow. When a controller
has several interrupts and all of them go to one processor, that processor is the limit at high
rates, and queries that run on it are slower. Drivers with a queue for each processor spread them
automatically; older controllers rely on the irqbalance service.

## How it is judged
Drives with four interrupts or more, on machines with four processors or more.
- all handled by the same processor, and the drive gives more than 20,000 reads per second (our
  choice), or was not measured: watch. From some 100,000 on that processor is the limit; well
  before, queries that run on it are slower.
- else fine.

## How to check by hand
`grep -e nvme -e virtio -e mpt /proc/interrupts`, `cat /proc/irq/*/effective_affinity_list`

## Risk and undo
Nothing is changed: start irqbalance, or write into /proc/irq/N/smp_affinity_list. The kernel
manages the spread of NVMe queues and refuses both.

## When it is wrong
When the drive is far from busy: one processor handles some 100,000 requests per second.

## References
- Linux kernel documentation: core-api/irq, IRQ affinity
- irqbalance(1)
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.machine.storage import STORAGE_PROBE
from advisor.facts.measured.points import CURVE_RANDOM_READ_4K
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Inapplicable, Is, Unjudged, per_s, rule
from probes.figures import counted
from probes.inventory.facts import Disk

SEVERAL = 4
BUSY_PER_S = 20_000.0
READS = per_s("reads")


@rule(
    topic="Processors",
    needs=(STORAGE_PROBE, HOST_CPU_THREADS),
    uses=(CURVE_RANDOM_READ_4K,),
    findings=("F100",),
)
def check(facts: Facts) -> Answer:
    """Look for a drive whose interrupts all go to one processor."""
    cpus = facts.get(HOST_CPU_THREADS)
    known = [disk for disk in facts.get(STORAGE_PROBE).disks if disk.interrupt_cpus]
    if cpus < SEVERAL:
        return Inapplicable(f"With {cpus:g} processors there is little to spread.")
    if not known:
        return Unjudged("Which processors handle the drive's interrupts is not known.")
    crowded = next((disk for disk in known if _on_one(disk)), None)
    one = Is(
        crowded is not None,
        f"{SEVERAL} interrupts or more of a drive go to one processor",
        "they go to several processors",
    )
    if crowded is None:
        most = max(known, key=lambda disk: len(disk.interrupt_cpus)).interrupt_cpus
        name = next(disk.name for disk in known if disk.interrupt_cpus is most)
        return facts.card(
            f"Drive {name} has {counted(len(most), 'interrupt')} on "
            f"{counted(len(set(most)), 'set')} of processors.",
            one,
        ).fine(
            "Fine as it is: they are few, or go to several processors.", confidence=Confidence.HIGH
        )
    saw = (
        f"All {len(crowded.interrupt_cpus)} interrupts of drive {crowded.name} go to processor "
        f"{crowded.interrupt_cpus[0]}."
    )
    busy: Condition = one
    curve = facts.find(CURVE_RANDOM_READ_4K)
    if curve is not None:
        peak = curve.peak.rate_per_s
        busy = one & At("the drive's peak", peak, above=BUSY_PER_S, say=READS)
        saw = f"{saw} The drive's peak is {READS(peak)}."
    card = facts.card(
        saw,
        busy,
        because="The kernel's setting; the processor's own load was not measured.",
        valid=f"For drives that give more than some {READS(BUSY_PER_S)}.",
    )
    if not busy:
        return card.fine("Fine as it is: one processor handles that many interrupts easily.")
    return card.watch(
        "At high rates that processor is the limit, and queries on it are slower: start "
        "irqbalance, or spread the interrupts by hand.",
    )


def _on_one(disk: Disk) -> bool:
    cpus = disk.interrupt_cpus
    return len(cpus) >= SEVERAL and len(set(cpus)) == 1 and cpus[0].isdigit()
