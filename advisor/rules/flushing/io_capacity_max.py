"""innodb_io_capacity_max against what the drive takes and the server writes.

## What it checks
Whether the cap on flushing is above what the drive can write, or so low that flushing stands at it.

## Why it matters
When redo fills up, adaptive flushing writes up to this cap, whatever `innodb_io_capacity` says. A
cap above what the drive takes buys no page more, only a longer queue in which reads and commits
wait too. A cap
that is reached all the time leaves pages behind until the redo log is full and every writer stops.

## How it is judged
- `knee` = writes/s at the knee of the measured random write curve; `flushed` = pages/s that
  flushing gave where it was measured in the server's own way of doublewrite. `ceiling` = the knee,
  or 1.25 x `flushed` where that is less. `budget` = `flushed`, at most the knee; where it was not
  measured, half of the knee while doublewrite writes every page twice.
- Too high: `io_capacity_max > ceiling`; proposed: the ceiling where flushing was measured, else the
  budget, not below `innodb_io_capacity`: a cap that is too low stops writers. On
  MySQL 5.7+ also above 20,000 (or the version's default) while the server writes less than
  a quarter of it: the manual calls more than that rarely useful; proposed: twice what is written.
- Too low: the server writes at 90 % of the cap or more; proposed: twice what it writes, within the
  budget. When the budget is no higher, the drive is the limit and the verdict is "watch". While the
  redo log is filled to less than half of what it may hold, the cap holds nothing back: fine.
- While doublewrite is to be switched, this waits: what flushing gives depends on it.
- MySQL 5.6 multiplies the cap by `innodb_buffer_pool_instances`.

## How to check by hand
Compare `Innodb_pages_written` per second under load with the setting and with the write curve.

## Risk and undo
Changes at once, can be undone at once. MySQL lifts the cap back to `innodb_io_capacity` when it is
set below it, so that one is lowered first; MariaDB lowers `innodb_io_capacity` by itself.

## When it is wrong
When the run was too short for the drive's cache or burst credit: the sustained knee is then lower.
While `innodb_flush_sync` is ON, a full redo log overrides the cap anyway. Pages that are written to
make room for reads count among the written ones, too.

## References
- Percona blog, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!" (2019) and "Tuning
  MySQL/InnoDB Flushing for a Write-Intensive Workload" (2020)
- MySQL reference manual, innodb_io_capacity_max
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
from advisor.rules.flushing._flush_state import REDO, Fill, redo_fill
from advisor.variables.catalogue import MYSQL, span
from advisor.variables.standing import Standing
from advisor.workload.flush_load import LOWEST, NEEDS, USES, FlushLoad, flush_load
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_io_capacity_max"
RARELY_USEFUL = 20_000
HALF = 0.5
BECAUSE = "the drive was measured, and the server's writes were counted where there was a window"
VALID = "for the drive that was measured and loads like the window's"


@rule(
    topic="Flushing",
    needs=(variable("innodb_io_capacity_max"), *NEEDS),
    uses=(variable("innodb_io_capacity"), *USES, *(name for name in REDO if name not in USES)),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F62", "F63", "B03", "B14"),
    waits_for=("durability.doublewrite", "doublewrite.on-zfs"),
)
def check(facts: Facts) -> Answer:
    """Keep the cap below what the drive takes and above what the server writes."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable("innodb_io_capacity_max"))
    base = facts.find(variable("innodb_io_capacity"))
    load = flush_load(facts)
    cap = now.number * load.ways
    if cap > load.ceiling_per_s:
        given = load.budget_per_s if load.flushed_per_s is None else load.ceiling_per_s
        most = round_down(given / load.ways)
        if _needless(version, load, most * load.ways):
            most = load.keeps_up(2.0, 2000.0, load.budget_per_s)
        return _lower(version, now, base, load, most=most, over=True)
    if _needless(version, load, cap):
        enough = load.keeps_up(2.0, 2000.0, load.budget_per_s)
        return _lower(version, now, base, load, most=enough, over=False)
    if load.written_per_s is not None and load.written_per_s >= 0.9 * cap:
        fill = redo_fill(facts)
        roomy = fill is not None and fill.share < HALF
        return _roomy(now, load, fill) if fill and roomy else _at_the_cap(version, now, load)
    flips = (
        f"{load.missed_when(cap)}, or the server writes {figures.rate(0.9 * cap, 'pages')} or more"
    )
    return _fine(now, load, _saw(now, load), flips)


def _fine(now: Standing, load: FlushLoad, saw: str, flips_when: str, effect: str = "") -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect=effect or "Fine as it is.",
        flips_when=flips_when,
        formula=_formula(now, load),
        because=BECAUSE,
        valid=VALID,
    )


def _roomy(now: Standing, load: FlushLoad, fill: Fill) -> Judged:
    """Leave a cap alone that no full redo log presses against."""
    return _fine(
        now,
        load,
        f"{_saw(now, load)} The redo log is filled to {figures.percent(fill.share)}.",
        f"the redo log is filled to {figures.percent(HALF)} or more",
        "Fine as it is: so much is written without a redo log that runs full; many of these pages "
        "may only make room for reads, which the cap does not hold back.",
    )


def _needless(version: ServerVersion, load: FlushLoad, cap_per_s: float) -> bool:
    """Whether a cap is beyond what is ever useful, and far beyond what the server writes."""
    demand = load.demand_per_s or cap_per_s
    return cap_per_s > _rarely_useful(version) and cap_per_s > 4 * demand


def _rarely_useful(version: ServerVersion) -> float:
    if not version.at_least(MYSQL, 5, 7):
        return float("inf")
    known = span(version, SETTING)
    return max(RARELY_USEFUL, float(known.default or 0) if known else 0)


def _lower(
    version: ServerVersion,
    now: Standing,
    base: Standing | None,
    load: FlushLoad,
    *,
    most: int,
    over: bool,
) -> Judged:
    """Lower a cap above what the drive takes (``over``), or far above what the server writes."""
    cap = now.number * load.ways
    why = load.above_all if over else "It is far more than the server writes."
    against = [load.met_when(cap)] if over else []
    if _needless(version, load, cap):
        against.append(f"the server writes {figures.rate(cap / 4, 'pages')} or more")
    kept = base is not None and not load.too_much(version, base)
    value = max(LOWEST, most, int(base.number) if base is not None and kept else 0)
    first = ((base, str(load.calm())),) if base is not None and base.number > value else ()
    return Judged(
        Verdict.RECOMMEND,
        f"{_saw(now, load)} {why}",
        SETTING,
        now.now,
        effect="When redo fills up, flushing asks for no more than the drive gives, so reads and "
        "commits do not queue behind page writes.",
        confidence=Confidence.MEDIUM if load.bend.reached and load.ways == 1 else Confidence.LOW,
        because=BECAUSE,
        risk="Low: watch the checkpoint age under load.",
        cost_of_error="a redo log that fills in a burst: then raise it again",
        side_effects="Pages stay dirty for longer in a burst.",
        valid=VALID,
        formula=_formula(now, load),
        flips_when=" and ".join(against),
        gain=0.3 if load.demand_per_s is not None else 0.15,
    ).by(change(version, now, str(value), first=first))


def _at_the_cap(version: ServerVersion, now: Standing, load: FlushLoad) -> Judged:
    value = load.keeps_up(2.0, 0.0, load.budget_per_s)
    at_cap = figures.rate(0.9 * now.number * load.ways, "pages")
    judged = Judged(
        Verdict.WATCH,
        f"{_saw(now, load)} Flushing stands at its cap.",
        SETTING,
        now.now,
        effect="The drive is the limit: it has no more page writes to give than the cap allows.",
        because=BECAUSE,
        risk="Writers stop when the redo log is full.",
        cost_of_error="none: nothing is changed",
        valid=VALID,
        formula=_formula(now, load),
        flips_when=f"the server writes less than {at_cap}",
        gain=0.4,
    )
    if value <= 1.1 * now.number:
        return judged
    return Judged(
        Verdict.RECOMMEND,
        judged.saw,
        SETTING,
        now.now,
        effect=f"Flushing may write up to {figures.rate(value * load.ways, 'pages')}, so that "
        "writers are not stopped by a full redo log.",
        because=BECAUSE,
        risk="Low: more page writes, hence more wear.",
        cost_of_error="reads and commits that queue behind page writes in a burst",
        side_effects="More page writes when the redo log fills.",
        valid=VALID,
        formula=_formula(now, load),
        flips_when=f"the server writes less than {at_cap}",
        gain=0.55,
    ).by(change(version, now, str(value)))


def _formula(now: Standing, load: FlushLoad) -> str:
    written = "" if load.written_per_s is None else f"; {figures.count(load.written_per_s)} written"
    return f"{load.planned(now)} at most; {load.figures}{written}"


def _saw(now: Standing, load: FlushLoad) -> str:
    whose = "The default caps" if now.default else "The server caps"
    writes = (
        ""
        if load.written_per_s is None
        else f", and the server writes {figures.rate(load.written_per_s, 'pages')}"
    )
    return f"{whose} flushing at {load.planned(now)}; {load.drive}{writes}."
