"""innodb_io_capacity against the drive's limit and the server's write rate.

## What it checks
Whether `innodb_io_capacity` is more than the drive can write, far more than the server needs, or
so little that flushing falls behind.

## Why it matters
The setting is the page writes per second that background flushing plans with. From MySQL 5.6 on it
limits idle flushing, flushing of dirty pages, change buffer merges and the load of the pool after a
start; adaptive flushing for the redo log exceeds it, up to `innodb_io_capacity_max`. A figure
copied from the drive's rating costs throughput: published TPC-C runs on 8.0 lose some per cent to
over ten when it is raised beyond what keeps up, because pages are written before they have
collected their changes. MariaDB goes beyond it as well: while `innodb_max_dirty_pages_pct_lwm` is 0
it writes the mean of this setting, of what it wrote lately and of the pages that hold the
checkpoint back: from `innodb_adaptive_flushing_lwm` on at least half of the setting, whatever the
load asks for.

## How it is judged
- `knee` = writes/s at the knee of the measured random write curve (the smallest concurrency with
  90 % of the peak). `flushed` = pages/s that flushing gave where it was measured in the server's
  own way of doublewrite.
- `ceiling` = the knee, or 1.25 x `flushed` where that is less, or what a long write fell to. More
  than that is never right; `budget` is no more than the latter, either.
- `budget` = `flushed`, at most the knee; where it was not measured, half of the knee while
  doublewrite writes every page twice, else the knee.
- Where reads and commits were measured beside flushing (the mixed probe), `tolerated` is the rate
  up to which their medians and p99 stay within 25 % (our choice); between the last measured rate at
  which they do and the next they are taken to grow evenly. It lowers the budget, but not
  below what the server writes (on MySQL 5.5 1.5 times that) nor below 1,000 (our choices). What is
  written follows the setting, so it is no such bound where the checkpoint age is known to stay
  below half of its limit (our choice; on MySQL 5.5 it stays one).
- Too high: `io_capacity > ceiling`; on MySQL 5.7+ also above 5,000 (our choice; or the version's
  default, if larger) while the server writes less than a quarter of it. 200, the smallest default
  of any version, is never too high. Proposed: twice what the server writes over the status window,
  at least 1,000, at most the budget (our choices). Without a window: 5,000 or the budget.
- Too high as well above `tolerated` and those bounds. Proposed are the bounds; where the age is
  known to be low half of the setting, if that is more: a step, to be followed by a look.
- `innodb_io_capacity_max` is lowered with it and by as much, since flushing for the redo log
  follows that one: where the drive fulfils this setting, or fulfils neither. Where the plan is
  raised, it becomes a whole multiple of that.
- Nothing that was counted gets slower by a plan that is too high, and it is lowered only where that
  is asked for, while less than 80 % of what reads and commits tolerate is written (of the budget
  where that was not measured, and where the server uses less than half of its volume's limit on
  requests or bytes, which the readers of that measurement fill), the checkpoint age is below half
  of its limit, and flushing keeps up (our choices). So it is where reads and commits together take
  less than a tenth of query time while flushing keeps up (our choice): they are what page writes
  make slower.
- Less than 100 pages/s are written, and less than a quarter of what the drive flushes (our
  choices): fine, whatever is set. So is a value that would fall by a fifth or less (our choice).
- Behind: the highest checkpoint age of the window reaches the age from which on the server itself
  flushes for the log alone (see the rule on the checkpoint age); or dirty pages reach 90 % of
  `innodb_max_dirty_pages_pct` (our choice). Then nothing is lowered but a plan above the ceiling.
- Too low: flushing is behind and the server writes more than the setting. MySQL 5.5 also when page
  writes reach 90 % of the setting, with low confidence when they exceed twice the setting, which
  then limits little (our choices). Proposed: 1.1 times what is written, at most 5,000.
- Where a buffer pool or redo log is about to become another, only a plan above `ceiling` is
  lowered, and to that.
- Where the load is still to come (a new server, or a buffer pool or redo log that is about to
  become another) nobody knows what will be written: 1,000 pages/s are the start (our choice), less
  where the drive's budget, `tolerated` or half of `innodb_io_capacity_max` is less. Above that
  nothing is raised. A server that has run begins so only from 200, the smallest default, and where
  its load asked for more: flushing was behind, or at least 80 % of the plan was written, and its
  requests took at most 70 % of what the volume or the drive gives (our choices). A value that
  somebody chose stays until what comes is seen. So does MariaDB's from 10.5 on while its low-water
  mark is 0: with 1,000 it writes 500 pages/s that nothing asks for. On a small virtual machine it
  did 6 % more transactions with its default than with 1,000 (median of 18 turns; 95 % interval -1
  to 10).
- It begins so only where the pages that this may add take at most 1 % of the CPUs (our choice), at
  90 µs for a page, on MariaDB from 10.5 on 30 µs. With 2 CPUs and all data in its pool MySQL 8.0.33
  did 5 % fewer transactions with 1,000 than with 200 read-write, and 2 % fewer write-only (switched
  every two seconds in one server; 95 % intervals -2 to 9 and 0 to 4).
- Where the drive was not measured, the server's own writes tell two things: that the setting is too
  high, where it is above 5,000 and four times what is written; and that it is too low, where
  flushing is behind and more is written: 1.1 times that is proposed, since the drive gives it
  already (our choices). Where the user stated the volume's requests (an account alone), a plan
  above what volume and class let through (requests, and bytes of whole pages) is too high: twice
  what is written is proposed, at least 1,000, at most that, and half of it beside doublewrite (our
  choices); a plan within it is fine. Else nothing is said. The upper limit goes down with it, to
  twice that where the volume gives as much.
- While the redo log or the buffer pool is to grow, or doublewrite is to be switched, this waits:
  how much has to be written depends on them. Twice `ceiling` or more (our choice) does not wait for
  pool and log, since no load makes it right. It also waits for smaller records on ZFS, and for a
  limit of the volume that is to be raised: what the drive writes depends on them. Twice the ceiling
  does not wait for that purchase either.
- MySQL 5.6 multiplies the setting by `innodb_buffer_pool_instances`; all others share it.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_pages_written'` twice, ten seconds apart under load, and divide
the difference by ten. Compare with the drive's random write curve.

## Risk and undo
Changes at once, can be undone at once. Too high: more wear and latency peaks. Too low: a growing
checkpoint age. MySQL cuts a value above `innodb_io_capacity_max` to it, so the maximum goes
first.

## When it is wrong
When the window shows a quiet hour: check again under load. When a network volume's burst credit was
measured. When LRU flushing writes many of the pages: the setting does not limit those. On MySQL
5.6.14 with several instances the limit was seen not to hold at all.

## References
- MySQL 8.0 and 9.4 reference manuals, "Configuring InnoDB I/O Capacity"
- Percona blog, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!" (2019)
- M. Callaghan, posts on flush list and LRU flushing in MySQL 5.6 (2013)
- MariaDB documentation, "InnoDB Page Flushing"; MariaDB 10.11 sources, buf0flu.cc,
  page_cleaner_flush_pages_recommendation
"""

from __future__ import annotations

import math

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.load import LOAD_AHEAD, LOAD_FLUSHING_ASKED
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.model.server.round_figures import round_down
from advisor.outcomes import Confidence
from advisor.rulekit import (
    FINE,
    Answer,
    At,
    Card,
    Facts,
    Knowledge,
    Relief,
    SafeEnd,
    Wait,
    mariadb,
    mysql,
    rule,
)
from advisor.rules.flushing._limits import (
    BUYS_DRIVE,
    DECIDES_WRITES,
    LOWERED,
    WORTH,
    beyond_drive,
    calm,
    lowered_with,
    need_not_wait_for,
    raised,
    too_high,
    too_low,
    why_too_high,
)
from advisor.rules.flushing._stated_volume import MAX, STATED
from advisor.rules.flushing._unfelt import USES as OF_VOLUME
from advisor.rules.flushing._unfelt import unfelt
from advisor.rules.flushing._unmeasured import by_writes_alone
from advisor.variables.catalogue import MARIADB
from advisor.variables.standing import Standing
from advisor.workload.flushing.load import (
    BEYOND,
    HARDLY,
    PAGES,
    QUIET,
    SMALL,
    USES,
    FlushLoad,
    flush_load,
    goes_beyond,
    write_cpu_of,
)
from advisor.workload.flushing.settings import with_limit
from probes.figures import rate
from probes.version import ServerVersion

MARK = variable("innodb_max_dirty_pages_pct_lwm")

START_PER_S = 1000.0
"""The plan for a load that nobody has seen yet, on a drive that takes it. Our choice."""

LITTLE = 0.01
"""Of the CPUs, what the pages that it adds may take of them. Our choice."""


@rule(
    topic="Flushing",
    setting="innodb_io_capacity",
    needs=(MYSQL_VERSION,),
    uses=(
        CURVE_RANDOM_WRITE_PAGE,
        HOST_CPU_GRANTED,
        MARK,
        MAX,
        *STATED,
        *USES,
        *OF_VOLUME,
    ),
    applies_to=(mysql("5.5"), mariadb("10.0")),
    findings=("F11", "F62", "F63", "F64", "F65", "F66", "F67", "B03", "B04", "B14"),
    waits_for=(*DECIDES_WRITES, *BUYS_DRIVE),
    major=True,
    safe_end=SafeEnd.LOWEST,
)
def check(facts: Facts) -> Answer:
    """Hold the setting between what the server writes and what the drive sustains."""
    if facts.find(CURVE_RANDOM_WRITE_PAGE) is None:
        return by_writes_alone(facts)
    now, load = facts.now, flush_load(facts)
    planned = now.number * load.ways
    high, low = too_high(load, facts.version, planned), too_low(load, facts.version, planned)
    first = "By default " if now.default else ""
    saw = f"{first}InnoDB plans {load.planned(now)}; {load.drive}."
    card = facts.card(saw, high, formula=load.figures)
    if high or load.hardly_writes:
        return _lower(facts, card, load, planned)
    if low:
        wanted = raised(load, facts.version, now.number)
        if wanted is not None:
            return _raise(facts, card.but(condition=low), load, wanted)
        return card.fine(_fine(facts.version, load, planned))
    start = load.keeps_up(0.0, START_PER_S, _room_to_begin(facts, load))
    if start > planned and _is_unseen(facts, load) and _is_cheap(facts, start - planned):
        return _begin(facts, card, load, start)
    return card.fine(_fine(facts.version, load, planned), condition=high | low)


def _is_unseen(facts: Facts, load: FlushLoad) -> bool:
    """Whether the load is to come, and nothing that was seen before speaks against beginning."""
    if facts.find(LOAD_AHEAD) is None or load.demand_per_s is not None:
        return False
    if _writes_unasked(facts):
        return False
    asked = facts.find(LOAD_FLUSHING_ASKED)
    return asked is None or (asked and facts.now.number <= SMALL)


def _room_to_begin(facts: Facts, load: FlushLoad) -> float:
    """The highest plan to begin with: the upper limit is to be twice that, as it is or becomes."""
    most = facts.find(MAX)
    return load.room_per_s if most is None else min(load.room_per_s, most.number * load.ways / 2)


def _is_cheap(facts: Facts, more_per_s: float) -> bool:
    """Whether that many page writes more leave the processors to queries; where known, that is."""
    cpus = facts.find(HOST_CPU_GRANTED)
    each_us = write_cpu_of(facts.version).value
    return cpus is None or more_per_s * each_us / 1e6 <= LITTLE * cpus


def _writes_unasked(facts: Facts) -> bool:
    """Whether the server writes by this setting all the time, not only when it has to."""
    mark = facts.find(MARK)
    return facts.version.at_least(MARIADB, 10, 5) and (mark is None or mark.number <= 0)


WRITES_LITTLE = "the drive flushes far more than the server writes, or the plan fits the drive"
"""What ends the advice where little is written, yet much for that drive."""


def _lower(facts: Facts, card: Card, load: FlushLoad, planned: float) -> Answer:
    """Lower it, unless so little is written that nobody could feel that."""
    if quiet := load.hardly_writes:
        return card.fine(HARDLY, condition=quiet)
    now, most = facts.now.number, facts.find(MAX)
    value = calm(load, facts.version, planned)
    if value > WORTH * now:
        return card.fine("Fine as it is: it would fall by a fifth at most.")
    if beyond_drive(load, planned) and 0 < (load.written_per_s or 0.0) < QUIET:
        # On a drive that flushes four times what is written, that is next to nothing.
        card = card.but(flips_when=WRITES_LITTLE)
    then: tuple[tuple[Standing, str], ...] = ()
    if most is not None and (
        not beyond_drive(load, planned) or beyond_drive(load, most.number * load.ways, LOWERED)
    ):
        both = lowered_with(load, facts.version, most.number, now, value)
        then = ((most, str(both)),) if both < most.number else ()
    return card.recommend(
        facts.to(str(value), then=then),
        saw=f"{card.says['saw']} {why_too_high(load, planned)}",
        effect="Fewer, fuller page writes and smaller latency peaks; on MySQL 8.0 published runs "
        "gain some per cent of throughput.",
        confidence=Confidence.MEDIUM if load.bend.reached and load.ways == 1 else Confidence.LOW,
        risk="Low: if dirty pages or the checkpoint age grow under load, raise it again.",
        cost_of_error="More dirty pages and a higher checkpoint age, until it is raised again.",
        side_effects="Idle flushing and merges of the change buffer are slower"
        + ("." if then else "; the next limit is innodb_io_capacity_max."),
        # The upper limit is as far beyond, or further: both go down, or neither.
        despite=need_not_wait_for(load, max(planned, (most.number if most else 0) * load.ways)),
        slight=unfelt(facts, load),
    )


def _raise(facts: Facts, card: Card, load: FlushLoad, value: int) -> Answer:
    most = facts.find(MAX)
    over = most is not None and beyond_drive(load, most.number * load.ways, LOWERED)
    wanted = load.most if over else math.inf
    first = with_limit(most, value, load.budget_per_s / load.ways, wanted)
    planned = facts.now.number * load.ways
    elsewhere = not load.behind and (load.written_per_s or 0.0) > BEYOND * planned
    why = (
        f"Flushing is behind: {load.behind}."
        if load.behind
        else "Page writes have reached innodb_io_capacity."
    )
    return card.recommend(
        facts.to(str(value), first=first),
        saw=f"{card.says['saw']} {why}",
        effect="Background flushing may write more, so that fewer pages are left for the moment "
        "when writers have to wait.",
        confidence=Confidence.LOW if elsewhere else Confidence.MEDIUM,
        because="The server writes over twice the setting, which then limits little."
        if elsewhere
        else "",
        knowledge=Knowledge.MEASURED,
        relieves=(Relief.up_to(Wait.CHECKPOINTS, 1.0),) if load.behind else (),
        risk="Low: more page writes, hence more wear.",
        cost_of_error="Pages that are written before they have collected their changes.",
        side_effects="Reads and commits share the drive with more page writes.",
    )


def _begin(facts: Facts, card: Card, load: FlushLoad, value: int) -> Answer:
    """Begin with what most servers need, where nobody knows what this one will write."""
    return card.recommend(
        facts.to(str(value)),
        saw=f"{card.says['saw']} What it will write is not known yet.",
        effect="Background flushing may write more, so that fewer pages are left for the moment "
        "when writers have to wait; the drive takes that beside reads and commits. Then look at "
        "what is written.",
        condition=At("plan to begin with", value, above=facts.now.number, say=PAGES),
        flips_when="the server's own page writes are known: watch it under load",
        confidence=Confidence.LOW,
        because="The drive was measured; the load was not.",
        knowledge=Knowledge.MEASURED,
        risk="Low: more page writes while the server is idle, hence more wear.",
        cost_of_error="Pages that are written before they have collected their changes.",
        side_effects="Reads and commits share the drive with more page writes.",
    )


def _fine(version: ServerVersion, load: FlushLoad, planned: float) -> str:
    if load.written_per_s is None:
        return (
            "Fine as it is. Under load it may grow to at most "
            f"{rate(round_down(load.room_per_s), 'pages')} on this drive."
        )
    if load.behind:
        return f"The setting is not what limits flushing, although {load.behind}."
    if goes_beyond(version) and load.written_per_s > planned:
        return "Fine as it is: adaptive flushing exceeds it, up to innodb_io_capacity_max."
    return FINE
