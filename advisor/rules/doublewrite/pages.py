"""innodb_doublewrite_pages, the pages that share one sync of their copies.

## What it checks
Whether doublewrite may gather enough pages before it writes and syncs their copies.

## Why it matters
Since MySQL 8.0.20 each flushing thread gathers copies, writes them in one piece and syncs once. Up
to 8.3 it gathers as many as there are write threads: 4. Then every fourth page costs a sync of
its own, and flushing falls behind on drives whose syncs are slow. 8.4 has 128. Counted on 8.0.33
under the same inserts: with 4, 6,951 pages took 1,741 batches and 3,955 syncs; with 128, 6,158
pages took 56 batches and 370 syncs.

## How it is judged
`syncs = pages written per second / innodb_doublewrite_pages`
- 32 or more: fine. Fewer: 128 is proposed, 8.4's default; only watched while less than 100 pages/s
  are written, for then it is worth no restart of its own.
- doublewrite off: the setting does nothing.

## How to check by hand
`SELECT @@innodb_doublewrite_pages;`

## Risk and undo
Takes a restart and a little disk space (a page per page). Protection is the same.

## When it is wrong
With `O_DIRECT_NO_FSYNC` fewer syncs are made, and the gain is smaller.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
- MySQL Shell, upgrade checker: defaults that change with 8.4
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_doublewrite_pages"
ENOUGH, WANTED = 32, 128
QUIET = 100
"""Fewer page writes per second than this do not tell what a batch holds."""


@rule(
    topic="Doublewrite",
    needs=(
        MYSQL_VERSION,
        variable("innodb_doublewrite_pages"),
        variable("innodb_doublewrite"),
    ),
    uses=(status("Innodb_pages_written"), REDO_FDATASYNC),
    settings=(SETTING,),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F54", "F56"),
)
def check(facts: Facts) -> Answer:
    """Let enough pages share a sync."""
    if facts.get(variable("innodb_doublewrite")).text.upper() in {"OFF", "0"}:
        return Inapplicable("Doublewrite is off, so that it gathers nothing.")
    now = facts.get(variable("innodb_doublewrite_pages"))
    busy, formula = _busy(facts, now)
    judged = Judged(
        Verdict.FINE,
        f"Doublewrite gathers up to {now.text} pages before it writes and syncs their copies.",
        SETTING,
        now.now,
        effect="Fine as it is: many pages share a sync.",
        confidence=Confidence.HIGH,
        flips_when=f"it is below {ENOUGH}",
        formula=formula,
        valid="While doublewrite is on.",
        because="It is the version's own later default, and made a tenth of the syncs on an 8.0.33 "
        "that was looked at; this server's gain was not measured.",
        cost_of_error="A restart, and a few MiB of disk.",
    )
    if now.number >= ENOUGH:
        return judged
    written = facts.find(status("Innodb_pages_written"))
    quiet = written is not None and written < QUIET
    return replace(
        judged,
        verdict=Verdict.WATCH if quiet else Verdict.RECOMMEND,
        effect=f"Up to {WANTED} pages share a sync instead of {now.text}: flushing spends less "
        f"time on syncs{'. With the next restart: it writes little now.' if quiet else '.'}",
        confidence=Confidence.MEDIUM,
        risk="Low: it takes a restart.",
        flips_when=f"it is {ENOUGH} or more"
        + (f", or the server writes {figures.rate(QUIET, 'pages')}" if quiet else ""),
        gain=0.1 if quiet else 0.15 + min(0.35, busy),
    ).by(change(facts.get(MYSQL_VERSION), now, str(WANTED)))


def _busy(facts: Facts, now: Standing) -> tuple[float, str]:
    """Give the share of a second that syncs of copies take, as far as it is known."""
    written = facts.find(status("Innodb_pages_written"))
    if written is None or written < QUIET or now.number < 1:
        return 0.0, f"{now.text} pages share a sync; enough from {ENOUGH}"
    syncs = written / now.number
    formula = (
        f"syncs = {figures.rate(written, 'pages')} / {now.text} = {figures.rate(syncs)} at least"
    )
    point = facts.find(REDO_FDATASYNC)
    if point is None:
        return 0.0, formula
    busy = syncs * point.latency.p50_us / 1e6
    takes = figures.duration_us(point.latency.p50_us)
    return busy, f"{formula}, x {takes} = {figures.seconds(busy)} of syncs per second"
