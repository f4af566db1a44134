"""Large pages for the buffer pool (large_pages).

## What it checks
Whether the buffer pool is in pages of 4 KiB although large ones would help: because the pool is
large, or because this drive was measured to read faster into large pages.

## Why it matters
For each 4 KiB of the pool the kernel keeps a page-table entry of 8 bytes, which the processor reads
on each TLB miss: for 64 GiB that is 128 MiB of entries, more than any CPU cache holds. Large pages
(2 MiB) need 512 times fewer entries, and are never swapped.

A page of 16 KiB that is read into ordinary memory is spread over up to four pages of memory, so one
read is a request in up to four segments; in a large page it is always one. Most drives are no
slower. On a virtual drive (virtio) one segment instead of four gave 1.2 times the reads with 64 in
flight. A read that the kernel's page cache answers is copied from there, and gains nothing.

## How it is judged
- `entries = pool / 4 KiB x 8 bytes`.
- `large_pages` is ON: fine.
- OFF, and this run read at least 1.1 times as fast into huge pages as into ordinary ones, by more
  than chance (both kinds in turns, 64 reads in flight): watch, with that figure. Queries then wait
  for reads up to that much less; where they hardly wait, that is too little to be said.
- The page cache answers the server's reads: that figure does not count.
- Otherwise: fine. For a pool of 32 GiB or more (64 MiB of entries, our choice) the card has the
  entries; the gain on today's machines is not published, so nothing is proposed.

## How to check by hand
`SELECT @@large_pages;`, `grep -i huge /proc/meminfo`, and
`grep Huge /proc/$(pidof mysqld)/smaps_rollup` as root. For the drive: `leadline probe storage` with
`--buffers huge` and with `--buffers ordinary`.

## Risk and undo
A restart. Memory that is set aside for large pages can't be used for anything else; when too little
is set aside, MySQL says so in its error log and uses small pages.

## When it is wrong
Where the pool is resized often, or the machine's memory is shared with programs that come and go.
Where the server has its pool in transparent huge pages already (`transparent_hugepage` is always):
then reads gain nothing.

## References
- MySQL reference manual, "Enabling Large Page Support"
- Linux kernel documentation, "HugeTLB Pages"
- measured: 16 KiB reads by 64 threads on a virtio drive, blocks in one segment of memory and in
  four, in turns: 47.9 k/s and 39.3 k/s (medians of five runs of 1 s each); on another such drive,
  in eight pairs, 1.08, 1.15, 1.18, 1.18 and 1.19 times the reads with 1, 4, 8, 16 and 64 in flight
"""

from __future__ import annotations

import math
from dataclasses import replace

from advisor.facts.machine.server_process import HOST_SERVER_HUGE_SHARE
from advisor.facts.measured.buffers import BUFFERS_HUGE_PAGES_GAIN
from advisor.facts.server.pool import POOL_LARGE_PAGES
from advisor.facts.watched.drive import WATCH_CACHED_READS
from advisor.model.curves.huge_pages_gain import LEAST_GAIN, HugePagesGain
from advisor.rulekit import Answer, Condition, Facts, Is, Knowledge, Relief, Wait, rule
from advisor.rules.buffer_pool._pool import NO_SERVER, SIZE, pool_at_least
from advisor.steps import Needs, Procedure
from advisor.workload.pool.read_cost import cached_reads
from probes.figures import rate, size, times

LARGE = 32 << 30
SMALL_PAGE, LARGE_PAGE, ENTRY = 4096, 2 << 20, 8
MOST = 0.5
"""With more of its memory than this in transparent huge pages, the server's pool is in them."""

SPARE = 1.06
"""Large pages to set aside for each of the pool: descriptors and other areas are in them too."""


@rule(
    topic="Buffer pool",
    do="Put the buffer pool into large pages",
    needs=(SIZE, POOL_LARGE_PAGES),
    uses=(BUFFERS_HUGE_PAGES_GAIN, HOST_SERVER_HUGE_SHARE, WATCH_CACHED_READS),
    settings=("large_pages",),
    part_of=("buffer-pool.size",),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Judge by what reads gain, then by the page-table entries of the pool."""
    standing, now = facts.get(SIZE), facts.get(POOL_LARGE_PAGES)
    if standing.default:
        return NO_SERVER
    pool = standing.number
    entries = pool / SMALL_PAGE * ENTRY
    gain = facts.find(BUFFERS_HUGE_PAGES_GAIN)
    faster = _faster(facts, gain)
    off = Is(not now.on, "large_pages is off", "large_pages is on")
    large = pool_at_least(LARGE, pool)
    card = facts.card(
        f"The server {'asks' if now.on else 'does not ask'} for large pages; its pool has "
        f"{size(pool)}.",
        off & (faster | large),
        setting="large_pages",
        now=now.value,
        formula=f"{size(pool)} / 4 KiB x 8 B = {size(entries)} of page-table entries",
    )
    if not off or (not faster and not large):
        return card.fine()
    card = card.but(
        risk="Medium: memory set aside for large pages can't be used for anything else.",
        cost_of_error="Up to the size of the pool of unused memory.",
        side_effects="The pool's memory is allocated as a whole at the start, and is not swapped.",
    )
    steps = (_procedure(math.ceil(SPARE * pool / LARGE_PAGE)),)
    if gain is not None and faster:
        judged = card.watch(
            "Queries wait for reads up to that much less.",
            saw=f"Into huge pages this drive gives {gain.text}, {rate(gain.huge_per_s)} instead of "
            f"{rate(gain.ordinary_per_s)}; the server's pool of {size(pool)} is in ordinary ones.",
            condition=faster,
            relieves=(Relief.up_to(Wait.PAGE_READS, 1 - 1 / gain.ratio.value),),
            formula=f"{rate(gain.huge_per_s)} / {rate(gain.ordinary_per_s)} = "
            f"{times(gain.ratio.value)}",
            because="Both kinds of memory were measured in turns; the effect depends on how many "
            "reads your queries have in flight.",
            valid="For reads of 16 KiB on the measured drive.",
        )
        return replace(judged, steps=steps)
    return card.fine(
        f"{size(entries)} of page-table entries would shrink to "
        f"{size(entries * SMALL_PAGE / LARGE_PAGE)}, and the pool could not be swapped. What that "
        "brings on today's machines is not published.",
        condition=off & large,
    )


def _faster(facts: Facts, gain: HugePagesGain | None) -> Condition:
    """Whether the server's reads would gain what the drive's do."""
    cached = cached_reads(facts)
    in_huge_pages = (facts.find(HOST_SERVER_HUGE_SHARE) or 0.0) > MOST
    measured = Is(
        gain is not None and gain.is_worth_it,
        f"reads into huge pages are measured at {times(LEAST_GAIN)} the rate or more",
        f"reads into huge pages are measured below {times(LEAST_GAIN)} the rate",
    )
    ordinary = Is(
        not in_huge_pages, "the pool is in ordinary pages", "the pool is in transparent huge pages"
    )
    reach_drive = Is(
        cached is None,
        "the server's reads reach the drive",
        "the page cache answers the server's reads",
    )
    return measured & ordinary & reach_drive


def _procedure(pages: int) -> Procedure:
    return Procedure(
        "Put the buffer pool into large pages",
        (
            f"Set vm.nr_hugepages = {pages} (pages of 2 MiB) in a file of /etc/sysctl.d and boot, "
            "so that the memory is still whole.",
            "Let the server lock memory: LimitMEMLOCK=infinity in its systemd unit.",
            "Put large_pages = ON under [mysqld] and restart the server.",
            "See that HugePages_Free in /proc/meminfo fell and the error log does not complain.",
        ),
        undo=(
            "Take large_pages out of the option file and restart the server.",
            "Take vm.nr_hugepages out and set it to 0.",
        ),
        needs=Needs.RESTART,
    )
