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
- the same, but tsc is not available: watch. The kernel marks it unstable where it drifts, or where
  it takes the firmware's or another processor's delay for that: its log says why.
- anything else: fine.
- What it brings follows from statements per second and the processors that the server keeps busy:
  each reads the time two to thirty times, six times likely, and at most 30 % of that time goes into
  it (our choices).

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

from advisor.facts.machine.host import HOST_VIRTUAL
from advisor.facts.machine.kernel import HOST_CLOCK_SOURCE, HOST_CLOCK_SOURCES
from advisor.facts.server.status import status
from advisor.facts.watched.watch import WATCH_SERVER_CPU
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, Range, Relief, Wait, rule
from advisor.rulekit.host_change import system_file

CURRENT = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
SLOW = ("hpet", "acpi_pm", "xen", "jiffies", "refined-jiffies", "pit")
QUICK = "tsc"
QUESTIONS = status("Questions")

SAVED_US = Range(6.0, 2.0, 30.0)
"""What a statement saves: two to thirty readings of a microsecond, six likely. Our choice: the
Performance Schema's timers decide, and how many read at once behind one lock."""
MOST_SAVED = 0.3
"""No more than this of the processors' time is expected (our choice)."""


@rule(
    topic="Processors",
    do="Give the machine a faster clock",
    needs=(HOST_CLOCK_SOURCE,),
    uses=(HOST_CLOCK_SOURCES, HOST_VIRTUAL, QUESTIONS, WATCH_SERVER_CPU),
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
    relieves = _relief(facts)
    if QUICK not in (facts.find(HOST_CLOCK_SOURCES) or ()):
        return card.watch(
            _elsewhere(facts),
            saw=f"{saw}; the processor's own counter ({QUICK}) is not available.",
            relieves=relieves,
            valid="For loads of very many short statements.",
            flips_when=f"{QUICK} is available",
        )
    return card.recommend(
        system_file("Read the time from the processor's counter", CURRENT, source, QUICK),
        setting="clock source",
        now=source,
        relieves=relieves,
        effect="Reading the time takes some 20 ns instead of up to a microsecond.",
        risk="Low: the kernel disables the counter where it is unstable.",
        valid="For processors whose counter runs at a constant rate, all of the last ten years.",
        cost_of_error="Time that jumps on a machine whose counters differ.",
        side_effects="All programs read the time that way.",
        flips_when=f"the kernel no longer offers {QUICK}",
    )


def _elsewhere(facts: Facts) -> str:
    """What may bring the counter back: of a machine of one's own, and of a virtual one."""
    if facts.find(HOST_VIRTUAL):
        return (
            "Each reading of the time takes a system call: a type or a host that offers a better "
            "clock ends that; few timed instruments of the Performance Schema make it less."
        )
    return (
        "The kernel's log (dmesg) says why it rejected "
        f"{QUICK}: newer firmware or another kernel may give it back; {QUICK}=reliable only where "
        "its reason is known to be wrong."
    )


def _relief(facts: Facts) -> tuple[Relief, ...]:
    """The part of the processors' time that goes into reading the clock; none where unknown."""
    asked, cpu = facts.find(QUESTIONS), facts.find(WATCH_SERVER_CPU)
    if not asked or cpu is None or not cpu.value:
        return ()
    busy = asked / 1e6 / cpu.value
    ends = (SAVED_US.value, SAVED_US.low, SAVED_US.high)
    return (Relief(Wait.PROCESSORS, Range(*(min(MOST_SAVED, each * busy) for each in ends))),)
