"""Processors that answer the drive's interrupts.

## What it checks
Which processors answer the interrupts of the drives below the data.

## Why it matters
Each finished request raises an interrupt, and some microseconds of work follow. When a controller
has several interrupts and all of them go to one processor, that processor is the limit at high
rates, and queries that run on it are slowed. Drivers with a queue for each processor spread them by
themselves; older controllers rely on the irqbalance service.

## How it is judged
Drives with four interrupts or more, on machines with four processors or more.
- all answered by the same single processor, and the drive gives more than 20,000 reads per second,
  or was not measured: watch. From some 100,000 on that processor is the limit; well before, queries
  that run on it are slowed.
- else fine.

## How to check by hand
`grep -e nvme -e virtio -e mpt /proc/interrupts`, `cat /proc/irq/*/effective_affinity_list`

## Risk and undo
Nothing is changed: start irqbalance, or write into /proc/irq/N/smp_affinity_list. The kernel keeps
the spread of NVMe's own queues to itself and refuses both.

## When it is wrong
When the drive is far from busy: one processor answers some 100,000 requests per second.

## References
- Linux kernel documentation: core-api/irq, IRQ affinity
- irqbalance(1)
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_4K, HOST_CPU_THREADS, STORAGE_PROBE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

SEVERAL = 4
BUSY_PER_S = 20_000.0


@rule(
    topic="Processors",
    needs=(STORAGE_PROBE, HOST_CPU_THREADS),
    uses=(CURVE_RANDOM_READ_4K,),
    findings=("F100",),
)
def check(facts: Facts) -> Answer:
    """Look for a drive whose interrupts all meet in one processor."""
    cpus = facts.get(HOST_CPU_THREADS)
    disks = facts.get(STORAGE_PROBE).disks
    told = [disk for disk in disks if disk.interrupt_cpus]
    if cpus < SEVERAL:
        return Inapplicable(f"With {cpus:g} processors there is little to spread.")
    if not told:
        return Unjudged("Which processors answer the drive's interrupts is not known.")
    crowded = next(
        (
            disk
            for disk in told
            if len(disk.interrupt_cpus) >= SEVERAL
            and len(set(disk.interrupt_cpus)) == 1
            and disk.interrupt_cpus[0].isdigit()
        ),
        None,
    )
    if crowded is None:
        most = max(told, key=lambda disk: len(disk.interrupt_cpus))
        return Judged(
            Verdict.FINE,
            f"Drive {most.name} has {len(most.interrupt_cpus)} interrupts on "
            f"{len(set(most.interrupt_cpus))} sets of processors.",
            effect="Fine as it is: they do not all meet in one processor, or are few.",
            confidence=Confidence.HIGH,
            because="where the kernel sends them",
            flips_when=f"{SEVERAL} interrupts or more of a drive go to one processor",
        )
    return _crowded(crowded.name, len(crowded.interrupt_cpus), crowded.interrupt_cpus[0], facts)


def _crowded(name: str, count: int, cpu: str, facts: Facts) -> Judged:
    curve = facts.find(CURVE_RANDOM_READ_4K)
    busy = curve is None or curve.peak.rate_per_s > BUSY_PER_S
    measured = (
        "" if curve is None else f" It gave {figures.rate(curve.peak.rate_per_s, 'reads')} at most."
    )
    return Judged(
        Verdict.WATCH if busy else Verdict.FINE,
        f"All {count} interrupts of drive {name} go to processor {cpu}.{measured}",
        effect="At high rates that processor is the limit, and queries on it are slowed: start "
        "irqbalance, or spread them by hand."
        if busy
        else "Fine as it is: the drive raises too few interrupts for one processor to mind.",
        confidence=Confidence.MEDIUM,
        formula=f"{count} interrupts on 1 processor"
        + (
            ""
            if curve is None
            else f"; peak {figures.rate(curve.peak.rate_per_s, 'reads')}, "
            f"against {figures.rate(BUSY_PER_S)}"
        ),
        because="where the kernel sends them; the processor's own load was not measured",
        valid=f"for drives that give more than some {figures.rate(BUSY_PER_S, 'reads')}",
        cost_of_error="none: spreading interrupts harms no drive",
        flips_when=f"they go to several processors, or the drive gives "
        f"{figures.rate(BUSY_PER_S, 'reads')} or less"
        if busy
        else f"the drive gives more than {figures.rate(BUSY_PER_S, 'reads')}",
        gain=0.2 if busy else 0.0,
    )
