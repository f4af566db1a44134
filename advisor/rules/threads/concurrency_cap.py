"""Queries at work against the knee of drive and CPUs.

## What it checks
Whether so many connections are at work together that they only wait for each other.

## Why it matters
Beyond a machine's knee more clients buy waiting and no work: in a published test on flash the
response time doubled with each doubling from 64 threads on, while the rate grew by a few per cent
or fell. MySQL 8.0 to 9 with a small pool, and MariaDB 10.11 to 12.1, lost more than half of their
rate between 128 and 512 threads. max_connections is no cure: it turns clients away. A pool of
connections in front makes them wait where waiting is cheap.

## How it is judged
The bound is the larger of two connections per CPU thread and the knee of the drive's own read
curve. Counted are the connections that are at work at both ends of the status window.
- Up to twice the bound: fine.
- More: watched, with the number of connections that a pool should let through.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Threads_running';` a few times under load.

## Risk and undo
Nothing is changed here. A pool in front is an application's or a proxy's setting; MariaDB has one
inside, see threads.thread-pool.

## When it is wrong
Where most of those at work wait for row locks or sleep in a function: they use neither CPU nor
drive.

## References
- M. Callaghan, "How many IOPs can InnoDB do?"
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- Published sysbench and TPC-C logs of MySQL 8.0 to 9 and MariaDB 10.11 to 12.1
"""

from __future__ import annotations

from advisor.facts.known import (
    CURVE_RANDOM_READ_PAGE,
    HOST_CPU_THREADS,
    LOAD_RUNNING,
    MYSQL_VERSION,
    status,
    variable,
)
from advisor.model.knee import knee
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from probes import figures

SETTING = "max_connections"
PER_CPU = 2
ROOM = 2
"""Up to so many times the bound is ordinary unevenness."""


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, LOAD_RUNNING),
    uses=(
        HOST_CPU_THREADS,
        CURVE_RANDOM_READ_PAGE,
        variable(SETTING),
        status("Max_used_connections"),
    ),
    settings=(SETTING,),
    findings=("F06", "F07", "F39", "F110", "F111", "F113", "F114"),
)
def check(facts: Facts) -> Answer:
    """Compare who is at work with what the machine does well."""
    running = facts.get(LOAD_RUNNING)
    cpus = facts.find(HOST_CPU_THREADS)
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    if cpus is None and curve is None:
        return Unjudged("Neither the CPUs nor the drive are known, so there is no knee to hold to.")
    bend = None if curve is None else knee(curve).threads
    bound = int(max(PER_CPU * (cpus or 0), bend or 0))
    formula = _formula(cpus, bend, bound)
    most = facts.find(status("Max_used_connections"))
    allowed = facts.find(variable(SETTING))
    seen = "" if most is None else f"; at most {most:.0f} were open at once"
    if allowed is not None:
        seen += f"{';' if not seen else ','} {SETTING} is {allowed.text}"
    busy = figures.counted(running, "connection")
    saw = f"The server has {busy} at work against a knee of {bound}{seen}."
    if running <= ROOM * bound:
        return _judged(Verdict.FINE, saw, allowed, formula=formula, bound=bound)
    effect = (
        f"A pool in front that lets about {bound} through keeps the rate and takes the waiting out "
        f"of the server; a lower {SETTING} would only turn clients away."
    )
    gain = min(0.7, 0.1 * running / bound)
    return _judged(
        Verdict.WATCH, saw, allowed, formula=formula, bound=bound, effect=effect, gain=gain
    )


def _formula(cpus: float | None, bend: int | None, bound: int) -> str:
    parts = [] if cpus is None else [f"{PER_CPU} x {cpus:.0f} CPU threads"]
    parts += [] if bend is None else [f"{bend} at the drive's knee"]
    return f"max({', '.join(parts)}) = {bound}; too many from {ROOM} x {bound} = {ROOM * bound} on"


def _whence(formula: str) -> str:
    if "drive's knee" in formula:
        return "The drive's knee was measured here"
    return "That a machine is at its knee with two per CPU thread is published, not measured here"


def _judged(
    verdict: Verdict,
    saw: str,
    allowed: Standing | None,
    *,
    formula: str,
    bound: int,
    effect: str = "Fine as it is.",
    gain: float = 0.0,
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        "" if allowed is None else allowed.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        flips_when=f"more than {ROOM * bound} are at work"
        if verdict is Verdict.FINE
        else f"no more than {ROOM * bound} are at work",
        gain=gain,
        formula=formula,
        valid="queries that use CPU and drive, not such that wait for row locks",
        because=f"{_whence(formula)}; what those at work do was not looked at.",
        cost_of_error="A pool that is too small makes clients wait while the machine idles.",
        side_effects="With a pool, session variables and temporary tables must not be relied on.",
    )
