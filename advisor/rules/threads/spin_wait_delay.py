"""Spinning for InnoDB's locks (innodb_spin_wait_delay).

## What it checks
Whether spinning for InnoDB's own locks is set far from the version's default.

## Why it matters
A thread that finds a lock taken tries again a number of times (innodb_sync_spin_loops), each after
a pause of up to innodb_spin_wait_delay times a multiplier, before it sleeps. More spinning burns
CPU that others need, less makes threads sleep and wake for locks that are free at once. The length
of one pause differs tenfold between processors, so figures from one machine do not apply to the
next.

## How it is judged
The product of loops, delay and multiplier against that of the version's defaults.
- Within a quarter and four times: fine.
- Outside: watched. The effect can only be measured on this machine under its own load; start again
  from the version's defaults.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section SEMAPHORES: spins, rounds and OS waits; CPU in user mode.

## Risk and undo
Nothing is proposed. All three change at run time and back.

## When it is wrong
When the setting was measured on this very machine.

## References
- MySQL reference manual, "Configuring Spin Lock Polling"
- MariaDB documentation, innodb_spin_wait_delay
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Unjudged, rule
from advisor.variables.catalogue import span
from probes.figures import count, times

LOOPS, PAUSES = "innodb_sync_spin_loops", "innodb_spin_wait_pause_multiplier"
FAR = 4


@rule(
    topic="Threads",
    do="Compare with the defaults under the usual load",
    setting="innodb_spin_wait_delay",
    needs=(variable(LOOPS),),
    uses=(variable(PAUSES),),
    settings=(LOOPS, PAUSES),
)
def check(facts: Facts) -> Answer:
    """Compare the most that a thread spins with the version's own figure."""
    pauses = facts.find(variable(PAUSES))
    found = [facts.now, facts.get(variable(LOOPS)), *([] if pauses is None else [pauses])]
    product, usual = 1.0, 1.0
    for one in found:
        known = span(facts.version, one.name)
        if known is None or known.default is None:
            return Unjudged(f"The default of {one.name} in {facts.version} is not known.")
        product *= one.number
        usual *= float(known.default)
    ratio, of = product / usual, f"{count(product)} / {count(usual)}"
    least, most = (
        At("spinning / default", ratio, the=False, least=1 / FAR, of=of, say=times),
        At("spinning / default", ratio, the=False, most=FAR, of=of, say=times),
    )
    near = least & most
    terms = " x ".join(one.value for one in found)
    card = facts.card(
        f"Spinning is {times(ratio)} the default of {facts.version} ({terms} = {count(product)}, "
        f"default {count(usual)}).",
        near,
        confidence=Confidence.LOW,
        because="Neither CPU use nor waits for locks were measured.",
        valid="For one processor model; a pause lasts ten times longer on some than on others.",
    )
    if near:
        return card.fine()
    return card.watch(
        "Go back to the defaults and measure throughput and CPU under the usual load, or keep it "
        "if it was measured on this machine.",
    )
