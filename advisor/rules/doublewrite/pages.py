"""innodb_doublewrite_pages, the pages that share one batch and its syncs.

## What it checks
Whether doublewrite may gather enough pages before it writes their copies.

## Why it matters
Since MySQL 8.0.20 each flushing thread gathers copies, writes them in one piece, then writes the
pages to their places and syncs the data files. Up to 8.3 it gathers as many as there are write
threads: 4. Then every fourth page costs a sync, and flushing falls behind on drives whose syncs are
slow. 8.4 has 128. With `O_DIRECT` that is one sync for each batch; with `fsync` the copies are
synced as well, which makes two. Counted on 8.0.33 with `fsync` under the same inserts: with 4,
6,951 pages took 1,741 batches and 3,955 syncs; with 128, 6,158 pages took 56 batches and 370 syncs.

## How it is judged
`time = pages written per second / innodb_doublewrite_pages x syncs of a batch x a sync`: the
server's own sync of redo under its load, else as measured. Where redo has a drive of its own, one
of the binary log beside the data, else a flush of the data's drive, else as measured there.
- 32 pages or more (our choice), or less than 5 % of the time spent on syncs (our choice): fine.
- else 128 is proposed, 8.4's default. It is minor where a sync takes less than 1 ms.
- less than 100 pages/s are written, and less than a quarter of what the drive flushes (our
  choices): fine.
- `O_DIRECT_NO_FSYNC`: fine, for batches take no sync. Doublewrite off: the setting has no effect.
- A network volume whose syncs take 5 ms or more (our choice) is probably at its limit: not judged,
  for a restart is no answer to that.
- Flushing is known to keep up (by the checkpoint age), and no query waited for a free page: then
  the syncs are the page cleaners' alone, and no query's. It is minor, unless redo shares the data's
  drive and commits wait for a fifth of the time of queries (our choice) or nobody knows that. At a
  managed service it is fine, for a restart brings nothing then.
- While the relay log is to be synced less often: held back, for its syncs make all others longer.
- On ZFS whose records hold a page: fine, for doublewrite itself is not needed there.

## How to check by hand
`SELECT @@innodb_doublewrite_pages, @@innodb_flush_method;` and `Innodb_dblwr_writes` twice under
load.

## Risk and undo
Takes a restart and a little disk space (a page per page). Protection is the same.

## When it is wrong
When queries that need a free page write pages one by one: a batch then holds one page whatever is
set.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
- MySQL 8.0 and 9.x sources, buf0dblwr.cc, is_fsync_required and write_complete
- MySQL Shell, upgrade checker: defaults that change with 8.4
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.placement import STORAGE_REDO_APART
from advisor.facts.watched.watch import WATCH_RUNNING
from advisor.gain import STANDS_OUT
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Inapplicable, Unjudged, mysql, number, rule
from advisor.rules.doublewrite._switched_off import DOUBLEWRITE, switched_off
from advisor.rules.doublewrite._syncs import (
    CHEAP,
    METHOD,
    SYNC_USES,
    data_sync_us,
    syncs_of_a_batch,
)
from advisor.workload import far_drive
from advisor.workload.commit_waits import USES as OF_COMMITS
from advisor.workload.commit_waits import commits_waiting, relaxed
from advisor.workload.flushing.checkpoint import checkpoint_age, flushing_behind
from advisor.workload.flushing.load import HARDLY, WRITES_MORE, WRITING, hardly_writes
from advisor.workload.sync_cost import SLOW_US
from probes.figures import counted, duration_us, percent, rate
from probes.points import PAGE_BYTES

ENOUGH, WANTED = 32, 128
FREE_WAITS = status("Innodb_buffer_pool_wait_free")


@rule(
    topic="Doublewrite",
    setting="innodb_doublewrite_pages",
    needs=(DOUBLEWRITE,),
    uses=(
        status("Innodb_pages_written"),
        *SYNC_USES,
        METHOD,
        STORAGE_DATA,
        variable("innodb_page_size"),
        *far_drive.USES,
        MYSQL_VERSION,
        FREE_WAITS,
        WATCH_RUNNING,
        *(each for each in OF_COMMITS if each not in SYNC_USES),
        *WRITING,
    ),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F54", "F56"),
    waits_for=("durability.sync-relay-log",),
)
def check(facts: Facts) -> Answer:
    """Let enough pages share a sync."""
    if switched_off(facts):
        return Inapplicable("Doublewrite is off, so it gathers no pages.")
    now, each = facts.now, syncs_of_a_batch(facts)
    few = At("number of pages", now.number, below=ENOUGH, say=number())
    syncs = f", each of which takes {counted(each, 'sync')}" if each else ""
    card = facts.card(
        f"Doublewrite writes copies in batches of up to {now.value} pages{syncs}.",
        few,
        valid="While doublewrite is on.",
        because="128 is the default from 8.4 on, and cut syncs to a tenth on an 8.0.33; the gain "
        "on this server was not measured.",
    )
    if not few or not each:
        return card.fine(confidence=Confidence.HIGH)
    if _not_needed(facts):
        return card.fine(
            "ZFS never leaves half a page, so doublewrite itself is not needed there.",
            flips_when="the data moves to another file system",
        )
    written, takes_us = facts.find(status("Innodb_pages_written")), data_sync_us(facts)
    if written is None or takes_us is None:
        return Unjudged("The rate of page writes or the time of a sync is not known.")
    dear = At(
        "time spent on syncs",
        written / max(1.0, now.number) * each * takes_us / 1e6,
        of=f"{rate(written, 'pages')} / {now.value} x {each} x {duration_us(takes_us)}",
        least=CHEAP,
        say=percent,
    )
    if not dear:
        return card.fine("Fine as it is: its syncs are cheap at this rate.", condition=dear)
    return _larger_batches(facts, card.but(condition=few & dear), takes_us)


def _larger_batches(facts: Facts, card: Card, takes_us: float) -> Answer:
    """Propose them, unless it is the volume's limit that makes a sync long."""
    far = far_drive.far_drive(facts, of_redo=not facts.find(STORAGE_REDO_APART))
    if far.at_limit(takes_us):
        return Unjudged(
            f"A sync takes {duration_us(takes_us)} on {far.name}, which is probably at its limit: "
            "what fewer syncs bring is not known before that is over."
        )
    if hardly_writes(facts):
        return card.fine(HARDLY, flips_when=WRITES_MORE)
    keeps_up = _keeps_up(facts)
    if far.reach is far_drive.Reach.SERVICE and keeps_up:
        return card.fine(
            "Fine as it is: flushing keeps up, and a restart at the service would bring nothing.",
            flips_when="flushing falls behind, or queries wait for free pages",
        )
    return card.recommend(
        facts.to(str(WANTED)),
        slight=takes_us < SLOW_US or (keeps_up and not _delays_commits(facts)),
        effect=f"Up to {WANTED} pages share what {facts.now.value} share now: flushing spends less "
        "time on syncs.",
        risk="Low: it takes a restart.",
        cost_of_error="A restart, and a few MiB of disk.",
    )


def _keeps_up(facts: Facts) -> bool:
    """Whether no query is known to wait for flushing, and nothing that shows it is unknown."""
    age = checkpoint_age(facts)
    return age is not None and not flushing_behind(facts) and facts.find(FREE_WAITS) == 0.0


def _delays_commits(facts: Facts) -> bool:
    """Whether commits may wait behind these syncs, and their waits stand out or are not known."""
    if facts.find(STORAGE_REDO_APART) or relaxed(facts):
        return False
    commits, running = commits_waiting(facts), facts.find(WATCH_RUNNING)
    if commits is None or running is None:
        return True
    return commits.value >= STANDS_OUT * running.value


def _not_needed(facts: Facts) -> bool:
    """Whether the data lies on ZFS with records that are not known to be smaller than a page."""
    data, page = facts.find(STORAGE_DATA), facts.find(variable("innodb_page_size"))
    if data is None or data.filesystem != "zfs":
        return False
    page_bytes = PAGE_BYTES if page is None else page.number
    return data.block_bytes is None or data.block_bytes >= page_bytes
