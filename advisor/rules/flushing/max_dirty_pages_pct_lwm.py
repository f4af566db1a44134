"""innodb_max_dirty_pages_pct_lwm: where early flushing starts.

## What it checks
Whether the server starts to flush well before it stands at its limit on dirty pages, and not from
the first dirty page on.

## Why it matters
Between the low-water mark and the limit, flushing grows with the share of dirty pages. Without a
mark (0: off on MySQL, the same as the limit on MariaDB), nothing is flushed for the sake of dirty
pages until the limit is reached, and then at full capacity. MySQL 8.0.3 made 10 % the default. A
mark next to zero, on MariaDB 0.001, writes nearly every changed page at once.

## How it is judged
- `dirty` = dirty pages / pages of the pool; `limit` = `innodb_max_dirty_pages_pct`.
- Off, or at 90 % of the limit or more, while `dirty` stands at 75 % of the limit or more:
  recommended 10 %, or a third of a limit below 30 %.
- On MariaDB, a mark above 0 and below 1 % while the server writes 90 % of `innodb_io_capacity` and
  the redo log is filled to less than a quarter: watch, pages are written too early.
- Else fine.

## How to check by hand
`SELECT @@innodb_max_dirty_pages_pct_lwm, @@innodb_max_dirty_pages_pct;`

## Risk and undo
Changes online. More page writes, spread more evenly. A mark above the limit is cut to it.

## When it is wrong
When writing comes in short bursts that fit into the pool: then waiting saves writes.

## References
- MySQL reference manual, "Configuring Buffer Pool Flushing"
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.flushing._flush_state import DIRTY, REDO, Fill, dirty_pages, redo_fill
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_max_dirty_pages_pct_lwm"
LATE, PRESSED = 0.9, 0.75
USUAL, THIRD_BELOW = 10.0, 30.0
LEAST_LIMIT = 3.0
"""Below this no mark fits under the limit on dirty pages."""
EAGER, AT_CAPACITY, ROOMY = 1.0, 0.9, 0.25


@rule(
    topic="Flushing",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        variable("innodb_max_dirty_pages_pct"),
        *DIRTY,
    ),
    uses=(
        *REDO,
        status("Innodb_pages_written"),
        variable("innodb_io_capacity"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F67",),
)
def check(facts: Facts) -> Answer:
    """Look for a mark that is missing where dirty pages pile up, or that is next to nothing."""
    now = facts.get(variable(SETTING))
    limit = facts.get(variable("innodb_max_dirty_pages_pct")).number
    dirty = dirty_pages(facts)
    if dirty is None or limit <= 0:
        return Unjudged("The server tells a pool or a limit on dirty pages of 0.")
    mark = "nowhere" if not now.number else f"at {now.number:g}{figures.THIN}%"
    saw = (
        f"Early flushing starts {mark}, the limit is {limit:g}{figures.THIN}%, and "
        f"{figures.percent(dirty.share)} of the pool is dirty."
    )
    formula = f"{dirty.said}; the mark is {now.number:g} %, the limit {limit:g} %"
    late = not now.number or now.number >= LATE * limit
    if late and limit >= LEAST_LIMIT and dirty.share * 100 >= PRESSED * limit:
        return _earlier(facts, now, saw, formula, limit)
    eager = _eager(facts, now)
    if eager is not None:
        return _too_early(now, saw, f"{formula}; {eager.said}")
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=_flips_when(limit, late=late),
        formula=formula,
        because="the server's own counters",
        valid="for loads like the window's",
    )


def _flips_when(limit: float, *, late: bool) -> str:
    if limit < LEAST_LIMIT:
        return f"the limit is {LEAST_LIMIT:g} % or more"
    pressed = f"{figures.percent(PRESSED * limit / 100)} of the pool or more is dirty"
    return pressed if late else f"the mark is 0, or {LATE * limit:g} % or more, while {pressed}"


def _eager(facts: Facts, now: Standing) -> Fill | None:
    """Give the redo's fill where MariaDB flushes at capacity although nothing presses it."""
    version = facts.get(MYSQL_VERSION)
    written = facts.find(status("Innodb_pages_written"))
    capacity = facts.find(variable("innodb_io_capacity"))
    fill = redo_fill(facts)
    if not version.is_mariadb or not 0 < now.number < EAGER:
        return None
    if written is None or capacity is None or fill is None:
        return None
    busy = written >= AT_CAPACITY * capacity.number
    return fill if busy and fill.share < ROOMY else None


def _earlier(facts: Facts, now: Standing, saw: str, formula: str, limit: float) -> Judged:
    value = USUAL if limit >= THIRD_BELOW else max(1.0, round(limit / 3))
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="Flushing starts earlier and grows with the dirty pages, in place of setting in at "
        "full capacity at the limit.",
        confidence=Confidence.MEDIUM,
        because="the dirty pages were told; 10 % is the default since MySQL 8.0.3",
        risk="Low: somewhat more page writes.",
        cost_of_error="pages that are written once more than necessary",
        side_effects="More clean pages for reads, shorter shutdowns.",
        flips_when=f"less than {figures.percent(PRESSED * limit / 100)} of the pool is dirty",
        valid="for loads that write all the time",
        gain=0.3,
        formula=formula,
    ).by(change(facts.get(MYSQL_VERSION), now, f"{value:g}"))


def _too_early(now: Standing, saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="Pages are written at full capacity although neither the pool nor the redo log "
        "presses: fewer changes share a write, and the drive wears.",
        confidence=Confidence.LOW,
        because="the counters were told; that writes could be saved was not tried",
        cost_of_error="with a higher mark, more dirty pages when the load grows",
        flips_when=f"the redo log is filled to {figures.percent(ROOMY)} or more",
        valid="for loads like the window's",
        gain=0.12,
        formula=formula,
    )
