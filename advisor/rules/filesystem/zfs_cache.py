"""ZFS' cache beside the buffer pool.

## What it checks
What ZFS' cache (the ARC) may grow to, together with the buffer pool, against the memory.

## Why it matters
The ARC keeps pages that the buffer pool keeps as well. It gives memory back when the kernel asks,
but not at once: a server that allocates quickly then swaps, or is killed. What ZFS may take by
default was half of the memory for years and is nearly all of it in newer releases.

## How it is judged
`pool x 1.1 + ARC's limit` against the memory that the server may use.
- within it: fine.
- above it: a limit of `memory - pool x 1.1 - rest` is proposed, the rest being a tenth of the
  memory and at least 2 GiB. Where less than 1 GiB would be left for the ARC, it is said without a
  figure: the pool itself is the matter then.

## How to check by hand
`grep c_max /proc/spl/kstat/zfs/arcstats`, `cat /sys/module/zfs/parameters/zfs_arc_max`

## Risk and undo
Other datasets on the machine lose cache. It can be set while the machine runs, both ways. Where ZFS
is loaded early (root on ZFS), the boot image has to be made anew for the file to count.

## When it is wrong
When the buffer pool is kept small on purpose, to let the ARC's compression cache more. When the
dataset keeps no data in the ARC (primarycache=metadata, or direct I/O from OpenZFS 2.3 on): then
this server never fills it.

## References
- OpenZFS documentation: "Module Parameters" (zfs_arc_max), "Workload Tuning" (InnoDB)
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY_USABLE, HOST_ZFS_CACHE_MAX, STORAGE_DATA, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import commands
from advisor.rulekit.rule import rule
from advisor.steps import HostCommand
from probes import figures

POOL_OVERHEAD = 1.1
"""What the pool takes beside its pages: descriptors, hash tables, locks."""
LEAST_REST_BYTES = 2 << 30
LEAST_CACHE_BYTES = 1 << 30
KEPT_IN = "/etc/modprobe.d/zz-leadline.conf"
"""Of several files that set it the last by name counts."""
LIMIT = "/sys/module/zfs/parameters/zfs_arc_max"


@rule(
    topic="File system",
    needs=(STORAGE_DATA,),
    uses=(HOST_ZFS_CACHE_MAX, HOST_MEMORY_USABLE, variable("innodb_buffer_pool_size")),
    settings=("innodb_buffer_pool_size",),
    findings=("F61",),
)
def check(facts: Facts) -> Answer:
    """Add both caches up."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem != "zfs":
        return Inapplicable(f"It is about ZFS; the data lies on {storage.filesystem or 'another'}.")
    cache = facts.find(HOST_ZFS_CACHE_MAX)
    memory = facts.find(HOST_MEMORY_USABLE)
    pool = facts.find(variable("innodb_buffer_pool_size"))
    if cache is None or memory is None:
        return Unjudged("What ZFS' cache may grow to, or the memory, is not known.")
    if pool is None or pool.default:
        return Unjudged("The buffer pool of a server of yours is not known.")
    taken = pool.number * POOL_OVERHEAD
    saw = (
        f"ZFS' cache may grow to {figures.size(cache)} and the buffer pool takes "
        f"{figures.size(pool.number)} of {figures.size(memory)}."
    )
    formula = (
        f"{figures.size(pool.number)} x {POOL_OVERHEAD} + {figures.size(cache)} = "
        f"{figures.size(taken + cache)}, of {figures.size(memory)}"
    )
    if taken + cache <= memory:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: both fit at their largest.",
            confidence=Confidence.HIGH,
            formula=formula,
            because="both limits as they are set",
            flips_when=f"ZFS' cache may grow beyond {figures.size(memory - taken)}",
        )
    left = memory - taken - max(LEAST_REST_BYTES, memory / 10)
    if left < LEAST_CACHE_BYTES:
        return _pool_is_the_matter(saw, formula)
    return _limited(saw, formula, cache, left, f"beyond {figures.size(memory - taken)}")


def _pool_is_the_matter(saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        effect="With this buffer pool nothing sensible is left for ZFS' cache: a smaller pool, or "
        "more memory, comes before any limit on the cache.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="both limits as they are set; how much of them is in use was not looked at",
        valid="while the pool fills up",
        cost_of_error="a pool that is smaller than it could be",
        flips_when=f"{figures.size(LEAST_CACHE_BYTES)} or more are left beside the pool and a "
        f"tenth of the memory, {figures.size(LEAST_REST_BYTES)} at least",
        gain=0.5,
    )


def _limited(saw: str, formula: str, cache: float, left: float, flip: str) -> Judged:
    wanted = int(left) >> 20 << 20
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="zfs_arc_max",
        now=f"{cache:.0f}",
        effect="The two caches do not drive the machine into swapping, or the server out of "
        "memory.",
        confidence=Confidence.MEDIUM,
        formula=f"{formula}; left for ZFS: {figures.size(wanted)}",
        because="both limits as they are set; how much of them is in use was not looked at",
        risk="Low: ZFS reads more from the disks where its cache served others.",
        valid="for a machine whose memory is meant for this server",
        cost_of_error="memory that lies idle",
        side_effects="all pools of the machine share the smaller cache",
        flips_when=f"ZFS' cache may not grow {flip}",
        gain=0.5,
    ).by(
        commands(
            str(wanted),
            HostCommand(
                what=f"Limit ZFS' cache to {figures.size(wanted)}",
                run=f"echo {wanted} > {LIMIT}",
                undo=f"echo {cache:.0f} > {LIMIT}",
                verify="grep c_max /proc/spl/kstat/zfs/arcstats",
                keep_file=KEPT_IN,
                keep_line=f"options zfs zfs_arc_max={wanted}",
            ),
        )
    )
