"""Source of the kernel's clock.

## What it checks
The kernel's clock source.

## Why it matters
Servers read the time several times for each statement, and more with the Performance Schema's
timers. From the processor's own counter (tsc) or a hypervisor's page that takes some 20 ns, without
entering the kernel. From hpet, acpi_pm and, on older kernels, xen it takes a system call and up to
a microsecond.

## How it is judged
- hpet, acpi_pm, xen, jiffies, and tsc is among the available ones: tsc is proposed.
- the same, but tsc is not available: watch. The kernel marks it unstable where it drifts.
- anything else: fine.

## How to check by hand
`cat /sys/devices/system/clocksource/clocksource0/{current,available}_clocksource`

## Risk and undo
It can be changed and changed back at any time. Where the counter is unstable, time would jump: the
kernel checks it and disables it.

## When it is wrong
When the virtual machine migrates between hosts whose counters differ and that do not scale them.

## References
- Linux kernel documentation: timers, clock sources
- Amazon EC2 documentation: "Manage the clock source"
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_CLOCK_SOURCE, HOST_CLOCK_SOURCES
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, rule
from advisor.rulekit.host_change import system_file

CURRENT = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
SLOW = ("hpet", "acpi_pm", "xen", "jiffies", "refined-jiffies", "pit")
QUICK = "tsc"


@rule(
    topic="Processors",
    needs=(HOST_CLOCK_SOURCE,),
    uses=(HOST_CLOCK_SOURCES,),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Only a slow source with a quick one beside it is worth a change."""
    source = facts.get(HOST_CLOCK_SOURCE)
    saw = f"The kernel's clock source is {source}"
    slow = Is(source in SLOW, f"it is one of {', '.join(SLOW)}", f"it is {QUICK}")
    card = facts.card(f"{saw}.", slow)
    if not slow:
        return card.fine(
            "Fine as it is: reading the time takes some tens of nanoseconds.",
            confidence=Confidence.HIGH,
        )
    card = card.but(
        because="The kernel's setting; how often the server reads the time was not counted."
    )
    if QUICK not in (facts.find(HOST_CLOCK_SOURCES) or ()):
        return card.watch(
            "Each reading of the time takes a system call: keep the Performance Schema's timed "
            "instruments few, or use a host that offers a better clock.",
            saw=f"{saw}; the processor's own counter ({QUICK}) is not available.",
            valid="For loads of very many short statements.",
            flips_when=f"{QUICK} is available",
        )
    return card.recommend(
        system_file("Read the time from the processor's counter", CURRENT, source, QUICK),
        setting="clock source",
        now=source,
        effect="Reading the time takes some 20 ns instead of up to a microsecond.",
        risk="Low: the kernel disables the counter where it is unstable.",
        valid="For processors whose counter runs at a constant rate, all of the last ten years.",
        cost_of_error="Time that jumps on a machine whose counters differ.",
        side_effects="All programs read the time that way.",
        flips_when=f"the kernel no longer offers {QUICK}",
    )
