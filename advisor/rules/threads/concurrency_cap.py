"""Active connections against the knee of drive and CPUs.

## What it checks
Whether more connections are active than drive and CPUs can serve.

## Why it matters
Beyond a machine's knee more clients add waiting, not throughput: in a published test on flash the
response time doubled with each doubling from 64 threads on, while the rate grew by a few per cent
or fell. MySQL 8.0 to 9 with a small pool, and MariaDB 10.11 to 12.1, lost more than half of their
rate between 128 and 512 threads. A lower max_connections does not help: it rejects clients. A
connection pool in front makes them wait where waiting is cheap.

## How it is judged
Active connections are counted at both ends of the status window. Those that were seen to wait for
something else than a read or a processor are left out: for a row, at commit (commits share a sync
with those that wait beside them), for a replica, memory or a place. A pool in front shortens none
of these waits. Those in no wait that was timed count only where row locks were timed: then they
wait for each other's latches.
Fewer than a tenth of all that wait so are left in the count (our choice).
- Where nobody timed the processors, so that nobody knows what the connections do: not judged below
  four times the bound (our choice).
- Where half of their time or more goes into waits for page reads (our choice), the load is bound by
  the drive: the bound is the knee of its read curve, and those that compute and that commit besides
  (rate by time, as watched). More than 1.25 times that (our choice) is late, for from the knee on
  the 95th percentile doubles with each doubling of threads.
- Else the bound is the larger of two connections per CPU thread that the server is granted (on
  many-core hosts the knee is at one to two) and that knee; more than 1.5 times that (our choice) is
  late. Where less than a tenth of their time goes into reads (our choice), the drive's knee does
  not count.
- Up to that: fine. More: watched, with the number of connections that a pool should admit, and with
  how much sooner a query would be done in it at the same rate (Little's law), where what they do is
  known. From four times the bound
  on (our choice) it comes before what nobody can count: published rates fell by half there. So it
  does where most of the time is in no wait that was timed, rows that others have locked left out,
  while no threads queue for processors: they wait for each other's latches, and fewer at once do
  less of that.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Threads_running';` a few times under load.

## Risk and undo
Nothing is changed. A pool in front is a setting of the application or a proxy; MariaDB has one
inside, see threads.thread-pool.

## When it is wrong
Where most active connections sleep in a function: they use neither CPU nor drive.

## References
- M. Callaghan, "How many IOPs can InnoDB do?"
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- Published sysbench and TPC-C logs of MySQL 8.0 to 9 and MariaDB 10.11 to 12.1
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.watch import WATCH_SERVER_CPU
from advisor.gain import STANDS_OUT, Wait
from advisor.model.curves.knee import knee
from advisor.rulekit import Answer, Facts, Knowledge, Unjudged, number, rule
from advisor.rules.threads._bounds import more_active_than
from advisor.variables.standing import Standing
from advisor.workload.commit_waits import commits_waiting
from advisor.workload.pool import read_cost
from advisor.workload.processors_use import queue_for_processors
from advisor.workload.query_time import USES as OF_TIME
from advisor.workload.query_time import query_time
from probes.figures import count, counted, percent

SETTING = "max_connections"
PER_CPU = 2
FAR = 4.0
ROOM, ROOM_OF_DRIVE = 1.5, 1.25
"""Up to this many times the bound is ordinary unevenness: of a load that uses processors, and of
one that waits for the drive. Our choice."""

FEW_ASIDE = 0.1
"""Fewer than this share that wait for something else are left in the count (our choice)."""

BOUND_BY_READS, HARDLY_READS = 0.5, 0.1
"""The shares of running queries' time in waits for page reads from which on the drive is the bound,
and below which it is none. Our choices."""


@rule(
    topic="Threads",
    do="Put a connection pool in front",
    needs=(LOAD_RUNNING,),
    uses=(
        HOST_CPU_GRANTED,
        *(each for each in OF_TIME if each not in {LOAD_RUNNING, HOST_CPU_GRANTED}),
        variable(SETTING),
        status("Max_used_connections"),
    ),
    settings=(SETTING,),
    findings=("F06", "F07", "F39", "F110", "F111", "F113", "F114"),
)
def check(facts: Facts) -> Answer:
    """Compare the active connections with what the machine does well."""
    running, bound = facts.get(LOAD_RUNNING), _bound(facts, facts.get(LOAD_RUNNING))
    if bound is None:
        return Unjudged("Neither the CPUs nor the drive are known, so the knee is not known.")
    using = running if bound.by_reads else _using(facts, running)
    if using is None and bound.most < running < FAR * bound.knee:
        return Unjudged("What the active connections wait for was not timed.")
    aside = 0.0 if using is None or running - using < FEW_ASIDE * running else running - using
    late = bound.most if using is not None or running <= bound.most else FAR * bound.knee
    # Those aside are a share of all, however many these are.
    crowded = more_active_than(late * running / max(running - aside, 1.0), running)
    others = f", {number()(aside)} of which wait for neither" if aside else ""
    allowed = facts.find(variable(SETTING))
    card = facts.card(
        f"The server has {counted(running, 'active connection')} against a knee of {bound.knee}"
        f"{others}{_opened(facts, allowed)}.",
        crowded,
        setting=SETTING,
        now="" if allowed is None else allowed.now,
        formula=f"{bound.text} = {bound.knee}; "
        f"limit = {bound.room:g} x {bound.knee} = {bound.most:g}",
        valid="For queries that use CPU and drive.",
        because="The drive's knee was measured; what the active connections do is not known."
        if bound.measured
        else "The knee of two connections per CPU thread is published, not measured here.",
        knowledge=Knowledge.MEASURED if bound.by_drive else Knowledge.PUBLISHED,
    )
    if not crowded:
        return card.fine()
    admitted = bound.knee + math.ceil(aside)
    sooner = f": at the same rate a query in it takes {percent(admitted / running)} of the time"
    return card.watch(
        f"A connection pool in front that admits about {admitted} keeps the throughput and moves "
        f"the waiting out of the server{'' if using is None else sooner}. A lower {SETTING} would "
        "only reject clients.",
        urgency=STANDS_OUT if running >= FAR * bound.knee or _contend(facts) else 0.0,
        cost_of_error="A pool that is too small makes clients wait while the machine idles.",
        side_effects="With a pool, queries can't rely on session variables and temporary tables.",
    )


@dataclass(frozen=True, slots=True)
class _Bound:
    """How many connections the machine does well; ``room`` times that are ordinary.

    ``text`` is how ``knee`` is reckoned. ``by_reads``: the load is bound by the drive; ``measured``
    is whether its knee was, ``by_drive`` whether that is the bound.
    """

    knee: int
    room: float
    text: str
    by_reads: bool
    measured: bool
    by_drive: bool

    @property
    def most(self) -> float:
        return self.room * self.knee


def _bound(facts: Facts, running: float) -> _Bound | None:
    """The bound of the load as it is; None where neither processors nor drive are known."""
    cpus, curve = facts.find(HOST_CPU_GRANTED), facts.find(CURVE_RANDOM_READ_PAGE)
    if cpus is None and curve is None:
        return None
    reads = _share_of_reads(facts, running)
    # A drive that hardly anybody reads from does not make room for more.
    idle = reads is not None and cpus is not None and reads < HARDLY_READS
    bend = None if curve is None or idle else knee(curve).threads
    if bend is not None and reads is not None and reads >= BOUND_BY_READS:
        besides = _besides(facts)
        more = f" + {besides} that compute or commit" if besides else ""
        text, bound = f"{bend} at the drive's knee{more}", bend + besides
        return _Bound(
            bound, ROOM_OF_DRIVE, text, by_reads=True, measured=True, by_drive=not besides
        )
    bound = int(max(PER_CPU * (cpus or 0), bend or 0))
    parts = [] if cpus is None else [f"{PER_CPU} x {count(cpus)} CPU threads"]
    parts += [] if bend is None else [f"{bend} at the drive's knee"]
    text = f"max({', '.join(parts)})" if len(parts) > 1 else parts[0]
    measured = bend is not None
    return _Bound(bound, ROOM, text, by_reads=False, measured=measured, by_drive=bound == bend)


def _opened(facts: Facts, allowed: Standing | None) -> str:
    """How many were open at most, and may be, after a semicolon; "" where neither is known."""
    most = facts.find(status("Max_used_connections"))
    seen = "" if most is None else f"; the peak of open ones was {count(most)}"
    if allowed is None:
        return seen
    return f"{seen}{',' if seen else ';'} {SETTING} is {allowed.value}"


def _using(facts: Facts, running: float) -> float | None:
    """How many of those at work use processors or read, or wait for those that do; None if unknown.

    Waits and how many run are means of one window; ``running`` is another count of the same.
    """
    time = query_time(facts)
    if time is None or Wait.PROCESSORS not in time.waits:
        return None
    share = time.on_average(*({Wait.PAGE_READS, Wait.PROCESSORS} & set(time.waits))).value
    return running * min(1.0, share + (time.hidden if Wait.ROW_LOCKS in time.waits else 0.0))


def _besides(facts: Facts) -> int:
    """Those that compute and that commit while others read: as many as were seen to."""
    cpu, commits = facts.find(WATCH_SERVER_CPU), commits_waiting(facts)
    found = (cpu, commits)
    return sum(math.ceil(each.value) for each in found if each is not None)


def _contend(facts: Facts) -> bool:
    """Whether most wait for each other, and neither for rows nor for a processor."""
    time = query_time(facts)
    if time is None or Wait.ROW_LOCKS not in time.waits or queue_for_processors(facts):
        return False
    return time.hides_most


def _share_of_reads(facts: Facts, running: float) -> float | None:
    """The share of the connections at work that waits for page reads; None where unknown."""
    cost = read_cost.read_cost(facts)
    return None if cost is None or running <= 0 else cost.waiting / running
