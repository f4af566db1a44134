"""ZFS cache (ARC) beside the buffer pool.

## What it checks
The limit of the ZFS cache (ARC) and the buffer pool together, against the memory.

## Why it matters
The ARC caches pages that the buffer pool caches as well. It gives memory back when the kernel asks,
but not at once: a server that allocates quickly then swaps, or is killed. The default limit was
half of the memory for years and is nearly all of it in newer releases.

## How it is judged
`pool x 1.1 + ARC's limit` against the memory that the server may use.
- within it: fine, and watched where the limit is a tenth of the memory or more (our choice), the
  pool is smaller than the data, and 100 requests/s miss it (our choice): what the ARC holds of this
  server is there twice, and its memory would do more in the pool. Not before the records are small:
  where they hold more than four pages, the ARC is what saves reading a whole record for each.
- above it: a limit of `memory - pool x 1.1 - rest` is proposed, the rest being a tenth of the
  memory and at least 2 GiB. Where less than 1 GiB would be left for the ARC: watch, without a
  figure, since the pool itself is too large then.

## How to check by hand
`grep c_max /proc/spl/kstat/zfs/arcstats`, `cat /sys/module/zfs/parameters/zfs_arc_max`

## Risk and undo
Other datasets on the machine lose cache. It can be changed and changed back while the machine runs.
Where ZFS is loaded early (root on ZFS), rebuild the boot image, so that the file takes effect.

## When it is wrong
When the buffer pool is kept small on purpose, to let the ARC's compression cache more. When the
dataset keeps no data in the ARC (primarycache=metadata, or direct I/O from OpenZFS 2.3 on): then
this server never fills it.

## References
- OpenZFS documentation: "Module Parameters" (zfs_arc_max), "Workload Tuning" (InnoDB)
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE, HOST_ZFS_CACHE_MAX
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Change,
    Condition,
    Facts,
    Inapplicable,
    Judged,
    Relief,
    Unjudged,
    Wait,
    commands,
    per_s,
    rule,
)
from advisor.rules.filesystem._zfs_records import PAGE_SIZE, holds_many
from advisor.steps import HostCommand
from probes.figures import size

POOL_OVERHEAD = 1.1
"""What the pool takes beside its pages: descriptors, hash tables, locks."""
LEAST_REST_BYTES = 2 << 30
LEAST_CACHE_BYTES = 1 << 30
LARGE = 0.1
"""A limit of the ARC from this share of the memory on is worth a look. Our choice."""
MISSES_PER_S = 100.0
"""From here on a larger pool may save reads. Our choice."""
KEPT_IN = "/etc/modprobe.d/zz-leadline.conf"
"""Of several files that set it the last by name counts."""
LIMIT = "/sys/module/zfs/parameters/zfs_arc_max"


@rule(
    topic="File system",
    do="Share the memory between buffer pool and ZFS' cache",
    needs=(STORAGE_DATA,),
    uses=(
        HOST_ZFS_CACHE_MAX,
        HOST_MEMORY_USABLE,
        variable("innodb_buffer_pool_size"),
        POOL_DATA,
        status("Innodb_buffer_pool_reads"),
        PAGE_SIZE,
    ),
    settings=("innodb_buffer_pool_size",),
    findings=("F61",),
)
def check(facts: Facts) -> Answer:
    """Add both caches up."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem != "zfs":
        return Inapplicable(
            f"It applies to ZFS; the data lies on {storage.filesystem or 'another'}."
        )
    cache, memory = facts.find(HOST_ZFS_CACHE_MAX), facts.find(HOST_MEMORY_USABLE)
    pool = facts.find(variable("innodb_buffer_pool_size"))
    if cache is None or memory is None:
        return Unjudged("The limit of the ZFS cache, or the memory, is not known.")
    if pool is None or pool.default:
        return Unjudged("The buffer pool of your server is not known.")
    taken = pool.number * POOL_OVERHEAD
    fits = At(
        "size of both caches",
        taken + cache,
        of=f"{size(pool.number)} x {POOL_OVERHEAD} + {size(cache)}",
        most=memory,
        say=size,
    )
    card = facts.card(
        f"The limit of the ZFS cache is {size(cache)}, and the buffer pool takes "
        f"{size(pool.number)} of {size(memory)}.",
        fits,
        because="Both limits as they are set; how much of them is in use was not checked.",
    )
    if fits:
        twice = _held_twice(facts, cache, memory, pool.number)
        share = cache / (cache + pool.number)
        return _both(card, twice, share, records_first=holds_many(facts, storage))
    left = memory - taken - max(LEAST_REST_BYTES, memory / 10)
    room = At("memory left for ZFS", max(0.0, left), least=LEAST_CACHE_BYTES, say=size)
    if not room:
        return card.watch(
            "With this buffer pool hardly any memory is left for the ZFS cache: a smaller pool, or "
            "more memory, comes before a limit on the cache.",
            condition=~fits & ~room,
            valid="While the pool fills up.",
            cost_of_error="A pool that is smaller than it could be.",
        )
    return card.recommend(
        _limited(cache, int(left) >> 20 << 20),
        setting="zfs_arc_max",
        now=f"{cache:.0f}",
        effect="The two caches no longer make the machine swap, or the server run out of memory.",
        formula=f"left for ZFS: {size(int(left) >> 20 << 20)}",
        risk="Low: ZFS reads more from the disks where its cache served others.",
        valid="For a machine whose memory is meant for this server.",
        cost_of_error="Memory that stays unused.",
        side_effects="All pools of the machine share the smaller cache.",
    )


def _both(card: Card, twice: Condition | None, share: float, *, records_first: bool) -> Judged:
    """Judge two caches that fit into the memory together; ``share`` of them is the ARC's limit."""
    if twice is None:
        return card.fine(
            "Fine as it is: both fit at their largest.", confidence=Confidence.HIGH, because=""
        )
    if records_first:
        return card.watch(
            "First a smaller recordsize: with these records each page that the ARC does not have "
            "takes the read of a whole record. Then primarycache=metadata, and a larger pool.",
            condition=twice,
        )
    return card.watch(
        "The pool caches pages whole, the ARC caches the same ones below it: with "
        "primarycache=metadata on the data's dataset that memory is free for a larger pool.",
        condition=twice,
        because="Both limits as they are set, and the server's misses; what the ARC holds, and "
        "whether other data fills it, was not checked.",
        cost_of_error="Reads that the ARC answered go to the drive until the pool has grown.",
        relieves=(Relief.up_to(Wait.PAGE_READS, share),),
    )


def _held_twice(facts: Facts, cache: float, memory: float, pool: float) -> Condition | None:
    """Whether the pool lacks memory that the ARC may take; None where it does not."""
    data, missed = facts.find(POOL_DATA), facts.find(status("Innodb_buffer_pool_reads"))
    if data is None or missed is None or cache < LARGE * memory:
        return None
    outside = At("size of the buffer pool", pool, below=data, say=size)
    needed = outside & At("miss rate", missed, least=MISSES_PER_S, say=per_s())
    return needed if needed else None


def _limited(cache: float, wanted: int) -> Change:
    return commands(
        str(wanted),
        HostCommand(
            what=f"Limit ZFS' cache to {size(wanted)}",
            run=f"echo {wanted} > {LIMIT}",
            undo=f"echo {cache:.0f} > {LIMIT}",
            verify="grep c_max /proc/spl/kstat/zfs/arcstats",
            keep_file=KEPT_IN,
            keep_line=f"options zfs zfs_arc_max={wanted}",
        ),
    )
