"""Large pages of memory for a large buffer pool.

## What it checks
Whether a buffer pool of tens of gigabytes lies in pages of 4 KiB.

## Why it matters
For each 4 KiB of the pool the kernel keeps an entry of 8 bytes, and the processor looks it up when
its own small table has none: for 64 GiB that are 128 MiB of entries, far more than any cache holds.
Entries of large pages (2 MiB) are 512 times fewer. Large pages are also never swapped.

## How it is judged
- `entries = pool / 4 KiB x 8 bytes`.
- `large_pages` is ON: fine.
- OFF and a pool of 32 GiB or more (64 MiB of entries): watch. There is no published figure for the
  gain on today's machines, so nothing is recommended; the procedure is given.
- A smaller pool: fine.

## How to check by hand
`SELECT @@large_pages;`, and `grep -i huge /proc/meminfo`.

## Risk and undo
A restart. Memory that is set aside for large pages is of use to nothing else; when too little is
set aside, MySQL says so in its error log and takes small pages.

## When it is wrong
Where the pool is resized often, or the machine's memory is shared with programs that come and go.

## References
- MySQL reference manual, "Enabling Large Page Support"
- Linux kernel documentation, "HugeTLB Pages"
"""

from __future__ import annotations

import math

from advisor import wording
from advisor.outcomes import Confidence, Needs, Verdict
from advisor.plan.steps import Procedure
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Judged, Unjudged, rule
from advisor.variables.standing import Standing

LARGE = 32 << 30
SMALL_PAGE, LARGE_PAGE, ENTRY = 4096, 2 << 20, 8
SPARE = 1.06
"""Large pages to set aside for each of the pool: descriptors and other areas lie there too."""


@rule(
    topic="Buffer pool",
    needs=("mysql.version", "mysql.variable.innodb_buffer_pool_size", "pool.large_pages"),
    settings=("large_pages",),
)
def check(facts: Facts) -> Answer:
    """Count the entries that the pool's small pages take."""
    pool = facts.get("mysql.variable.innodb_buffer_pool_size", Standing)
    now = facts.get("pool.large_pages", Standing)
    if pool.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    entries = pool.number / SMALL_PAGE * ENTRY
    formula = (
        f"{wording.size(pool.number)} / 4 KiB x 8 B = {wording.size(entries)} of page-table entries"
    )
    asks = "asks" if now.on else "does not ask"
    saw = f"The server {asks} for large pages; its pool has {wording.size(pool.number)}."
    if now.on or pool.number < LARGE:
        return Judged(
            Verdict.FINE,
            saw,
            "large_pages",
            now.text,
            effect="Fine as it is.",
            flips_when="large_pages is off"
            if now.on
            else f"the pool has {wording.size(LARGE)} or more",
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
        effect=f"{wording.size(entries)} of page-table entries would shrink to "
        f"{wording.size(entries * SMALL_PAGE / LARGE_PAGE)}, and the pool could not be swapped.",
        confidence=Confidence.LOW,
        because="the entries are counted; what they cost here was not measured",
        risk="Medium: memory set aside for large pages is lost to everything else.",
        cost_of_error="up to the size of the pool of memory set aside for nothing",
        side_effects="The pool's memory is taken whole at the start, and is not swapped.",
        flips_when=f"the pool is smaller than {wording.size(LARGE)}",
        valid="on Linux with pages of 4 KiB",
        gain=0.08,
        formula=formula,
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
