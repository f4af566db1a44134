"""The spinning of threads before they sleep.

## What it checks
Whether the spinning of InnoDB's own locks was set far from what its version does.

## Why it matters
A thread that finds a lock taken asks again a number of times (innodb_sync_spin_loops), each after a
pause of up to innodb_spin_wait_delay times a multiplier, before it goes to sleep. More of it burns
CPU that others need, less of it makes threads sleep and wake for locks that are free at once. The
length of one pause differs tenfold between processors, so figures found on one machine are worth
nothing on the next.

## How it is judged
The product of loops, delay and multiplier against that of the version's defaults.
- Within a quarter and four times: fine.
- Outside: watched. What it does can only be measured on this machine under its own load; the
  version's defaults are where to start again.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section SEMAPHORES: spins, rounds and OS waits; CPU in user mode.

## Risk and undo
Nothing is proposed. All three change at run time and back.

## When it is wrong
When somebody measured that setting on this very machine.

## References
- MySQL reference manual, "Configuring Spin Lock Polling"
- MariaDB documentation, innodb_spin_wait_delay
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import span
from advisor.variables.standing import Standing
from probes import figures

DELAY = "innodb_spin_wait_delay"
LOOPS = "innodb_sync_spin_loops"
PAUSES = "innodb_spin_wait_pause_multiplier"
FAR = 4


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(DELAY), variable(LOOPS)),
    uses=(variable(PAUSES),),
    settings=(DELAY, LOOPS, PAUSES),
)
def check(facts: Facts) -> Answer:
    """Compare the most that a thread spins with the version's own figure."""
    version = facts.get(MYSQL_VERSION)
    found = [facts.get(variable(name)) for name in (DELAY, LOOPS)]
    pauses = facts.find(variable(PAUSES))
    found += [] if pauses is None else [pauses]
    product, usual = 1.0, 1.0
    for one in found:
        known = span(version, one.name)
        if known is None or known.default is None:
            return Unjudged(f"The default of {one.name} in {version} is not known.")
        product *= one.number
        usual *= float(known.default)
    terms = " x ".join(one.text for one in found)
    ratio = product / usual
    formula = f"{terms} = {figures.count(product)} against {figures.count(usual)} by default"
    saw = f"Spinning is {figures.times(ratio)} what {version} does by default ({formula})."
    if 1 / FAR <= ratio <= FAR:
        return _judged(Verdict.FINE, found[0], saw, formula, "Fine as it is.")
    effect = (
        "Go back to the defaults and measure throughput and CPU under the usual load, or keep it "
        "if that was done on this machine."
    )
    return _judged(Verdict.WATCH, found[0], saw, formula, effect, gain=0.1)


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        DELAY,
        now.now,
        effect=effect,
        confidence=Confidence.LOW,
        flips_when=f"it spins less than a quarter or more than {FAR} times the default"
        if verdict is Verdict.FINE
        else f"it spins a quarter to {FAR} times the default",
        gain=gain,
        formula=formula,
        valid="one processor model; a pause lasts ten times longer on some than on others",
        because="Neither CPU use nor waits for locks were measured.",
        cost_of_error="CPU burnt or threads asleep, until it is set back.",
    )
