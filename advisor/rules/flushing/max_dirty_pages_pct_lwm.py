"""innodb_max_dirty_pages_pct_lwm: where early flushing starts.

## What it checks
Whether the server starts to flush well before it reaches its limit on dirty pages, and not from
the first dirty page on.

## Why it matters
Between the low-water mark and the limit, flushing grows with the share of dirty pages. Without a
mark (0: off on MySQL, the same as the limit on MariaDB), dirty pages are not flushed early:
flushing starts at the limit, and then at full capacity. MySQL 8.0.3 made 10 % the default. A mark
next to zero, on MariaDB 0.001, writes nearly every changed page at once.

## How it is judged
- `dirty` = dirty pages / pages of the pool; `limit` = `innodb_max_dirty_pages_pct`.
- Off, or at 90 % of the limit or more, while `dirty` is 75 % of the limit or more (our choices):
  recommended 10 %, or a third of a limit below 30 %.
- On MariaDB, a mark above 0 and below 1 % while the server writes 90 % of `innodb_io_capacity` and
  the checkpoint age is below a quarter of its limit: watch, pages are written too early.
- Else fine.
- A server that writes less than 100 pages/s, and less than a quarter of what its drive flushes (our
  choices): fine.

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

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Is, Unjudged, mariadb, mysql, rule
from advisor.rules.flushing._dirty_pages import DIRTY, dirty_pages
from advisor.workload.flushing.checkpoint import REDO, checkpoint_age
from advisor.workload.flushing.load import (
    HARDLY,
    PAGES,
    WRITES,
    WRITES_MORE,
    WRITING,
    hardly_writes,
)
from probes.figures import THIN, percent

LATE, PRESSED = 0.9, 0.75
USUAL, THIRD_BELOW = 10.0, 30.0
LEAST_LIMIT = 3.0
"""Below this no mark fits under the limit on dirty pages."""
EAGER, AT_CAPACITY, ROOMY = 1.0, 0.9, 0.25


@rule(
    topic="Flushing",
    do="Let flushing start later",
    setting="innodb_max_dirty_pages_pct_lwm",
    needs=(variable("innodb_max_dirty_pages_pct"), *DIRTY),
    uses=(*REDO, variable("innodb_io_capacity"), *WRITING),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F67",),
    # Dirty pages crowd a small pool; how many there are in a larger one is another question.
    symptom_of=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Look for a mark that is missing where dirty pages pile up, or that is next to zero."""
    mark, limit = facts.now.number, facts.get(variable("innodb_max_dirty_pages_pct")).number
    dirty = dirty_pages(facts)
    if dirty is None or limit <= 0:
        return Unjudged("The server reports a buffer pool or a limit on dirty pages of 0.")
    pressed = At(
        "share of dirty pages",
        dirty.share * 100,
        of=dirty.of,
        least=PRESSED * limit,
        say=lambda value: percent(value / 100),
    )
    bound = _setting(LATE * limit)
    late = Is(
        not mark or mark >= LATE * limit,
        f"the mark is 0 or at least {bound}",
        f"the mark is above 0 and below {bound}",
    )
    fits = At("limit", limit, least=LEAST_LIMIT, say=_setting)
    card = facts.card(
        f"Early flushing is {f'set to start at {_setting(mark)}' if mark else 'off'}, the limit is "
        f"{_setting(limit)}, and {percent(dirty.share)} of the pool is dirty.",
        late & fits & pressed,
    )
    if late and fits and pressed and hardly_writes(facts):
        return card.fine(HARDLY, flips_when=WRITES_MORE)
    if late and fits and pressed:
        return card.recommend(
            facts.to(f"{USUAL if limit >= THIRD_BELOW else max(1.0, round(limit / 3)):g}"),
            effect="Flushing starts earlier and grows with the dirty pages, instead of starting at "
            "full capacity at the limit.",
            because="10 % is the default since MySQL 8.0.3.",
            valid="For loads that write all the time.",
            risk="Low: somewhat more page writes.",
            cost_of_error="Pages that are written once more than necessary.",
            side_effects="More clean pages for reads, shorter shutdowns.",
        )
    if eager := _eager(facts):
        return card.watch(
            "Pages are written at full capacity although neither the pool nor the redo log is "
            "filling up: fewer changes share a write, and the drive wears.",
            condition=eager,
            confidence=Confidence.LOW,
            because="The counters show it; that writes could be saved was not tried.",
            cost_of_error="With a higher mark, more dirty pages when the load grows.",
        )
    return card.fine()


def _eager(facts: Facts) -> Condition:
    """Whether MariaDB flushes at capacity although the checkpoint age is low."""
    written, age = facts.find(status("Innodb_pages_written")), checkpoint_age(facts)
    capacity = facts.find(variable("innodb_io_capacity"))
    if not facts.version.is_mariadb or written is None or capacity is None or age is None:
        return Is(False, "")
    busy = At(WRITES, written, least=AT_CAPACITY * capacity.number, say=PAGES)
    tiny = At("mark", facts.now.number, below=EAGER, say=_setting)
    return Is(facts.now.number > 0, "", "") & tiny & busy & ~age.at_least(ROOMY)


def _setting(value: float) -> str:
    return f"{value:g}{THIN}%"
