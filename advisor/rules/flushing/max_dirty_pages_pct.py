"""innodb_max_dirty_pages_pct and what makes the server flush.

## What it checks
Whether the limit on dirty pages is so low that pages are written before they have collected their
changes, or whether the pool stands at its limit.

## Why it matters
A page that stays dirty for a while is written once for many changes. With a limit of a few per cent
(a value often set before a shutdown and then forgotten) each change soon costs a page write, and
with doublewrite two. At the limit the server flushes with all of `innodb_io_capacity`, whatever the
redo log would allow. The default rose from 75 to 90 % in MySQL 8.0.3 and MariaDB 10.5.7.

## How it is judged
- `dirty` = dirty pages / pages of the pool at the end of the window.
- Limit of 50 % or more: fine, unless `dirty` stands at 90 % of it: then watch, flushing does not
  keep up and few clean pages are left for reads.
- Limit below 50 %: recommended the version's default where the limit is what makes the server
  write; fine where it is not. It does where `dirty` stands at 90 % of the limit, and with a
  low-water mark (`innodb_max_dirty_pages_pct_lwm`) from half of the limit on, for between the mark
  and the limit flushing grows with the share of dirty pages.
- Before any window is known, a limit below 50 % is not judged.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'` under load.

## Risk and undo
Changes online. A clean shutdown has more pages to write. Lowering the limit below
`innodb_max_dirty_pages_pct_lwm` drags that one down too.

## When it is wrong
When a low limit is wanted, for a shutdown soon to come. Time to recover hangs on the redo log and
not on this limit.

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
from advisor.rules.flushing._flush_state import DIRTY, Fill, dirty_pages
from advisor.variables.catalogue import span
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_max_dirty_pages_pct"
MARK = variable("innodb_max_dirty_pages_pct_lwm")
LOW, USUAL = 50.0, 75.0
AT_LIMIT, IN_PLAY = 0.9, 0.5


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(*DIRTY, MARK, status("Innodb_pages_written")),
    settings=(SETTING,),
    findings=("F62", "F67"),
)
def check(facts: Facts) -> Answer:
    """Ask whether the limit is low, and whether it is what makes the server write."""
    now = facts.get(variable(SETTING))
    dirty = dirty_pages(facts)
    limit = f"{now.number:g}{figures.THIN}%"
    if dirty is None:
        if now.number >= LOW:
            saw = f"Up to {limit} of the pool may be dirty."
            return _fine(saw, now, "", _flips_at(now, AT_LIMIT))
        return Unjudged(
            f"Up to {limit} of the pool may be dirty, which is little; how much of it is dirty was "
            "not seen."
        )
    saw = (
        f"Up to {limit} of the pool may be dirty, and {figures.percent(dirty.share)} of its pages "
        "are."
    )
    reached = dirty.share * 100 / now.number if now.number else float(dirty.part > 0)
    if now.number >= LOW:
        at_limit = reached >= AT_LIMIT
        return (
            _at_limit(now, saw, dirty)
            if at_limit
            else _fine(saw, now, dirty.said, _flips_at(now, AT_LIMIT))
        )
    share = IN_PLAY if _marked(facts, now) else AT_LIMIT
    if reached >= share:
        return _raise(facts, now, saw, dirty, share)
    return _fine(saw, now, dirty.said, _flips_at(now, share))


def _marked(facts: Facts, now: Standing) -> bool:
    """Whether flushing for dirty pages starts at a mark below the limit."""
    mark = facts.find(MARK)
    return mark is not None and 0 < mark.number < now.number


def _flips_at(now: Standing, share: float) -> str:
    if not now.number:
        return "any page is dirty under load"
    return f"{figures.percent(share * now.number / 100)} of the pool or more is dirty"


def _raise(facts: Facts, now: Standing, saw: str, dirty: Fill, share: float) -> Judged:
    version = facts.get(MYSQL_VERSION)
    known = span(version, SETTING)
    usual = float(known.default) if known is not None and known.default else USUAL
    written = facts.find(status("Innodb_pages_written"))
    writes = "" if written is None else f" Now {figures.rate(written, 'pages')} are written."
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect=f"Pages collect more changes before they are written: fewer page writes.{writes}",
        confidence=Confidence.MEDIUM,
        because="the limit and the dirty pages were told; how many writes are saved was not tried",
        risk="Low: a clean shutdown has more pages to write.",
        cost_of_error="longer shutdowns, and fewer clean pages when reads need room",
        side_effects="The checkpoint is further behind; the redo log and adaptive flushing rule "
        "the writing in its place.",
        flips_when=f"less than {figures.percent(share * now.number / 100)} of the pool is dirty"
        " under load"
        if now.number
        else "no page is dirty under load",
        valid="while the redo log is large enough to hold the changes of dirty pages",
        gain=0.25,
        formula=f"{dirty.said}, against {now.number:g} %",
    ).by(change(version, now, f"{usual:g}"))


def _at_limit(now: Standing, saw: str, dirty: Fill) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="Flushing does not keep up, or nothing makes it start earlier: look at "
        "innodb_io_capacity, at innodb_max_dirty_pages_pct_lwm and at the drive's page writes.",
        confidence=Confidence.MEDIUM,
        because="the limit and the dirty pages were told by the server",
        cost_of_error="none: nothing is changed",
        flips_when=f"less than {figures.percent(AT_LIMIT * now.number / 100)} of the pool is dirty",
        valid="for loads like the window's",
        gain=0.35,
        formula=f"{dirty.said}, against {now.number:g} %",
    )


def _fine(saw: str, now: Standing, said: str, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=f"{said}, against {now.number:g} %" if said else f"{now.number:g} % >= {LOW:g} %",
        because="the server's own counters" if said else "the setting was told by the server",
        valid="for loads like the window's",
    )
