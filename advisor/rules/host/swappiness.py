"""Swappiness and swapped memory.

## What it checks
vm.swappiness, together with how much memory is swapped.

## Why it matters
When memory is short the kernel weighs program memory against the page cache. With the default of 60
it swaps memory that was not used lately even while the cache could shrink: pages of the buffer pool
go to the drive, and what InnoDB expects to be a memory access waits for a read. InnoDB has its own
cache, so the page cache is the one to shrink.

## How it is judged
- no swap: fine; memory can't be swapped.
- 1 to 10 (our choice): fine.
- above 10, and more than 1 % of the memory is swapped (our choice): 10 is proposed, where that is
  256 MiB or more, or programs wait for memory 1 % of the time or more (our choices): a small
  machine swaps some MiB that nobody misses. Where the server's process is known, its own swapped
  memory counts, not the machine's.
- above 10, and 256 MiB or more of the server's own memory is swapped although enough is available
  (a tenth of the memory, or 8 GiB and 3 %; our choices): 10 is proposed, whatever share that is.
- above 10, less swapped: fine, since the setting matters only when memory is short. Where the
  amount is not known: watch.
- 0: watch. Since Linux 3.5 the kernel then kills the largest program rather than swap, until almost
  no memory is left.

## How to check by hand
`sysctl vm.swappiness`, `free -m`, `vmstat 1` (columns si and so)

## Risk and undo
It can be changed and changed back under load. Swapped memory comes back when it is used.

## When it is wrong
When large amounts of memory are never used (leaks of other programs): those are better swapped. In
control groups of version 1 each group has a swappiness of its own.

## References
- Linux kernel documentation: sysctl/vm, swappiness
- proc(5)
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import (
    HOST_MEMORY_AVAILABLE,
    HOST_MEMORY_PRESSURE,
    HOST_MEMORY_USABLE,
    HOST_SWAP,
    HOST_SWAP_USED,
    HOST_SWAPPINESS,
)
from advisor.facts.machine.server_process import HOST_SERVER_SWAPPED
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Condition, Facts, Is, Knowledge, rule, sysctl
from advisor.workload.pool.memory_short import MUCH_SWAPPED, swapped_beside_room
from probes.figures import percent, size

LOW, HIGH = 1, 10
FELT = 0.01


@rule(
    topic="Memory",
    do="Check whether the server's memory is swapped",
    needs=(HOST_SWAPPINESS, HOST_SWAP),
    uses=(
        HOST_SERVER_SWAPPED,
        HOST_SWAP_USED,
        HOST_MEMORY,
        HOST_MEMORY_AVAILABLE,
        HOST_MEMORY_PRESSURE,
        HOST_MEMORY_USABLE,
    ),
    major=True,
    knowledge=Knowledge.DOCUMENTED,
    part_of=("buffer-pool.numa-interleave",),
)
def check(facts: Facts) -> Answer:
    """Weigh the setting by what is swapped already."""
    swappiness, plain = facts.get(HOST_SWAPPINESS), "{:g}".format
    high = At("vm.swappiness", swappiness, the=False, above=HIGH, say=plain)
    unswapped = Is(False, f"more than {percent(FELT)} of the memory is swapped")
    card = facts.card(
        f"Swappiness is {swappiness:g}, and there is no swap.",
        high & unswapped,
        confidence=Confidence.HIGH,
    )
    if facts.get(HOST_SWAP) == 0:
        return card.fine(
            "Fine as it is: memory can't be swapped; when it runs out, the kernel kills a program."
        )
    memory, own = facts.find(HOST_MEMORY), facts.find(HOST_SERVER_SWAPPED)
    used = facts.find(HOST_SWAP_USED) if own is None else own
    whose = "" if own is None else " of the server's memory"
    swapped = "" if used is None else f", and {size(used)}{whose} is swapped"
    card = card.but(saw=f"Swappiness is {swappiness:g}{swapped}.")
    some = At("vm.swappiness", swappiness, the=False, least=LOW, say=plain)
    if not some:
        return card.watch(
            "When memory runs out the kernel kills the largest program, the server, rather than "
            "swap a little; 1 swaps as a last resort.",
            condition=some,
            now="0",
            confidence=Confidence.MEDIUM,
            because="The setting and the kernel's documentation since 3.5.",
            valid="For Linux 3.5 and newer.",
            cost_of_error="A little swapping where you want none.",
        )
    if not high:
        return card.fine("Fine as it is: the kernel shrinks its page cache first.")
    card = card.but(valid="For a machine whose memory is meant for this server.")
    if used is None:
        return card.watch(
            "Check whether memory is swapped; when it runs short, 10 keeps the buffer pool in "
            "memory longer.",
            now=f"{swappiness:g}",
            confidence=Confidence.LOW,
            because="The setting alone: how much is swapped is not known.",
            cost_of_error="A page cache that shrinks earlier.",
        )
    felt = At(
        "swapped share",
        used / memory if memory else 0.0,
        of=f"{size(used)} / {size(memory or 0)}",
        above=FELT,
        say=percent,
    )
    missed: Condition = felt & _missed(facts, used)
    if swapped_beside_room(facts):
        missed = At("swapped memory", used, least=MUCH_SWAPPED, say=size)
    if not missed:
        return card.fine(
            "Fine while memory suffices; when it runs short, 10 keeps the pool longer.",
            condition=missed,
        )
    return card.recommend(
        sysctl("vm.swappiness", swappiness, str(HIGH)),
        setting="vm.swappiness",
        now=f"{swappiness:g}",
        effect="The kernel shrinks its page cache before it swaps the buffer pool.",
        condition=high & missed,
        confidence=Confidence.MEDIUM if own is None else Confidence.HIGH,
        because="Some memory is swapped; whether it is the server's is not known."
        if own is None
        else "Memory of the server's own process is swapped.",
        risk="Low: files of other programs are cached less.",
        cost_of_error="More reads by programs that need the page cache.",
        side_effects="Backups that read files evict less of the pool.",
    )


def _missed(facts: Facts, swapped: float) -> Condition:
    """Whether so much is swapped that it shows on any machine, or programs wait for memory."""
    much = At("swapped memory", swapped, least=MUCH_SWAPPED, say=size)
    pressure = facts.find(HOST_MEMORY_PRESSURE)
    if pressure is None:
        return much
    return much | At("time that programs wait for memory", pressure, least=FELT, say=percent)
