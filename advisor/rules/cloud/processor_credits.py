"""Processors of a managed class that live on credits.

## What it checks
Whether queries may use more of a class's processors than what lasts without credits.

## Why it matters
Small classes (db.t2, t3 and t4g of Amazon RDS, Azure's B sizes) sustain 5 to 40 % of each of their
processors. What goes beyond spends credits; once these are gone, a server is held at that share, or
the surplus is billed. A db.t3.medium has two processors, and 0.4 of them last. An account alone
sees neither processors nor credits: the server just gets slow in the afternoon, or the bill grows.

## How it is judged
- Only on managed servers, without Aurora, whose class was said (`--class`); other classes have no
  credits, as far as Leadline knows.
- `untimed` = queries at work that are in no wait that was timed. They may use a processor, or wait
  for what nobody timed. `lasts` = the share of each processor that lasts x processors.
- More untimed queries than processors that last: watch. Else fine.
- Nobody watched the server: not judged.

## How to check by hand
CloudWatch: `CPUUtilization`, `CPUCreditBalance` and `CPUSurplusCreditsCharged`; Azure: "CPU Credits
Remaining".

## Risk and undo
Nothing is changed.

## When it is wrong
When untimed queries wait for locks or latches. When the window was the busy hour of a quiet day:
credits are for that.

## References
- AWS, "Key concepts for burstable performance instances"; Amazon RDS, "Amazon RDS Instance Types"
- Microsoft, "B-series burstable virtual machine sizes"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.facts.watched.watch import WATCH_RUNNING
from advisor.gain import FLOOR
from advisor.knowledge.burstable import Burstable, burstable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Unjudged, rule
from advisor.variables.aurora import AURORA
from advisor.variables.managed import service_of
from advisor.workload.query_time import USES as OF_TIME
from advisor.workload.query_time import query_time
from probes.figures import counted, percent

PERHAPS = 0.05
"""The part of the untimed queries that credits count for among all lines (our choice)."""


@rule(
    topic="Processors",
    needs=(WATCH_RUNNING,),
    uses=(
        HOST_CPU_THREADS,
        HOST_VOLUME_LIMITS,
        *(each for each in OF_TIME if each is not WATCH_RUNNING),
        MYSQL_VERSION,
    ),
)
def check(facts: Facts) -> Answer:
    """Hold the queries that may use processors against what of these lasts."""
    if service_of(facts.find(MYSQL_VERSION)) is None:
        return Inapplicable("No service runs the machine: what its host withholds is judged.")
    if facts.vendor == AURORA:
        return Inapplicable("The classes of Aurora are not looked at for their credits.")
    limits, cpus = facts.find(HOST_VOLUME_LIMITS), facts.find(HOST_CPU_THREADS)
    if limits is None or cpus is None:
        return Unjudged(facts.lacks(HOST_VOLUME_LIMITS if limits is None else HOST_CPU_THREADS))
    kind = burstable(limits.name)
    if kind is None:
        return Inapplicable(f"{limits.name} does not live on credits, as far as Leadline knows.")
    return _held(facts, kind, cpus)


def _held(facts: Facts, kind: Burstable, cpus: float) -> Answer:
    time = query_time(facts)
    untimed = 0.0 if time is None else max(0.0, time.running.value * (1 - time.explained.value))
    lasts = kind.baseline * cpus
    more = At("queries in no timed wait", untimed, above=lasts, say="{:.1f}".format)
    card = facts.card(
        f"The class {kind.name} sustains {lasts:.1f} of its {counted(cpus, 'processor')} "
        f"({percent(kind.baseline)} of each); on average {untimed:.1f} queries are at work in no "
        "wait that was timed.",
        more,
        confidence=Confidence.LOW,
        valid="While the load is like that of the watch.",
        because="An account sees neither the processors nor their credits.",
        cost_of_error="A look at the console.",
    )
    if not more:
        return card.fine("Fine as it is: they spend no credits for long.")
    running = lasts if time is None else time.running.value
    return card.watch(_look(kind), urgency=max(FLOOR, PERHAPS * untimed / running))


def _look(kind: Burstable) -> str:
    """Where the credits are seen, and what follows once they are spent."""
    if kind.billed:
        return (
            f"Look at {kind.shown_by} and CPUSurplusCreditsCharged: where these queries use "
            "processors, credits are spent, and the surplus is billed. A class without credits may "
            "cost less."
        )
    return (
        f"Look at {kind.shown_by}: where these queries use processors, credits are spent, and once "
        "they are gone the server is held at that share. A class without credits has none."
    )
