"""Source of the kernel's clock.

## What it checks
What the kernel reads the time from.

## Why it matters
Servers read the time several times for each statement, and more with the Performance Schema's
timers. From the processor's own counter (tsc) or a hypervisor's page that takes some 20 ns, without
entering the kernel. From hpet, acpi_pm and, on older kernels, xen it takes a system call and up to
a microsecond.

## How it is judged
- hpet, acpi_pm, xen, jiffies, and tsc is on the list of those that could be used: tsc is proposed.
- the same, but tsc is not on the list: watch. The kernel strikes it off where it is not steady.
- anything else: fine.

## How to check by hand
`cat /sys/devices/system/clocksource/clocksource0/{current,available}_clocksource`

## Risk and undo
It can be changed at any time, both ways. Where the counter is not steady, time would jump: the
kernel watches it and strikes it off by itself.

## When it is wrong
When the virtual machine is moved between hosts whose counters differ and that do not adapt it.

## References
- Linux kernel documentation: timers, clock sources
- Amazon EC2 documentation: "Manage the clock source"
"""

from __future__ import annotations

from advisor.facts.known import HOST_CLOCK_SOURCE, HOST_CLOCK_SOURCES
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import system_file
from advisor.rulekit.rule import rule

CURRENT = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
SLOW = ("hpet", "acpi_pm", "xen", "jiffies", "refined-jiffies", "pit")
QUICK = "tsc"


@rule(topic="Processors", needs=(HOST_CLOCK_SOURCE,), uses=(HOST_CLOCK_SOURCES,))
def check(facts: Facts) -> Answer:
    """Only a slow source with a quick one beside it is worth a change."""
    source = facts.get(HOST_CLOCK_SOURCE)
    saw = f"The kernel reads the time from {source}."
    if source not in SLOW:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: reading the time takes some tens of nanoseconds.",
            confidence=Confidence.HIGH,
            because="the kernel's setting",
            flips_when=f"it is one of {', '.join(SLOW)}",
        )
    if QUICK not in (facts.find(HOST_CLOCK_SOURCES) or ()):
        return Judged(
            Verdict.WATCH,
            f"{saw} The processor's own counter is not offered.",
            effect="Each reading of the time takes a system call: leave the Performance Schema's "
            "timed instruments few, or ask the machine's host for a better clock.",
            confidence=Confidence.MEDIUM,
            formula=f"{source} is one of {', '.join(SLOW)}; {QUICK} is not offered",
            because="the kernel's setting; how often the server reads the time was not counted",
            valid="for loads of very many short statements",
            cost_of_error="none: nothing is changed",
            flips_when=f"{QUICK} is offered",
            gain=0.1,
        )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="clock source",
        now=source,
        effect="Reading the time takes some 20 ns in place of up to a microsecond.",
        confidence=Confidence.MEDIUM,
        formula=f"{source} is one of {', '.join(SLOW)}; {QUICK} is offered",
        because="the kernel's setting; how often the server reads the time was not counted",
        risk="Low: the kernel strikes the counter off by itself where it is not steady.",
        valid="for processors whose counter runs at one speed, all of the last ten years",
        cost_of_error="time that jumps on a machine whose counters differ",
        side_effects="all programs read the time that way",
        flips_when=f"the kernel no longer offers {QUICK}",
        gain=0.2,
    ).by(system_file("Read the time from the processor's counter", CURRENT, source, QUICK))
