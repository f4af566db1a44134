"""Processors that the host withholds.

## What it checks
Which part of the processor time that this virtual machine asked for its host did not give (steal).

## Why it matters
A virtual machine shows all of its processors, whatever it gets of them. Types that live on credits
(AWS T2, T3 and T4g, Azure B, Google's shared cores) give 5 to 40 % of each once their credits are
spent, and hosts with too many guests less than they show. The machine then looks full while the
server gets little: queries wait for processors, and no setting, pool or drive shortens that.

## How it is judged
- `withheld` = share of steal x processors, `used` = what is busy without it, both while the server
  was watched.
- `withheld / (withheld + used)` below a tenth (our choice): fine. From there on: watch.
- The wait for processors shortens by the server's part of what is withheld at least. Where the
  machine is full, given and withheld, it shortens by that share of what was asked (half of it at
  least, our choice); where its queue goes, too, by all but the time that was used.
- With a type that lives on credits, what lasts is named, and both ways out: credits without limit,
  or a type without credits. Elsewhere whoever runs the host has to say whether it is a cap or other
  guests.

## How to check by hand
`vmstat 1`, column `st`; on AWS `CPUCreditBalance`, on Azure "CPU Credits Remaining".

## Risk and undo
Nothing is changed.

## When it is wrong
When a backup or a neighbour took the host for these minutes alone: watch again.

## References
- AWS, "Key concepts for burstable performance instances" and "Unlimited mode"
- Microsoft, "B-series burstable virtual machine sizes"; Google Cloud, "Shared-core machine types"
- Linux kernel documentation: filesystems/proc, steal in /proc/stat
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS, HOST_PLATFORM
from advisor.facts.server.engines import LOAD_OWN_LOG
from advisor.facts.watched.steal import WATCH_CPU_STEAL
from advisor.facts.watched.watch import WATCH_CPU_BUSY, WATCH_RUN_DELAY
from advisor.knowledge.burstable import burstable
from advisor.model.network.fitting import BUSY
from advisor.rulekit import Answer, At, Facts, Knowledge, Range, Relief, Unjudged, Wait, rule
from advisor.workload.query_time import on_processors
from advisor.workload.withheld import MUCH, USES, Withheld, servers_part, withheld
from probes.figures import percent, times
from probes.kinds.words import capital
from probes.trust.provisioned import AZURE, GOOGLE

NEEDS = (WATCH_CPU_STEAL, WATCH_CPU_BUSY, HOST_CPU_THREADS)
HALF = 0.5


@rule(
    topic="Processors",
    do="Find what withholds the processors",
    needs=NEEDS,
    uses=(
        *(each for each in USES if each not in NEEDS),
        LOAD_OWN_LOG,
        WATCH_RUN_DELAY,
        HOST_PLATFORM,
    ),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Hold what the host took against what was asked of it."""
    found = withheld(facts)
    if found is None:
        return Unjudged("The machine has no processors that were counted.")
    much = At(
        "withheld share of what was asked",
        found.share,
        of=f"{found.took:.1f} / ({found.took:.1f} + {found.used:.1f} processors)",
        least=MUCH,
        say=percent,
    )
    card = facts.card(
        f"{capital(found.text)}.",
        much,
        valid="While the load and the host are like those of the watch.",
        because="The kernel counts what the host takes; why it does, it does not know.",
    )
    if not much:
        return card.fine("Fine as it is: the host gives what is asked of it.")
    return card.watch(
        _way_out(facts, found),
        relieves=_relief(facts, found),
        cost_of_error="A larger bill, or a move, that brings little.",
    )


def _way_out(facts: Facts, found: Withheld) -> str:
    """What gives the processors back, by where the machine runs."""
    platform = facts.find(HOST_PLATFORM) or ""
    kind = burstable(platform)
    gives = (
        f"gives {_all(found)}, {times(found.of / max(found.of - found.took, 0.01))} as much as now"
    )
    if kind is not None:
        return (
            f"Unlimited credits, at once and paid by the hour, or a type without credits {gives}. "
            f"{kind.name} lives on credits: {percent(kind.baseline)} of each processor lasts; "
            f"{kind.shown_by} shows whether the rest is spent."
        )
    if platform.startswith(AZURE):
        return (
            f"A size without credits {gives}, where this one is of the B series: CPU Credits "
            "Remaining shows them. Else other guests want the host's processors, too."
        )
    if platform.startswith(GOOGLE):
        return f"A type whose cores are its own {gives}, where this one shares its core."
    return (
        f"A reservation, or a host with fewer guests, {gives}. Whoever runs the host knows whether "
        "it is a cap on this machine, or guests that want the same processors."
    )


def _all(found: Withheld) -> str:
    many = round(found.of)
    return "its whole processor" if many == 1 else f"all {many} processors"


def _relief(facts: Facts, found: Withheld) -> tuple[Relief, ...]:
    """What the server's threads would no longer wait for; none where that was not watched."""
    threads, part = on_processors(facts), servers_part(facts)
    if threads is None or part is None or not part.value:
        return ()
    whole, delay = threads.value + part.value, facts.find(WATCH_RUN_DELAY)
    least = part.value / whole
    most = (part.value + (0.0 if delay is None else delay.value)) / whole
    full = found.took + found.used >= BUSY * found.of
    likely = max(least, min(most, found.share)) if full else least
    low = max(least, HALF * likely) if full else least
    return (Relief(Wait.PROCESSORS, Range(likely, low, max(likely, most))),)
