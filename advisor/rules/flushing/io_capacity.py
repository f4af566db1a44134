"""innodb_io_capacity against what the drive takes and the server writes.

## What it checks
Whether `innodb_io_capacity` is more than the drive can write, far more than the server needs, or
so little that flushing falls behind.

## Why it matters
The setting is the page writes per second that background flushing plans with. From MySQL 5.6 on it
rules idle flushing, flushing for the sake of dirty pages and change buffer merges; flushing for the
redo log's sake goes beyond it, up to `innodb_io_capacity_max`. A figure copied from the drive's
rating costs throughput: published TPC-C runs on 8.0 lose some per cent to over ten when it is
raised beyond what keeps up, because pages are written before they have collected their changes. On
MariaDB a figure that is too low lets the checkpoint age grow until all writers stall.

## How it is judged
- `knee` = writes/s at the knee of the measured random write curve (the smallest concurrency with
  90 % of the peak). `flushed` = pages/s that flushing gave where it was measured in the server's
  own way of doublewrite.
- `ceiling` = the knee, or 1.25 x `flushed` where that is less. More than that is never right.
- `budget` = `flushed`, at most the knee; where it was not measured, half of the knee while
  doublewrite writes every page twice, else the knee.
- Where reads and commits were measured beside flushing (the mixed probe), `bearable` is the rate
  up to which none of their medians and p99 grows by a quarter; it lowers the budget, but
  on MariaDB and MySQL 5.5 not below 1.5 times what the server writes, for that has to be written.
- Too high: `io_capacity > ceiling` or `io_capacity > bearable`; on MySQL 5.7+ also above 5,000
  (or the version's default, if larger) while the server writes less than a quarter of it.
  Proposed: twice what the server writes over the status window, at least 1,000, at most the
  budget. Without a window, or in one with less than 100 page writes per second: 5,000 or the
  budget.
- Too low: MySQL 5.6+ when flushing is behind (dirty pages at 90 % of
  `innodb_max_dirty_pages_pct`) and the server writes more than the setting. MariaDB and MySQL 5.5
  also when writing stands at 90 % of the setting, with low confidence when it is over twice the
  setting, which then holds little back; MariaDB when the checkpoint age passes 75 % of its limit.
- While doublewrite is to be switched, this waits: what flushing gives depends on it.
- MySQL 5.6 multiplies the setting by `innodb_buffer_pool_instances`; all others share it.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_pages_written'` twice, ten seconds apart under load, and divide
the difference by ten. Compare with the drive's random write curve.

## Risk and undo
Changes at once, can be undone at once. Too high: more wear and latency peaks. Too low: a growing
checkpoint age. MySQL cuts a value above `innodb_io_capacity_max` to it, so the maximum goes
first.

## When it is wrong
When the window shows a quiet hour: look again under load. When a network volume's burst credit
was measured. When many of the pages that are written make room for reads: those the setting does
not hold back. On MySQL 5.6.14 with several instances the limit was seen not to hold at all.

## References
- MySQL 8.0 and 9.4 reference manuals, "Configuring InnoDB I/O Capacity"
- Percona blog, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!" (2019)
- M. Callaghan, posts on flush list and LRU flushing in MySQL 5.6 (2013)
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.model.round_figures import round_down
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload.flush_load import NEEDS, USES, FlushLoad, flush_load
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_io_capacity"
BEYOND = 2.0
"""A server that writes so many times its setting does it in ways that the setting does not rule."""


@rule(
    topic="Flushing",
    needs=(variable("innodb_io_capacity"), *NEEDS),
    uses=(variable("innodb_io_capacity_max"), *USES),
    settings=(SETTING,),
    applies_to=(mysql("5.5"), mariadb("10.0")),
    findings=("F11", "F62", "F63", "F64", "F65", "F66", "F67", "B03", "B04", "B14"),
    waits_for=("durability.doublewrite", "doublewrite.on-zfs"),
)
def check(facts: Facts) -> Answer:
    """Hold the setting between what the server writes and what the drive takes."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable("innodb_io_capacity"))
    load = flush_load(facts)
    planned = now.number * load.ways
    why = load.too_much(version, now)
    if why:
        return _lower(version, now, load, why)
    raised = _raised(version, now, load)
    if raised is not None:
        most = facts.find(variable("innodb_io_capacity_max"))
        return _raise(version, now, load, raised, most)
    return Judged(
        Verdict.FINE,
        _saw(now, load),
        SETTING,
        now.now,
        effect=_fine_effect(version, load, planned),
        flips_when=_flips_when(version, load, planned),
        formula=_formula(now, load),
        because=_because(load),
        valid="for the drive that was measured and loads like the window's",
    )


def _raised(version: ServerVersion, now: Standing, load: FlushLoad) -> int | None:
    written, planned = load.written_per_s, now.number * load.ways
    if written is None:
        return None
    if version.at_least(MYSQL, 5, 6):
        wanted = (
            load.keeps_up(1.1, 0.0, load.room_per_s) if load.behind and written > planned else 0
        )
    else:
        wanted = (
            load.keeps_up(2.0, 0.0, load.room_per_s)
            if load.behind or written >= 0.9 * planned
            else 0
        )
    return wanted if wanted > 1.1 * now.number else None


def _lower(version: ServerVersion, now: Standing, load: FlushLoad, why: str) -> Judged:
    over = now.number * load.ways > load.ceiling_per_s
    return Judged(
        Verdict.RECOMMEND,
        f"{_saw(now, load)} {why}",
        SETTING,
        now.now,
        effect="Fewer, fuller page writes and smaller latency peaks; on MySQL 8.0 published runs "
        "gain some per cent of throughput.",
        confidence=Confidence.MEDIUM if load.bend.reached and load.ways == 1 else Confidence.LOW,
        because=_because(load),
        risk="Low: if dirty pages or the checkpoint age grow under load, raise it again.",
        cost_of_error="more dirty pages, and a fuller redo log, until it is raised again",
        side_effects="Idle flushing and merges of the change buffer are slower; the next limit is "
        "innodb_io_capacity_max.",
        flips_when=_lower_flips_when(version, load, now.number * load.ways, over=over),
        valid="for the drive that was measured and loads like the window's",
        formula=_formula(now, load),
        gain=0.35 if over or load.hurts(now.number * load.ways) else 0.15,
    ).by(change(version, now, str(load.calm())))


def _lower_flips_when(
    version: ServerVersion, load: FlushLoad, planned: float, *, over: bool
) -> str:
    """Name all that stands against the plan: it is right only when nothing does."""
    against = [load.met_when(planned)] if over else []
    if load.hurts(planned):
        against.append(f"reads and commits bear {figures.rate(planned, 'flushed pages')} or more")
    if load.needless(version, planned):
        against.append(f"the server writes {figures.rate(planned / 4, 'pages')} or more")
    return " and ".join(against)


def _raise(
    version: ServerVersion, now: Standing, load: FlushLoad, value: int, most: Standing | None
) -> Judged:
    roof = max(value, min(2 * value, round_down(load.budget_per_s / load.ways)))
    first = ((most, str(roof)),) if most is not None and most.number < value else ()
    planned = now.number * load.ways
    elsewhere = not load.behind and (load.written_per_s or 0.0) > BEYOND * planned
    why = f"Flushing is behind: {load.behind}." if load.behind else "Writing stands at the limit."
    return Judged(
        Verdict.RECOMMEND,
        f"{_saw(now, load)} {why}",
        SETTING,
        now.now,
        effect=f"Background flushing may write up to {figures.rate(value * load.ways, 'pages')}, "
        "so that fewer pages are left for the moment when writers have to wait.",
        confidence=Confidence.LOW if elsewhere else Confidence.MEDIUM,
        because=_because(load)
        + ("; so much more than the setting is written that it holds little back" * elsewhere),
        risk="Low: more page writes, hence more wear.",
        cost_of_error="pages that are written before they have collected their changes",
        side_effects="Reads and commits share the drive with more page writes.",
        flips_when=_raise_flips_when(version, load, now.number * load.ways),
        valid="for the drive that was measured and loads like the window's",
        formula=_formula(now, load),
        gain=0.5 if load.behind else 0.35,
    ).by(change(version, now, str(value), first=first))


def _raise_flips_when(version: ServerVersion, load: FlushLoad, planned: float) -> str:
    if version.at_least(MYSQL, 5, 6):
        most = figures.rate(planned, "pages")
        return f"flushing keeps up, or the server writes {most} or less"
    less = f"the server writes less than {figures.rate(0.9 * planned, 'pages')}"
    return f"flushing keeps up while {less}" if load.behind else less


def _formula(now: Standing, load: FlushLoad) -> str:
    """Put the planned rate beside what the drive gives and what is left for pages."""
    parts = [f"{load.planned(now)} planned", load.figures]
    if load.bearable_per_s is not None:
        parts.append(f"{figures.count(load.bearable_per_s)} borne by reads and commits")
    if load.written_per_s is not None:
        parts.append(f"{figures.count(load.written_per_s)} written")
    return "; ".join(parts)


def _because(load: FlushLoad) -> str:
    drive = (
        "the drive's limit was measured"
        if load.bend.reached
        else "the drive's limit was not reached"
    )
    if load.written_per_s is None:
        return f"{drive}; what the server writes was not seen"
    return f"{drive}, and the server's writes were counted over the window"


def _saw(now: Standing, load: FlushLoad) -> str:
    whose = "The default" if now.default else "The server"
    writes = (
        ""
        if load.written_per_s is None
        else f", and the server writes {figures.rate(load.written_per_s, 'pages')}"
    )
    return f"{whose} plans with {load.planned(now)}; {load.drive}{writes}."


def _fine_effect(version: ServerVersion, load: FlushLoad, planned: float) -> str:
    if load.written_per_s is None:
        return (
            "Fine as it is. Under load it may grow to at most "
            f"{figures.rate(round_down(load.room_per_s), 'pages')} on this drive."
        )
    if load.behind:
        return f"The setting is not what holds flushing back, although {load.behind}."
    if version.at_least(MYSQL, 5, 6) and load.written_per_s > planned:
        return "Fine as it is: adaptive flushing goes beyond it, up to innodb_io_capacity_max."
    return "Fine as it is."


def _flips_when(version: ServerVersion, load: FlushLoad, planned: float) -> str:
    drive = load.missed_when(planned)
    if version.at_least(MYSQL, 5, 6):
        most = figures.rate(planned, "pages")
        return f"{drive}, or flushing falls behind while more than {most} are written"
    return f"{drive}, or the server writes {figures.rate(0.9 * planned, 'pages')} or more"
