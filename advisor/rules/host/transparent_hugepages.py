"""Transparent huge pages.

## What it checks
Whether transparent huge pages are on for every program.

## Why it matters
With "always" the kernel hands out pieces of 2 MiB and joins small pages in the background. Memory
allocators such as jemalloc give small pieces back, which then stay inside a huge page: the server
holds several times the memory that it uses, and finding or joining pieces of 2 MiB stalls threads
for moments when memory is scattered. A large buffer pool gains from huge pages, but by asking for
them (large_pages, madvise). Some drives, virtual ones above all, also read faster into huge pages:
a page of the server is then one piece of memory instead of up to four.

## How it is judged
- always, and the server is a MariaDB that turns them off for itself once it has started (from
  10.6.17, 10.11.7, 11.0.5, 11.1.4, 11.2.3, 11.3.2 and 11.4.1 on): fine.
- always, and this run read at least 1.1 times as fast into huge pages as into ordinary ones, by
  more than chance: watch. Who sets madvise loses that, unless the server asks for large pages
  itself.
- always, any other server or none: madvise is proposed.
- madvise, never: fine; programs that ask get them, or nobody does.

## How to check by hand
`cat /sys/kernel/mm/transparent_hugepage/enabled`, `grep AnonHugePages /proc/meminfo`

## Risk and undo
It can be changed at any time; memory that the server has already keeps its pages until its restart.

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

from advisor.facts.known import BUFFERS_HUGE_PAGES_GAIN, HOST_TRANSPARENT_HUGEPAGES, MYSQL_VERSION
from advisor.model.huge_pages_gain import LEAST_GAIN, HugePagesGain
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import system_file
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from probes import figures

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
    needs=(HOST_TRANSPARENT_HUGEPAGES,),
    uses=(MYSQL_VERSION, BUFFERS_HUGE_PAGES_GAIN),
)
def check(facts: Facts) -> Answer:
    """Only "always" is for everybody."""
    mode = facts.get(HOST_TRANSPARENT_HUGEPAGES)
    saw = f"Transparent huge pages are set to {mode}."
    version = facts.find(MYSQL_VERSION)
    if mode != "always":
        return _fine(saw, "Fine as it is: only programs that ask for huge pages get them.")
    if version is not None and any(one.covers(version) for one in DO_WITHOUT):
        saw = f"{saw[:-1]}; {version} turns them off for itself."
        return _fine(saw, "Fine as it is, for the server: it has small pages all the same.")
    gain = facts.find(BUFFERS_HUGE_PAGES_GAIN)
    if gain is not None and gain.is_worth_it:
        return _two_sides(saw, mode, gain)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="transparent_hugepage",
        now=mode,
        effect="The server holds the memory that it uses, and no thread waits while the kernel "
        "looks for pieces of 2 MiB.",
        confidence=Confidence.MEDIUM,
        formula=f"enabled = {mode}",
        because="the setting, and what makers of databases report; no stall was measured here",
        risk="Low: it can be set back at any time.",
        valid="for MySQL of all versions, and MariaDB that does not turn them off for itself",
        cost_of_error="a few per cent more time for memory accesses within a large buffer pool",
        side_effects="all programs on the machine get small pages unless they ask",
        flips_when="they are set to madvise or never",
        gain=0.3,
    ).by(
        system_file("Give huge pages only to programs that ask", ENABLED, mode, "madvise"),
    )


def _two_sides(saw: str, mode: str, gain: HugePagesGain) -> Judged:
    """Stalls that others report stand against reads that were measured here."""
    return Judged(
        Verdict.WATCH,
        saw,
        setting="transparent_hugepage",
        now=mode,
        effect=f"On this drive huge pages bring {gain.text}; madvise takes them from the server "
        "unless it asks for them itself (large_pages = ON).",
        confidence=Confidence.MEDIUM,
        because="both kinds of memory were measured in turns; no stall was measured here",
        valid="for MySQL of all versions, and MariaDB that does not turn them off for itself",
        cost_of_error="stalls of moments while the kernel looks for pieces of 2 MiB",
        flips_when=f"reads into huge pages are less than {LEAST_GAIN:g} times as many",
        formula=f"{figures.rate(gain.huge_per_s)} / {figures.rate(gain.ordinary_per_s)} = "
        f"{gain.ratio.value:.2f}",
        gain=0.1,
    )


def _fine(saw: str, effect: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect=effect,
        confidence=Confidence.HIGH,
        because="the kernel's setting, and what servers of that version were seen to do",
        flips_when="they are set to always for a server that does not turn them off",
    )
