"""Processors of a managed class that live on credits, or are shared.

## What it checks
Whether queries may use more of a class's processors than what lasts without credits.

## Why it matters
Small classes (db.t2, t3 and t4g of Amazon RDS and Aurora, Azure's B sizes) sustain 5 to 40 % of
each of their processors. What goes beyond spends credits; once these are gone, a server is held at
that share, or the surplus is billed. A db.t3.medium has two processors, and 0.4 of them last. An
account alone sees neither processors nor credits: the server just gets slow in the afternoon, or
the bill grows. Cloud SQL's smallest classes share one core with others, and no agreement covers
their outages.

## How it is judged
- Only on managed servers whose class was said (`--class`); other classes have no credits, as far as
  Leadline knows.
- db-f1-micro and db-g1-small of Cloud SQL: watch. Which part of their core lasts is not known
  (November 2026).
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
- Amazon Aurora user guide, "Best practices for Aurora MySQL performance and scaling"
- Google Cloud SQL for MySQL, "Operational guidelines"
- Microsoft, "B-series burstable virtual machine sizes"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.machine.machine_limits import HOST_CLASS
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.facts.watched.watch import WATCH_RUNNING
from advisor.gain import FLOOR, QueryTime
from advisor.knowledge.burstable import Burstable, burstable, shares_core
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Is, Knowledge, Unjudged, rule
from advisor.variables.aurora import AURORA
from advisor.variables.managed import service_of
from advisor.workload.query_time import USES as OF_TIME
from advisor.workload.query_time import query_time
from probes.figures import counted, percent

PERHAPS = 0.05
"""The part of the untimed queries that credits count for among all lines (our choice)."""

FOR_TESTS = " Amazon advises T classes for Aurora in development and tests alone."


@rule(
    topic="Processors",
    do="Look at the class's processor credits",
    needs=(WATCH_RUNNING,),
    uses=(
        HOST_CLASS,
        HOST_CPU_THREADS,
        *(each for each in OF_TIME if each is not WATCH_RUNNING),
        MYSQL_VERSION,
    ),
)
def check(facts: Facts) -> Answer:
    """Hold the queries that may use processors against what of these lasts."""
    if service_of(facts.find(MYSQL_VERSION)) is None:
        return Inapplicable("No service runs the machine: what its host withholds is judged.")
    name, cpus = facts.find(HOST_CLASS), facts.find(HOST_CPU_THREADS)
    if name is None:
        return Unjudged(facts.lacks(HOST_CLASS))
    if shares_core(name):
        return _shared(facts, name)
    kind = burstable(name)
    if kind is None:
        return Inapplicable(f"{name} does not live on credits, as far as Leadline knows.")
    if cpus is None:
        return Unjudged(facts.lacks(HOST_CPU_THREADS))
    return _held(facts, kind, cpus)


def _untimed(time: QueryTime | None) -> float:
    """How many queries at work are in no wait that was timed."""
    return 0.0 if time is None else max(0.0, time.running.value * (1 - time.explained.value))


def _shared(facts: Facts, name: str) -> Answer:
    """What is known of a class without a processor of its own, whatever the load."""
    time = query_time(facts)
    return facts.card(
        f"The class {name} shares its one processor with other machines; on average "
        f"{_untimed(time):.1f} queries are at work in no wait that was timed.",
        Is(True, f"the class is {name}", "the class has a processor of its own"),
        knowledge=Knowledge.DOCUMENTED,
        valid="While the server has this class.",
        because="An account does not see how much of the core it gets.",
        cost_of_error="A look at the console.",
    ).watch(
        "Google's service level agreement leaves it out. A class with a processor of its own is "
        "covered where it has high availability, and does not wait for others' work.",
        urgency=_urgency(time),
    )


def _held(facts: Facts, kind: Burstable, cpus: float) -> Answer:
    time = query_time(facts)
    untimed, lasts = _untimed(time), kind.baseline * cpus
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
    test_class = FOR_TESTS if facts.vendor == AURORA else ""
    return card.watch(f"{_look(kind)}{test_class}", urgency=_urgency(time))


def _urgency(time: QueryTime | None) -> float:
    """The part of query time that these queries count for."""
    share = 0.0 if time is None else _untimed(time) / time.running.value
    return max(FLOOR, PERHAPS * share)


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
