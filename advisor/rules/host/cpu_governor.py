"""Governor of the processors' clock.

## What it checks
What rules the processors' clock: the governor, and the driver under it.

## Why it matters
A thread that waits for the drive lets its processor go idle; the governor then lowers the clock,
and the next piece of work begins slowly. Loads of short requests suffer most, and measurements too:
the clock at their start is not the clock under load.

## How it is judged
- performance: fine.
- powersave under a driver other than intel_pstate or amd-pstate-epp: the clock stays at its lowest;
  performance is proposed. (amd-pstate without epp, and intel_cpufreq, are such drivers.)
- ondemand, conservative, schedutil: performance is proposed, with less certainty.
- powersave under intel_pstate or amd-pstate-epp: the processor itself chooses, by a preference.
  Fine with "performance" or "balance_performance", watch with any other.
- no governor is told: not judged. In a virtual machine it is the host's matter.

## How to check by hand
`cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_{governor,driver}`

## Risk and undo
More power and heat; it can be changed at any time, both ways.

## When it is wrong
When power or cooling is the limit: then a higher clock on all processors lowers the highest one.

## References
- Linux kernel documentation: admin-guide/pm, cpufreq, intel_pstate, amd-pstate
"""

from __future__ import annotations

from advisor.facts.known import HOST_ENERGY_PREFERENCE, HOST_FREQUENCY_DRIVER, HOST_GOVERNOR
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import system_file
from advisor.rulekit.rule import rule

CPUFREQ = "/sys/devices/system/cpu/cpu*/cpufreq"
CHOOSES_ITSELF = ("intel_pstate", "amd-pstate-epp")
QUICK = ("performance", "balance_performance")
FOLLOWING = ("ondemand", "conservative", "schedutil")


@rule(
    topic="Processors",
    needs=(HOST_GOVERNOR,),
    uses=(HOST_FREQUENCY_DRIVER, HOST_ENERGY_PREFERENCE),
)
def check(facts: Facts) -> Answer:
    """Sort governors by what they do under this driver."""
    governor = facts.get(HOST_GOVERNOR)
    driver = facts.find(HOST_FREQUENCY_DRIVER)
    saw = f"The processors' clock is ruled by {governor}" + (f" under {driver}." if driver else ".")
    if governor == "performance":
        return _fine(saw)
    if governor == "powersave":
        if driver is None:
            return Unjudged("What powersave does depends on the driver, which is not known.")
        if driver in CHOOSES_ITSELF:
            return _by_preference(saw, facts.find(HOST_ENERGY_PREFERENCE))
        effect = "The clock is no longer held at its lowest."
        return _faster(saw, governor, effect, Confidence.HIGH, 0.6)
    if governor in FOLLOWING:
        effect = "Short pieces of work no longer begin at a low clock."
        return _faster(saw, governor, effect, Confidence.MEDIUM, 0.25)
    return Unjudged(f"What the governor {governor} does is not known here.")


def _fine(saw: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: work begins at a high clock.",
        confidence=Confidence.HIGH,
        because="the kernel's setting for the first processor",
        flips_when="the governor is another one",
    )


def _by_preference(saw: str, preference: str | None) -> Judged:
    if preference in QUICK:
        return _fine(f"{saw} The processors choose it themselves and prefer {preference}.")
    said = f"prefer {preference}" if preference else "tell no preference"
    return Judged(
        Verdict.WATCH,
        f"{saw} The processors choose it themselves and {said}.",
        effect="Look whether the clock that was seen during the measurements is the one that the "
        "processors can reach; the governor performance asks for it.",
        confidence=Confidence.LOW,
        formula=f"preference = {preference or 'untold'}, neither {' nor '.join(QUICK)}",
        because="the setting; such processors raise their clock quickly under load",
        valid="for loads of many short pieces of work",
        cost_of_error="power that is spent for nothing",
        flips_when="the preference is performance or balance_performance",
        gain=0.15,
    )


def _faster(saw: str, now: str, effect: str, confidence: Confidence, gain: float) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="scaling_governor",
        now=now,
        effect=effect,
        confidence=confidence,
        formula=f"scaling_governor = {now}",
        because="the kernel's setting for the first processor, and what this governor does",
        risk="None for the data; more power and heat.",
        valid="for real machines whose cooling bears it",
        cost_of_error="power that is spent for nothing",
        side_effects="all processors run at a high clock, idle ones too",
        flips_when="the governor is performance",
        gain=gain,
    ).by(
        system_file(
            "Let the processors keep a high clock",
            f"{CPUFREQ}/scaling_governor",
            now,
            "performance",
        )
    )
