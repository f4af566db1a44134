"""The pages that doublewrite copies per batch.

## What it checks
The mean number of pages in a batch of doublewrite over the window.

## Why it matters
Doublewrite is cheap because many pages share one large write and the syncs of a batch: one of the
copies and one of the data files, and with `O_DIRECT` on MySQL 8.0.20 and newer the latter alone.
When batches hold few pages, each page costs nearly a sync of its own: because the setting keeps
batches small, because queries have to free pages one by one, or because there is little to flush.

## How it is judged
`fill = pages copied / batches written`, over the window; `syncs = batches/s x syncs of a batch x a
sync`, on the data's drive: the server's own under its load, else as measured.
- 8 pages or more, or less than a tenth of the time spent on syncs (our choices): fine.
- fewer: watch, with more weight the more time its syncs take.
- less than 50 pages/s: not judged.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_dblwr%';` twice, under load

## Risk and undo
Nothing is changed.

## When it is wrong
On a calm server batches are small because there is little to write.

## References
- MySQL 8.0 reference manual, "Doublewrite Buffer"; MySQL worklog 5655; MySQL 8.0 and 9.x sources,
  buf0dblwr.cc, is_fsync_required and write_complete
- MariaDB documentation, "InnoDB Doublewrite Buffer"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.rulekit import Answer, At, Condition, Facts, Unjudged, rule
from advisor.rules.doublewrite._syncs import METHOD, SYNC_USES, data_sync_us, syncs_of_a_batch
from probes.figures import duration_us, percent, rate

FULL, QUIET_PER_S = 8.0, 50.0
CHEAP = 0.1


@rule(
    topic="Doublewrite",
    do="Find why doublewrite's batches are small",
    needs=(
        MYSQL_VERSION,
        status("Innodb_dblwr_pages_written"),
        status("Innodb_dblwr_writes"),
    ),
    uses=(*SYNC_USES, METHOD),
    findings=("F51", "F53", "F54"),
    symptom_of=("doublewrite.pages", "buffer-pool.size"),
)
def check(facts: Facts) -> Answer:
    """Count the pages that share a batch."""
    pages = facts.get(status("Innodb_dblwr_pages_written"))
    batches = facts.get(status("Innodb_dblwr_writes"))
    if pages < QUIET_PER_S or batches <= 0:
        return Unjudged(f"Doublewrite copied only {rate(pages, 'pages')} in the window.")
    expensive: Condition = At(
        "batch size",
        pages / batches,
        of=f"{rate(pages, 'pages')} / {rate(batches, 'batches')}",
        below=FULL,
        say=_pages,
    )
    takes_us, each = data_sync_us(facts), syncs_of_a_batch(facts)
    busy = None if takes_us is None else batches * each * takes_us / 1e6
    syncs = ""
    if takes_us is not None and busy is not None:
        syncs = f"; syncs take at most {percent(busy)} of the time"
        of = f"{rate(batches)} x {each} x {duration_us(takes_us)}"
        expensive &= At("time spent on syncs", busy, of=of, least=CHEAP, say=percent)
    card = facts.card(
        f"Doublewrite copies {rate(pages, 'pages')} in batches of {_pages(pages / batches)}"
        f"{syncs}.",
        expensive,
    )
    if not expensive:
        return card.fine("Fine as it is: its syncs are shared or cheap.")
    return card.watch(
        "Larger batches would share syncs: check innodb_doublewrite_pages, and that queries do not "
        "have to free pages themselves.",
        risk="Flushing falls behind under more load.",
    )


def _pages(number: float) -> str:
    return f"{number:.1f} pages"
