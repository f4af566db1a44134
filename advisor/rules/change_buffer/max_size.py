"""The change buffer's share of the buffer pool.

## What it checks
Whether the change buffer stands at `innodb_change_buffer_max_size`.

## Why it matters
The limit reserves nothing: a small buffer under a large limit costs nothing. At the limit the
server merges changes at once, in the foreground, and the buffer saves no read any more; its pages
are missing in the pool all the same.

## How it is judged
- `used = pages of the change buffer / (pages of the pool x limit)`.
- `innodb_change_buffering` is `none`: not applicable.
- Under 80 %: fine.
- 80 % or more, and a random read takes over 3 ms: recommended twice the limit, or what the
  buffer needs to stand below 80 %; at most 50 %.
- 80 % or more otherwise: watch. Where reads are cheap, less buffering is the better way.

## How to check by hand
"Ibuf: size" in SHOW ENGINE INNODB STATUS, in pages.

## Risk and undo
Changes online. A larger buffer takes pages from the data, and makes slow shutdowns slower.

## When it is wrong
When the buffer filled in one bulk load that is over.

## References
- MySQL reference manual, innodb_change_buffer_max_size
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, POOL_BUFFERED_CHANGES, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from advisor.workload.single_read import CURVE, SEEK_US, single_read_us
from probes import figures

SETTING = "innodb_change_buffer_max_size"
PAGES = status("Innodb_buffer_pool_pages_total")
FULL, MOST = 0.8, 50


@rule(
    topic="Reads",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        variable("innodb_change_buffering"),
        POOL_BUFFERED_CHANGES,
        PAGES,
    ),
    uses=(CURVE,),
    settings=(SETTING,),
    applies_to=(mysql("5.6.2"), mariadb("10.0", "11.0")),
)
def check(facts: Facts) -> Answer:
    """Ask how full the buffer is, then what a read costs."""
    buffering = facts.get(variable("innodb_change_buffering"))
    if buffering.text.lower() == "none":
        return Inapplicable("No changes are buffered, so no buffer needs a size.")
    now = facts.get(variable(SETTING))
    used = facts.get(POOL_BUFFERED_CHANGES)
    room = facts.get(PAGES) * now.number / 100
    if room <= 0:
        return Unjudged("The server tells a pool or a limit of the change buffer of 0.")
    formula = (
        f"{figures.count(used)} / ({figures.count(facts.get(PAGES))} x {now.number:g} %) = "
        f"{figures.percent(used / room)}"
    )
    saw = (
        f"The change buffer has {figures.count(used)} of the {figures.count(room)} pages that it "
        "may take."
    )
    if used < FULL * room:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"it has {figures.count(FULL * room)} pages or more",
            formula=formula,
            because="the server's own figures",
            valid="for this moment",
        )
    return _full(facts, now, saw, formula, FULL * room)


def _full(facts: Facts, now: Standing, saw: str, formula: str, bound: float) -> Judged:
    read_us = single_read_us(facts)
    enough = facts.get(POOL_BUFFERED_CHANGES) / (FULL * facts.get(PAGES)) * 100
    value = min(MOST, max(int(2 * now.number), int(enough) + 1))
    seeks = read_us is not None and read_us > SEEK_US and value > now.number
    told = "" if read_us is None else f"; {figures.duration_us(read_us)} a read"
    judged = Judged(
        Verdict.RECOMMEND if seeks else Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="More changes can wait for their pages before any is merged in the foreground."
        if seeks
        else "The buffer is full, and saves no read any more: a larger pool, or no buffering on a "
        "drive with cheap reads, are the better ways.",
        confidence=Confidence.MEDIUM,
        because="the buffer's pages were told at one moment",
        risk="Medium: the buffer takes more of the pool.",
        cost_of_error="more misses for data, slower shutdowns",
        side_effects="Slow shutdowns and recovery merge more.",
        flips_when=f"the buffer has fewer than {figures.count(bound)} pages",
        valid="while the load goes on as it is",
        gain=0.2 if seeks else 0.1,
        formula=formula + told,
    )
    if not seeks:
        return judged
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(value)))
