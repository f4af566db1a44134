"""CPU frequency governor.

## What it checks
The CPU frequency governor, and its driver.

## Why it matters
While a thread waits for the drive its processor goes idle; the governor then lowers the frequency,
and the next piece of work begins slowly. Loads of short requests suffer most, and measurements too:
the frequency at their start is not the frequency under load.

## How it is judged
- performance: fine.
- powersave under a driver other than intel_pstate or amd-pstate-epp: the frequency stays at its
  lowest; performance is proposed. (amd-pstate without epp, and intel_cpufreq, are such drivers.)
- ondemand, conservative, schedutil: performance is proposed, with less certainty.
- powersave under intel_pstate or amd-pstate-epp: the processor itself chooses, by a preference.
  Fine with "performance" or "balance_performance", watch with any other.
- no governor is known: not judged. In a virtual machine the host controls the frequency.

## How to check by hand
`cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_{governor,driver}`

## Risk and undo
More power and heat; it can be changed and changed back at any time.

## When it is wrong
When power or cooling is the limit: then a higher frequency on all processors lowers the peak
frequency.

## References
- Linux kernel documentation: admin-guide/pm, cpufreq, intel_pstate, amd-pstate
"""

from __future__ import annotations

from advisor.facts.machine.kernel import (
    HOST_ENERGY_PREFERENCE,
    HOST_FREQUENCY_DRIVER,
    HOST_GOVERNOR,
)
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Card, Facts, Is, Knowledge, Unjudged, rule
from advisor.rulekit.host_change import system_file

CPUFREQ = "/sys/devices/system/cpu/cpu*/cpufreq"
CHOOSES_ITSELF = ("intel_pstate", "amd-pstate-epp")
QUICK = ("performance", "balance_performance")
FOLLOWING = ("ondemand", "conservative", "schedutil")


@rule(
    topic="Processors",
    do="Check whether the processors reach their highest frequency",
    needs=(HOST_GOVERNOR,),
    uses=(HOST_FREQUENCY_DRIVER, HOST_ENERGY_PREFERENCE),
    major=True,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Sort governors by what they do under this driver."""
    governor = facts.get(HOST_GOVERNOR)
    driver = facts.find(HOST_FREQUENCY_DRIVER)
    saw = f"The CPU frequency governor is {governor}" + (f", with {driver}" if driver else "")
    quick = Is(governor == "performance", "it is performance", "it is not performance")
    card = facts.card(f"{saw}.", quick)
    if quick:
        return _fine(card)
    if governor == "powersave" and driver is None:
        return Unjudged("The effect of powersave depends on the driver, which is not known.")
    if governor == "powersave" and driver in CHOOSES_ITSELF:
        return _by_preference(card, saw, facts.find(HOST_ENERGY_PREFERENCE))
    lowest = governor == "powersave"
    if not lowest and governor not in FOLLOWING:
        return Unjudged(f"The effect of the governor {governor} is not known.")
    return card.recommend(
        system_file(
            "Let the processors keep a high clock",
            f"{CPUFREQ}/scaling_governor",
            governor,
            "performance",
        ),
        setting="scaling_governor",
        now=governor,
        effect="The frequency no longer stays at its lowest."
        if lowest
        else "Short pieces of work no longer begin at a low frequency.",
        formula=f"scaling_governor = {governor}",
        confidence=Confidence.HIGH if lowest else Confidence.MEDIUM,
        because="The kernel's setting for the first processor, and the governor's documentation.",
        risk="None for the data; more power and heat.",
        valid="For real machines with enough cooling.",
        cost_of_error="Power without benefit.",
        side_effects="All processors run at a high frequency, idle ones too.",
    )


def _fine(card: Card) -> Answer:
    return card.fine("Fine as it is: work begins at a high frequency.", confidence=Confidence.HIGH)


def _by_preference(card: Card, saw: str, preference: str | None) -> Answer:
    """Under drivers that let the processor choose, its energy preference decides."""
    quick = Is(
        preference in QUICK,
        f"the preference is {' or '.join(QUICK)}",
        f"the preference is neither {' nor '.join(QUICK)}",
    )
    text = f"their preference is {preference or 'not known'}"
    card = card.but(saw=f"{saw}; the processors choose the frequency, and {text}.", condition=quick)
    if quick:
        return _fine(card)
    return card.watch(
        "Check whether the frequency seen during the measurements is the highest that the "
        "processors can reach; the governor performance asks for it.",
        formula=f"preference = {preference or 'unknown'}",
        confidence=Confidence.LOW,
        because="The setting; such processors raise their frequency quickly under load.",
        valid="For loads of many short pieces of work.",
        cost_of_error="Power without benefit.",
    )
