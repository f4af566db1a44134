"""Transparent huge pages.

## What it checks
Whether transparent huge pages are on for every program.

## Why it matters
With "always" the kernel allocates pages of 2 MiB and merges small pages in the background. Memory
allocators such as jemalloc free small pieces, which then stay inside a huge page: the server holds
several times the memory that it uses, and finding or merging pages of 2 MiB stalls threads for
moments when memory is fragmented. A large buffer pool gains from huge pages, but by asking for them
(large_pages, madvise). Some drives, virtual ones above all, also read faster into huge pages: a
page of the server is then one piece of memory instead of up to four.

## How it is judged
- always, and the server is a MariaDB that turns them off for its own process after the start (from
  10.6.17, 10.11.7, 11.0.5, 11.1.4, 11.2.3, 11.3.2 and 11.4.1 on): fine.
- always, and this run read at least 1.1 times as fast (our choice) into huge pages as into ordinary
  ones, beyond chance: watch. With madvise that is lost, unless the server asks for large pages.
- always, any other server or none: madvise is proposed.
- madvise, never: fine; only programs that ask get them, or none.

## How to check by hand
`cat /sys/kernel/mm/transparent_hugepage/enabled`, `grep AnonHugePages /proc/meminfo`

## Risk and undo
It can be changed at any time; memory that the server already has keeps its pages until a restart.

## When it is wrong
When the server's allocator was made for huge pages and the buffer pool's own address translation is
the limit: some loads that stay within the pool gain a few per cent from "always".

## References
- Linux kernel documentation: admin-guide/mm/transhuge
- MariaDB server, MDEV-33279: transparent huge pages are turned off after the start
- MariaDB release notes of February 2024, for the releases that were not measured
- measured: THP_enabled in /proc/PID/status is 0 on MariaDB 10.11.19, 11.4.5 and 11.8.6, and 1 on
  MariaDB 10.2 and 10.5 and on MySQL 5.5 to 9.7
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_TRANSPARENT_HUGEPAGES
from advisor.facts.measured.buffers import BUFFERS_HUGE_PAGES_GAIN
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.model.curves.huge_pages_gain import LEAST_GAIN
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, mariadb, rule
from advisor.rulekit.host_change import system_file
from probes.figures import rate

ENABLED = "/sys/kernel/mm/transparent_hugepage/enabled"
DO_WITHOUT = (
    mariadb("10.6.17", "10.7"),
    mariadb("10.11.7", "11"),
    mariadb("11.0.5", "11.1"),
    mariadb("11.1.4", "11.2"),
    mariadb("11.2.3", "11.3"),
    mariadb("11.3.2"),
)
"""Servers that turn them off for themselves once their buffer pool is there."""


@rule(
    topic="Memory",
    do="Ask for huge pages, where the drive gains by them",
    needs=(HOST_TRANSPARENT_HUGEPAGES,),
    uses=(MYSQL_VERSION, BUFFERS_HUGE_PAGES_GAIN),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Only "always" is for all programs."""
    mode = facts.get(HOST_TRANSPARENT_HUGEPAGES)
    saw = f"Transparent huge pages are set to {mode}"
    version = facts.find(MYSQL_VERSION)
    card = facts.card(
        f"{saw}.",
        Is(
            mode == "always",
            "they are set to always for a server that does not turn them off",
            "they are set to madvise or never",
        ),
    )
    if mode != "always":
        return card.fine(
            "Fine as it is: only programs that ask for huge pages get them.",
            confidence=Confidence.HIGH,
        )
    if version is not None and any(one.covers(version) for one in DO_WITHOUT):
        return card.fine(
            "Fine as it is, for the server: it has small pages all the same.",
            saw=f"{saw}; {version} turns them off for its own process.",
            flips_when="another server runs on the machine",
            confidence=Confidence.HIGH,
            because="The kernel's setting, and what servers of that version were seen to do.",
        )
    card = card.but(
        setting="transparent_hugepage",
        now=mode,
        valid="For MySQL of all versions, and MariaDB that does not turn them off for itself.",
    )
    gain = facts.find(BUFFERS_HUGE_PAGES_GAIN)
    if gain is not None and gain.is_worth_it:
        return card.watch(
            f"On this drive huge pages bring {gain.text}; madvise takes them from the server "
            "unless it asks for them (large_pages = ON).",
            formula=f"{rate(gain.huge_per_s)} / {rate(gain.ordinary_per_s)} = "
            f"{gain.ratio.value:.2f}",
            flips_when=f"reads into huge pages are less than {LEAST_GAIN:g} times as many",
            because="Both kinds of memory were measured in turns; stalls were not measured.",
            knowledge=Knowledge.MEASURED,
            cost_of_error="Short stalls while the kernel looks for pages of 2 MiB.",
        )
    return card.recommend(
        system_file("Give huge pages only to programs that ask", ENABLED, mode, "madvise"),
        effect="The server holds only the memory that it uses, and threads don't wait while the "
        "kernel looks for pages of 2 MiB.",
        formula=f"enabled = {mode}",
        because="The setting, and reports of database vendors; stalls were not measured.",
        risk="Low: it can be set back at any time.",
        cost_of_error="A few per cent more time for memory accesses within a large buffer pool.",
        side_effects="All programs on the machine get small pages unless they ask.",
    )
