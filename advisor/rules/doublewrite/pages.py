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
  are written: then it can wait for the next restart.
- doublewrite off: the setting has no effect.

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

from advisor.facts.known import REDO_SYNC_COST, status
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, mysql, number, rule
from advisor.rules.doublewrite._switched_off import DOUBLEWRITE, switched_off
from advisor.workload.sync_cost import sync_us
from probes.figures import duration_us, rate, seconds

ENOUGH, WANTED = 32, 128
QUIET = 100
"""Fewer page writes per second than this do not tell what a batch holds."""


@rule(
    topic="Doublewrite",
    setting="innodb_doublewrite_pages",
    needs=(DOUBLEWRITE,),
    uses=(status("Innodb_pages_written"), REDO_SYNC_COST),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F54", "F56"),
)
def check(facts: Facts) -> Answer:
    """Let enough pages share a sync."""
    if switched_off(facts):
        return Inapplicable("Doublewrite is off, so it gathers no pages.")
    now, written = facts.now, facts.find(status("Innodb_pages_written"))
    formula = _syncs(facts)
    few = At("the number of pages", now.number, below=ENOUGH, say=number())
    card = facts.card(
        f"Doublewrite gathers up to {now.text} pages before it writes and syncs their copies.",
        few,
        formula=formula,
        valid="While doublewrite is on.",
        because="128 is the default from 8.4 on, and cut syncs to a tenth on an 8.0.33; the gain "
        "on this server was not measured.",
    )
    if not few:
        return card.fine("Fine as it is: many pages share a sync.", confidence=Confidence.HIGH)
    quiet = written is not None and written < QUIET
    later = " Wait for the next restart: it writes little now." if quiet else ""
    busier = f", or the server writes {rate(QUIET, 'pages')}" if quiet else ""
    propose = card.consider if quiet else card.recommend
    return propose(
        facts.to(str(WANTED)),
        effect=f"Up to {WANTED} pages share a sync instead of {now.text}: flushing spends less "
        f"time on syncs.{later}",
        flips_when=f"{few.turn}{busier}",
        risk="Low: it takes a restart.",
        cost_of_error="A restart, and a few MiB of disk.",
    )


def _syncs(facts: Facts) -> str:
    """Say what syncs of copies take, as far as it is known."""
    now, written = facts.now, facts.find(status("Innodb_pages_written"))
    if written is None or written < QUIET or now.number < 1:
        return ""
    syncs = written / now.number
    formula = f"syncs = {rate(written, 'pages')} / {now.text} = {rate(syncs)} at least"
    takes_us = sync_us(facts)
    if takes_us is None:
        return formula
    busy = syncs * takes_us / 1e6
    takes = duration_us(takes_us)
    return f"{formula}, x {takes} = {seconds(busy)} of syncs per second"
