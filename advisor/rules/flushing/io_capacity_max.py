"""innodb_io_capacity_max against the drive's limit and the server's write rate.

## What it checks
Whether flushing may go further than the drive can write, or is held back by its upper limit.

## Why it matters
It is two things. It bounds the pages that a second of background flushing may write. And it sets
how eager adaptive flushing is at every checkpoint age above `innodb_adaptive_flushing_lwm`: MySQL
and MariaDB aim at `io_capacity_max x age^1.5 / 750` pages/s for the log, with the age in per cent
of its limit, averaged with two other figures; `innodb_io_capacity` cancels out. At an age of 50 %
2,000 ask for 940 pages/s and 20,000 for 9,400. So a tenfold value makes flushing ten times as eager
all the time, and pages are written before they have collected their changes; a value above what the
drive sustains adds no page writes, only a longer queue in which reads and commits wait. A value
that holds flushing back lets the log fill until every writer stalls.

## How it is judged
- `knee` = writes/s at the knee of the measured random write curve; `flushed` = pages/s that
  flushing gave where it was measured in the server's own way of doublewrite. `ceiling` = the knee,
  or 1.25 x `flushed` where that is less (our choice). `budget` = `flushed`, at most the knee; where
  it was not measured, half of the knee while doublewrite writes every page twice.
- Too high: `io_capacity_max > ceiling`, and above 400 (our choice); proposed: the ceiling where
  flushing was measured, else the budget, not below `innodb_io_capacity`: a limit that is too low
  stalls writers. On MySQL 5.7+ also above 20,000 (or the version's default) while the server writes
  less than a quarter of it: the manual calls more than that rarely useful; proposed: twice what is
  written.
- Where `innodb_io_capacity` is itself too high, though the drive fulfils it, both go down alike and
  in one step.
- Nothing that was counted gets slower by it, and it is planned only where it is asked for, while
  less than 80 % of what reads and commits tolerate is written (of the budget where that was not
  measured, and where the server uses less than half of its volume's limit on requests or bytes),
  the checkpoint age is below half of its limit, and flushing keeps up (our choices).
  Nor is one planned that reads and commits tolerate in full.
- Less than 100 pages/s are written, and less than a quarter of what the drive flushes (our
  choices): fine. So is a value that would fall by a fifth or less (our choice). Where a pool or a
  redo log is about to become another, only one above the ceiling is lowered, and to that.
- Too low: the server writes at 90 % to 200 % of it, and the checkpoint age is half of its limit or
  more, or not known; proposed: twice the present value, or 1.2 times what is written, never more at
  once, at most the budget and at most 20,000 (our choices). When the budget is no higher, the
  drive is the limit and the verdict is "watch".
- Writes beyond twice the limit: fine. Where the checkpoint age is late they are flushing for a full
  redo log, which overrides the limit; redo.capacity judges that log. Else they are LRU flushing and
  pages that queries flush themselves, which MySQL's limit does not rule (MariaDB bounds each round
  of LRU flushing by it, and starts as many rounds as are needed).
- While the checkpoint age is below half of its limit: fine.
- All servers divide the two as whole numbers: 1,500 beside 1,000 is as eager as 1,000. So what is
  proposed is a whole multiple of `innodb_io_capacity` as it is or becomes: twice that at least,
  where the ceiling and the present value, or its double, allow it; once that only where it is twice
  what the server writes (our choices).
- While the redo log or the buffer pool is to grow, or doublewrite is to be switched, this waits:
  how much has to be written depends on them. Twice the ceiling or more (our choice) does not wait
  for pool and log. It also waits for smaller records on ZFS, and for a limit of the volume that is
  to be raised: what the drive writes depends on them. Twice the ceiling does not wait for that
  purchase either.
- MySQL 5.6 multiplies it by `innodb_buffer_pool_instances`.

## How to check by hand
Compare `Innodb_pages_written` per second under load with the setting and with the write curve.

## Risk and undo
Changes at once, can be undone at once. MySQL lifts it back to `innodb_io_capacity` when it is set
below that, so that one is lowered first; MariaDB then lowers `innodb_io_capacity` too.

## When it is wrong
When the run was too short for the drive's cache or burst credit: the sustained knee is then lower.
While `innodb_flush_sync` is ON, a full redo log overrides the limit anyway.

## References
- MySQL 5.7, 8.0 and 9.x sources, buf0flu.cc, get_pct_for_lsn and
  page_cleaner_flush_pages_recommendation; MariaDB 10.11 sources, buf0flu.cc, the same and
  buf_flush_page_cleaner
- Percona blog, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!" (2019) and "Tuning
  MySQL/InnoDB Flushing for a Write-Intensive Workload" (2020)
- MySQL reference manual, innodb_io_capacity_max
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

import math

from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_down, round_up
from advisor.outcomes import Confidence
from advisor.rulekit import (
    FINE,
    Answer,
    At,
    Card,
    Condition,
    Facts,
    Is,
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
    RARELY_USEFUL,
    WORTH,
    beyond_drive,
    calm,
    enough,
    lowered_with,
    multiple,
    need_not_wait_for,
    raised,
    rarely_useful,
    too_high,
    unneeded,
    why_too_high,
)
from advisor.rules.flushing._unfelt import USES as OF_VOLUME
from advisor.rules.flushing._unfelt import unfelt
from advisor.variables.standing import Standing
from advisor.workload.flushing.checkpoint import CheckpointAge, checkpoint_age
from advisor.workload.flushing.load import (
    BEYOND,
    HARDLY,
    LOWEST,
    NEEDS,
    PAGES,
    USES,
    WRITES,
    FlushLoad,
    flush_load,
)

SETTING, BASE = "innodb_io_capacity_max", variable("innodb_io_capacity")
HALF = 0.5
AT_ONCE = 2
"""No more than this many times the present value is proposed: the eagerness of flushing grows with
it at every checkpoint age. Our choice."""
ROOM = 1.2
"""A limit that is raised leaves what is written so much room: else it is reached again at once. Our
choice."""


@rule(
    topic="Flushing",
    do="Buy a faster drive, or write less: flushing asks for all it has",
    setting=SETTING,
    needs=NEEDS,
    uses=(BASE, *USES, *OF_VOLUME),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F62", "F63", "B03", "B14"),
    waits_for=(*DECIDES_WRITES, *BUYS_DRIVE),
    safe_end=SafeEnd.NEAREST,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Keep it below what the drive sustains and above what the server writes."""
    now, load = facts.now, flush_load(facts)
    cap, ample = now.number * load.ways, rarely_useful(facts.version)
    over, far = beyond_drive(load, cap, LOWERED), unneeded(load, cap, ample)
    reached: Condition = Is(False, "")
    if load.written is not None:
        reached = At(WRITES, load.written, least=0.9 * cap, say=PAGES)
    card = facts.card(
        f"By {'default' if now.default else 'this setting'} flushing asks for at most "
        f"{load.planned(now)}; {load.drive}.",
        over | far,
        formula=load.figures,
    )
    if over:
        known = load.unseen or load.flushed_per_s is not None
        most = round_down((load.ceiling_per_s if known else load.budget_per_s) / load.ways)
        less = unneeded(load, most * load.ways, ample)
        return _lower(facts, card, load, enough(load) if less else most)
    if far:
        return _lower(facts, card, load, enough(load))
    if not reached:
        return card.fine(_fine(facts, load), condition=over | far | reached)
    elsewhere = At(WRITES, load.written or 0.0, above=BEYOND * cap, say=PAGES)
    age = checkpoint_age(facts)
    if elsewhere:
        return _beyond(card.but(condition=elsewhere), age)
    if age is not None and not (half := age.at_least(HALF)):
        return card.fine(
            "Fine as it is: the checkpoint age stays low at this write rate; many of these pages "
            "may be LRU flushing.",
            saw=f"{card.says['saw']} {age.text}",
            condition=reached & half,
        )
    return _at_the_cap(facts, card.but(condition=reached), load)


def _beyond(card: Card, age: CheckpointAge | None) -> Answer:
    """Say what writes far beyond the limit are, which it does not rule."""
    if age is not None and age.late:
        return card.fine(
            "Fine until the redo log has room: a full one overrides this limit, so what is written "
            "beyond it follows from the log's size.",
            saw=f"{card.says['saw']} {age.text}",
        )
    return card.fine(
        "Fine as it is: what is written beyond that is LRU flushing, and pages that queries "
        "flush themselves, which this limit does not rule."
    )


def _fine(facts: Facts, load: FlushLoad) -> str:
    """Say that it is fine; beside a plan that is too high, that it goes down with that one."""
    base, version = facts.find(BASE), facts.version
    planned = 0.0 if base is None else base.number * load.ways
    if base is None or load.hardly_writes or not too_high(load, version, planned):
        return FINE
    plan = calm(load, version, planned)
    if plan > WORTH * base.number or beyond_drive(load, planned):
        return FINE
    both = lowered_with(load, version, facts.now.number, base.number, plan)
    if both >= facts.now.number:
        return FINE
    return f"Fine for the drive; it goes down with innodb_io_capacity, to {both}."


def _lower(facts: Facts, card: Card, load: FlushLoad, most: int) -> Answer:
    """Lower what is above what the drive sustains, or far above what the server writes."""
    if quiet := load.hardly_writes:
        return card.fine(HARDLY, condition=quiet)
    cap = facts.now.number * load.ways
    value, first = _lowered(facts, load, max(LOWEST, most))
    if value > WORTH * facts.now.number:
        return card.fine("Fine as it is: it would fall by a fifth at most.")
    return card.recommend(
        facts.to(str(value), first=first),
        saw=f"{card.says['saw']} {why_too_high(load, cap)}",
        effect="When redo fills up, flushing asks for no more than the drive sustains, so reads "
        "and commits do not queue behind page writes.",
        confidence=Confidence.MEDIUM if load.bend.reached and load.ways == 1 else Confidence.LOW,
        risk="Low: watch the checkpoint age under load.",
        cost_of_error="A redo log that fills in a burst: then raise it again.",
        side_effects="Pages stay dirty for longer in a burst.",
        despite=need_not_wait_for(load, cap),
        slight=unfelt(facts, load) or _tolerated(load, cap),
    )


def _tolerated(load: FlushLoad, cap: float) -> bool:
    """Whether reads and commits hardly feel even all that the limit lets through."""
    return load.tolerated_per_s is not None and cap <= min(load.tolerated_per_s, load.ceiling_per_s)


def _lowered(
    facts: Facts, load: FlushLoad, most: int
) -> tuple[int, tuple[tuple[Standing, str], ...]]:
    """Give the limit for ``most``, and the plan beside it where that goes down in the same step.

    The limit is a multiple of the plan that then stands: of none that nobody has set.
    """
    base, now, version = facts.find(BASE), facts.now.number, facts.version
    if base is None:
        return most, ()
    plan = base.number * load.ways
    within = min(load.ceiling_per_s / load.ways, WORTH * now)
    if not too_high(load, version, plan):
        # A plan that is too low has room to go up: another change, which brings its own limit.
        own = raised(load, version, base.number) or int(base.number)
        wanted = multiple(load, max(most, own), own, within)
        return multiple(load, wanted, base.number, within), ()
    calmer = calm(load, version, plan)
    if base.number > most:
        return multiple(load, most, calmer, within), ((base, str(calmer)),)
    if calmer > WORTH * base.number:
        return multiple(load, most, base.number, within), ()
    return lowered_with(load, version, now, base.number, calmer), ((base, str(calmer)),)


def _at_the_cap(facts: Facts, card: Card, load: FlushLoad) -> Answer:
    card = card.but(relieves=(Relief.up_to(Wait.CHECKPOINTS, 1.0),))
    now = facts.now.number
    ample = rarely_useful(facts.version)
    most = min(load.budget_per_s, RARELY_USEFUL if math.isinf(ample) else ample) / load.ways
    written = (load.written_per_s or 0.0) / load.ways
    once = max(AT_ONCE * now, round_up(ROOM * written))
    value = round_down(min(once, max(now, most)))
    if (base := facts.find(BASE)) is not None:
        value = multiple(load, value, base.number, min(once, most))
    saw = f"{card.says['saw']} Page writes have reached that."
    if value <= 1.1 * now:
        return card.watch(
            "The drive is the limit: it sustains no more page writes than flushing asks for.",
            saw=saw,
            risk="Writers stall when the redo log is full.",
        )
    return card.recommend(
        facts.to(str(value)),
        saw=saw,
        effect="Flushing may write more, so that a full redo log does not stall writers. At every "
        "checkpoint age it becomes more eager by the same factor: watch again after an hour of "
        "load.",
        risk="Medium: pages are written earlier, with fewer changes each, so more of them.",
        cost_of_error="Reads and commits that queue behind page writes.",
        side_effects="More page writes all the time, not only when the redo log fills.",
    )
