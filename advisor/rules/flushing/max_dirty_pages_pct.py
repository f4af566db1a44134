"""innodb_max_dirty_pages_pct and what makes the server flush.

## What it checks
Whether the limit on dirty pages is so low that pages are written before they have collected their
changes, or whether the pool has reached its limit.

## Why it matters
A page that stays dirty for a while is written once for many changes. With a limit of a few per cent
(a value often set before a shutdown and then forgotten) each change soon costs a page write, and
with doublewrite two. At the limit the server flushes with all of `innodb_io_capacity`, whatever the
redo log would allow. The default rose from 75 to 90 % in MySQL 8.0.3 and MariaDB 10.5.7.

## How it is judged
- `dirty` = dirty pages / pages of the pool at the end of the window.
- Limit of 50 % or more (our choice): fine, unless `dirty` has reached 90 % of it: then watch,
  flushing does not keep up and few clean pages are left for reads.
- Limit below 50 %: recommended the version's default where the limit is what makes the server
  write; fine where it is not. It is where `dirty` has reached 90 % of the limit, and with a
  low-water mark (`innodb_max_dirty_pages_pct_lwm`) from half of the limit on: between the mark and
  the limit flushing grows with the share of dirty pages.
- Without a status window a limit below 50 % is not judged.
- A server that writes less than 100 pages/s, and less than a quarter of what its drive flushes (our
  choices): fine.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'` under load.

## Risk and undo
Changes online. A clean shutdown has more pages to write. Lowering the limit below
`innodb_max_dirty_pages_pct_lwm` lowers that one too.

## When it is wrong
When a low limit is intended, for a shutdown soon to come. Recovery time depends on the redo log,
not on this limit.

## References
- MySQL reference manual, "Configuring Buffer Pool Flushing"
- MariaDB documentation, "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Card, Facts, Judged, Unjudged, rule
from advisor.rules.flushing._dirty_pages import DIRTY, dirty_pages
from advisor.variables.catalogue import span
from advisor.workload.flushing.checkpoint import of_limit
from advisor.workload.flushing.load import HARDLY, WRITES_MORE, WRITING, hardly_writes
from probes.figures import THIN, percent, rate

MARK = variable("innodb_max_dirty_pages_pct_lwm")
LOW, USUAL = 50.0, 75.0
AT_LIMIT, IN_PLAY = 0.9, 0.5


@rule(
    topic="Flushing",
    do="Find why flushing does not keep up",
    setting="innodb_max_dirty_pages_pct",
    uses=(*DIRTY, MARK, *WRITING),
    findings=("F62", "F67"),
    symptom_of=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Ask whether the limit is low, and whether it is what makes the server write."""
    now, dirty = facts.now, dirty_pages(facts)
    limit = f"{now.number:g}{THIN}%"
    low = At("limit", now.number, below=LOW, say=lambda value: f"{value:g}{THIN}%")
    if dirty is None:
        if not low:
            return facts.card(f"Up to {limit} of the pool may be dirty.", low).fine()
        return Unjudged(
            f"Up to {limit} of the pool may be dirty, which is little; how much of it is dirty is "
            "not known."
        )
    reached = At(
        "share of dirty pages",
        dirty.share * 100 / now.number if now.number else float(dirty.dirty > 0),
        of=f"{dirty.of} = {percent(dirty.share)}",
        least=IN_PLAY if low and _marked(facts) else AT_LIMIT,
        say=of_limit,
    )
    card = facts.card(
        f"Dirty pages are {percent(dirty.share)} of the pool; the limit is {limit}.",
        reached,
    )
    if not now.number:
        card = card.but(flips_when=f"{'no' if reached else 'any'} page is dirty under load")
    if not reached:
        return card.fine()
    if low and hardly_writes(facts):
        return card.fine(HARDLY, flips_when=WRITES_MORE)
    if low:
        return _raise(facts, card)
    return card.watch(
        "Flushing does not keep up, or starts too late: check innodb_io_capacity, "
        "innodb_max_dirty_pages_pct_lwm and the drive's page writes.",
    )


def _marked(facts: Facts) -> bool:
    """Whether flushing for dirty pages starts at a mark below the limit."""
    mark = facts.find(MARK)
    return mark is not None and 0 < mark.number < facts.now.number


def _raise(facts: Facts, card: Card) -> Judged:
    known = span(facts.version, facts.now.name)
    usual = float(known.default) if known is not None and known.default else USUAL
    written = facts.find(status("Innodb_pages_written"))
    writes = "" if written is None else f" The server now writes {rate(written, 'pages')}."
    return card.recommend(
        facts.to(f"{usual:g}"),
        effect=f"Pages collect more changes before they are written: fewer page writes.{writes}",
        valid="While the redo log is large enough to hold the changes of dirty pages.",
        risk="Low: a clean shutdown has more pages to write.",
        cost_of_error="Longer shutdowns, and fewer clean pages when reads need room.",
        side_effects="The checkpoint age grows; the redo log and adaptive flushing then control "
        "page writes.",
    )
