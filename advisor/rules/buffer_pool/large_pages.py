"""Large pages of memory for a large buffer pool.

## What it checks
Whether the buffer pool lies in pages of 4 KiB although large ones would help: because the pool is
tens of gigabytes, or because this drive was seen to read faster into large pages.

## Why it matters
For each 4 KiB of the pool the kernel keeps an entry of 8 bytes, and the processor looks it up when
its own small table has none: for 64 GiB that are 128 MiB of entries, far more than any cache holds.
Entries of large pages (2 MiB) are 512 times fewer. Large pages are also never swapped.

A page of 16 KiB that is read into ordinary memory goes to up to four places, so that one read is a
request in up to four pieces; in a large page it is always one. Most drives do not mind. On a
virtual drive (virtio) one piece instead of four gave 1.2 times the reads with 64 in flight.

## How it is judged
- `entries = pool / 4 KiB x 8 bytes`.
- `large_pages` is ON: fine.
- OFF, and this run read at least 1.1 times as fast into huge pages as into ordinary ones, by more
  than chance (both kinds in turns, 64 reads in flight): watch, with that figure. It counts as far
  as queries have so many reads in flight.
- OFF and a pool of 32 GiB or more (64 MiB of entries): watch. There is no published figure for the
  gain on today's machines, so nothing is recommended; the procedure is given.
- Otherwise: fine.

## How to check by hand
`SELECT @@large_pages;`, `grep -i huge /proc/meminfo`, and
`grep Huge /proc/$(pidof mysqld)/smaps_rollup` as root. For the drive: `leadline probe storage` with
`--buffers huge` and with `--buffers ordinary`.

## Risk and undo
A restart. Memory that is set aside for large pages is of use to nothing else; when too little is
set aside, MySQL says so in its error log and takes small pages.

## When it is wrong
Where the pool is resized often, or the machine's memory is shared with programs that come and go.
Where the server has its pool in transparent huge pages already (`transparent_hugepage` is always):
then nothing is gained for reads.

## References
- MySQL reference manual, "Enabling Large Page Support"
- Linux kernel documentation, "HugeTLB Pages"
- measured: 16 KiB reads by 64 threads on a virtio drive, blocks in one piece of memory and in four,
  in turns: 47.9 k/s and 39.3 k/s (medians of five runs of 1 s each)
"""

from __future__ import annotations

import math

from advisor.facts.known import (
    BUFFERS_HUGE_PAGES_GAIN,
    HOST_SERVER_HUGE_SHARE,
    MYSQL_VERSION,
    POOL_LARGE_PAGES,
    variable,
)
from advisor.model.huge_pages_gain import LEAST_GAIN, HugePagesGain
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.steps import Needs, Procedure
from advisor.variables.standing import Standing
from probes import figures

LARGE = 32 << 30
SMALL_PAGE, LARGE_PAGE, ENTRY = 4096, 2 << 20, 8
MOST = 0.5
"""With more of its memory than this in transparent huge pages, the server's pool is there."""

SPARE = 1.06
"""Large pages to set aside for each of the pool: descriptors and other areas lie there too."""


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, variable("innodb_buffer_pool_size"), POOL_LARGE_PAGES),
    uses=(BUFFERS_HUGE_PAGES_GAIN, HOST_SERVER_HUGE_SHARE),
    settings=("large_pages",),
)
def check(facts: Facts) -> Answer:
    """Hold what reads gain, and the entries that the pool's small pages take, against a limit."""
    pool = facts.get(variable("innodb_buffer_pool_size"))
    now = facts.get(POOL_LARGE_PAGES)
    if pool.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    entries = pool.number / SMALL_PAGE * ENTRY
    formula = (
        f"{figures.size(pool.number)} / 4 KiB x 8 B = {figures.size(entries)} of page-table entries"
    )
    asks = "asks" if now.on else "does not ask"
    saw = f"The server {asks} for large pages; its pool has {figures.size(pool.number)}."
    gain = facts.find(BUFFERS_HUGE_PAGES_GAIN)
    lies_there = (facts.find(HOST_SERVER_HUGE_SHARE) or 0.0) > MOST
    if gain is not None and gain.is_worth_it and not now.on and not lies_there:
        return _reads_faster(gain, saw, now, pool)
    if now.on or pool.number < LARGE:
        return Judged(
            Verdict.FINE,
            saw,
            "large_pages",
            now.text,
            effect="Fine as it is.",
            flips_when="large_pages is off"
            if now.on
            else f"the pool has {figures.size(LARGE)} or more, or reads into huge pages are "
            f"measured to be {LEAST_GAIN:g} times as many",
            formula=formula,
            because="both settings were told by the server",
            valid="on Linux with pages of 4 KiB",
        )
    pages = math.ceil(SPARE * pool.number / LARGE_PAGE)
    return Judged(
        Verdict.WATCH,
        saw,
        "large_pages",
        now.text,
        effect=f"{figures.size(entries)} of page-table entries would shrink to "
        f"{figures.size(entries * SMALL_PAGE / LARGE_PAGE)}, and the pool could not be swapped.",
        confidence=Confidence.LOW,
        because="the entries are counted; what they cost here was not measured",
        risk="Medium: memory set aside for large pages is lost to everything else.",
        cost_of_error="up to the size of the pool of memory set aside for nothing",
        side_effects="The pool's memory is taken whole at the start, and is not swapped.",
        flips_when=f"the pool is smaller than {figures.size(LARGE)}",
        valid="on Linux with pages of 4 KiB",
        gain=0.08,
        formula=formula,
        steps=(_procedure(pages),),
    )


def _reads_faster(gain: HugePagesGain, saw: str, now: Standing, pool: Standing) -> Judged:
    pages = math.ceil(SPARE * pool.number / LARGE_PAGE)
    return Judged(
        Verdict.WATCH,
        saw,
        "large_pages",
        now.text,
        effect=f"On this drive huge pages bring {gain.text}: "
        f"{figures.rate(gain.huge_per_s)} instead of {figures.rate(gain.ordinary_per_s)}.",
        confidence=Confidence.MEDIUM,
        because="both kinds of memory were measured in turns; how many reads your queries have in "
        "flight decides how much of it they see",
        risk="Medium: memory set aside for large pages is lost to everything else.",
        cost_of_error="up to the size of the pool of memory set aside for nothing",
        side_effects="The pool's memory is taken whole at the start, and is not swapped.",
        flips_when=f"reads into huge pages are less than {LEAST_GAIN:g} times as many",
        valid="for reads of 16 KiB on the drive that was measured",
        gain=0.15,
        formula=f"{figures.rate(gain.huge_per_s)} / {figures.rate(gain.ordinary_per_s)} = "
        f"{gain.ratio.value:.2f}",
        steps=(_procedure(pages),),
    )


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
