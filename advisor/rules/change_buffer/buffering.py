"""innodb_change_buffering by what a random read costs on this drive.

## What it checks
Whether changes of secondary indexes wait in the change buffer where a read is dear, and only there.

## Why it matters
A change of a secondary index needs the index's page. With the change buffer it waits until the page
is read anyway, which saves a random read: a whole seek on a disk, next to nothing on flash. In
return the buffer takes part of the pool, is merged later, and makes shutdowns slow. MySQL 8.4 made
`none` the default (9.7 shows `all` again), and servers on slow drives got slower writes by the
upgrade. MariaDB went to `none` in 10.5.15 and 10.6.7 after damage by it, and dropped it in 11.0.

## How it is judged
- One random read of a page at a time, median: below 1 ms a read is cheap, above 3 ms it is a seek.
- MariaDB: `none` is fine on every drive. Any other value: recommended `none` where reads are cheap,
  else watched: it ends with 11.0.
- MySQL, hardly a request misses the pool: fine, there is nothing to save.
- MySQL, `none`, reads are seeks and requests miss: recommended `all`. Between 1 and 3 ms, as on
  network volumes: watch.
- MySQL, any other value: fine; where reads are cheap it gains little and costs little.

## How to check by hand
"INSERT BUFFER" in SHOW ENGINE INNODB STATUS: merges, and merged operations per merge.

## Risk and undo
Changes online. Before a move to MariaDB 11.0 shut down slowly (`innodb_fast_shutdown = 0`).

## When it is wrong
When all secondary indexes fit into the pool although other pages are missed.

## References
- MySQL reference manual, "Change Buffer"; "What Is New in MySQL 8.4"
- K. Vaijanapurkar, "How to fix write latency in MySQL 8.4 upgrade"
- MariaDB documentation, "InnoDB Change Buffering"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from advisor.workload.read_cost import NOTHING
from advisor.workload.single_read import (
    CHEAP,
    CHEAP_US,
    CURVE,
    NOT_ALONE,
    SEEK,
    SEEK_US,
    single_read_us,
)
from probes import figures

SETTING = "innodb_change_buffering"
MISSES = status("Innodb_buffer_pool_reads")


@rule(
    topic="Reads",
    needs=(MYSQL_VERSION, variable(SETTING), CURVE),
    uses=(MISSES,),
    settings=(SETTING,),
    applies_to=(mysql("5.5"), mariadb("10.0", "11.0")),
    findings=("F81", "F82", "B02"),
)
def check(facts: Facts) -> Answer:
    """Judge by flavour first: MariaDB has given the buffer up."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable(SETTING))
    read_us = single_read_us(facts)
    if read_us is None:
        return Unjudged(NOT_ALONE)
    saw = f"A random read takes {figures.duration_us(read_us)} here, and {_said(now)} buffered."
    if version.is_mariadb:
        return _mariadb(facts, now, saw, read_us)
    return (_unbuffered if _none(now) else _buffered)(facts, now, saw, read_us)


def _unbuffered(facts: Facts, now: Standing, saw: str, read_us: float) -> Answer:
    """Ask for the buffer where reads are dear and there are any."""
    missed = facts.find(MISSES)
    if read_us < CHEAP_US:
        flips = f"a random read takes {CHEAP} or more while requests miss the pool"
        return _fine(saw, now, "Fine as it is.", _formula(read_us, missed), flips)
    if missed is None:
        return Unjudged(f"{saw} Whether requests miss the pool was not seen.")
    if missed < NOTHING:
        flips = "1 or more requests miss the pool each second"
        effect = "Fine as it is: hardly a page has to be read."
        return _fine(saw, now, effect, _formula(read_us, missed), flips)
    return _all(facts, now, saw, read_us, missed)


def _buffered(facts: Facts, now: Standing, saw: str, read_us: float) -> Judged:
    """Leave MySQL's buffer alone: it costs little where it saves little."""
    effect = (
        "Fine as it is: on such a drive it saves little, and costs little."
        if read_us < CHEAP_US
        else "Fine as it is: each change that waits saves a read."
    )
    flips = f"it is none and a random read takes more than {SEEK} while requests miss the pool"
    return _fine(saw, now, effect, _formula(read_us, facts.find(MISSES)), flips)


def _mariadb(facts: Facts, now: Standing, saw: str, read_us: float) -> Judged:
    missed = facts.find(MISSES)
    if _none(now):
        flips = "a value other than none is set"
        return _fine(saw, now, "Fine as it is.", _formula(read_us, missed), flips)
    cheap = read_us < CHEAP_US
    judged = Judged(
        Verdict.RECOMMEND if cheap else Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="Index pages are changed at once, without a buffer that damaged indexes in the past "
        "and is gone in MariaDB 11.0."
        + ("" if cheap else " On this drive that costs a read for each change of a missing page."),
        confidence=Confidence.HIGH if cheap else Confidence.MEDIUM,
        because="MariaDB switched it off by default in 10.5.15 and 10.6.7; the read was measured",
        risk="Low: writes to secondary indexes that are not in memory read their page first.",
        cost_of_error="somewhat slower writes while the pool misses",
        side_effects="What is buffered already is merged as its pages are read.",
        flips_when="a random read takes " + (f"{CHEAP} or more" if cheap else f"less than {CHEAP}"),
        valid="for MariaDB before 11.0",
        gain=0.2 if cheap else 0.1,
        formula=_formula(read_us, missed),
    )
    return judged.by(change(facts.get(MYSQL_VERSION), now, "none"))


def _all(facts: Facts, now: Standing, saw: str, read_us: float, missed: float) -> Judged:
    seek = read_us > SEEK_US
    judged = Judged(
        Verdict.RECOMMEND if seek else Verdict.WATCH,
        f"{saw} {figures.rate(missed, 'requests')} miss the pool.",
        SETTING,
        now.now,
        effect="Changes of secondary indexes wait until their page is read anyway, in place of a "
        f"read of {figures.duration_us(read_us)} each.",
        confidence=Confidence.MEDIUM if seek else Confidence.LOW,
        because="the read was measured and the misses counted; how many of them are for changes of "
        "secondary indexes is not known",
        risk="Low: the buffer takes part of the pool and is merged later.",
        cost_of_error="merges later on, and slower shutdowns",
        side_effects="A slow shutdown merges the whole buffer; indexes are read more slowly until "
        "then.",
        flips_when="a random read takes "
        + (f"{SEEK} or less" if seek else f"less than {CHEAP}, or more than {SEEK}")
        + f", or fewer than {figures.rate(NOTHING, 'requests')} miss the pool",
        valid="for tables with secondary indexes that are not unique",
        gain=0.3 if seek else 0.1,
        formula=_formula(read_us, missed),
    )
    return judged.by(change(facts.get(MYSQL_VERSION), now, "all"))


def _none(now: Standing) -> bool:
    return now.text.lower() == "none"


def _said(now: Standing) -> str:
    return "no change of an index is" if _none(now) else f"changes of indexes ({now.text}) are"


def _formula(read_us: float, missed: float | None) -> str:
    said = f"{figures.duration_us(read_us)} a read, bounds 1 and 3 ms"
    return said if missed is None else f"{said}; {figures.count(missed)} misses/s"


def _fine(saw: str, now: Standing, effect: str, formula: str, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect=effect,
        flips_when=flips_when,
        formula=formula,
        because="the read was measured on this drive",
        valid="for this drive",
    )
