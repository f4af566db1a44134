"""Swappiness, and what lies in the swap.

## What it checks
vm.swappiness, together with how much already lies in the swap.

## Why it matters
When memory is short the kernel weighs program memory against its cache of files. With the default
of 60 it swaps memory that was not used lately even while the cache could shrink: pages of the
buffer pool go to the drive, and a query that InnoDB takes for a memory access waits for a read.
InnoDB caches for itself, so the kernel's cache is the one to give up.

## How it is judged
- no swap: fine; there is nowhere to swap to.
- 1 to 10: fine.
- above 10, and more than 1 % of the memory lies in the swap: 10 is proposed. Where the server's
  process is known, its own swapped memory counts, not the machine's.
- above 10, nothing of note swapped: fine, since nothing happens until memory is short. Where the
  amount is not known: watch.
- 0: watch. Since Linux 3.5 the kernel then ends a program rather than swap, until nearly nothing is
  left; that program is the largest one.

## How to check by hand
`sysctl vm.swappiness`, `free -m`, `vmstat 1` (columns si and so)

## Risk and undo
It can be changed under load, both ways. What was swapped comes back when it is used.

## When it is wrong
When large amounts of memory are never used (leaks of other programs): those may well be swapped. In
control groups of version 1 each group has a swappiness of its own.

## References
- Linux kernel documentation: sysctl/vm, swappiness
- proc(5)
"""

from __future__ import annotations

from advisor.facts.known import (
    HOST_MEMORY,
    HOST_SERVER_SWAPPED,
    HOST_SWAP,
    HOST_SWAP_USED,
    HOST_SWAPPINESS,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import sysctl
from advisor.rulekit.rule import rule
from probes import figures

LOW, HIGH = 1, 10
FELT = 0.01


@rule(
    topic="Memory",
    needs=(HOST_SWAPPINESS, HOST_SWAP),
    uses=(HOST_SERVER_SWAPPED, HOST_SWAP_USED, HOST_MEMORY),
)
def check(facts: Facts) -> Answer:
    """Weigh the setting by what lies in the swap already."""
    swappiness = facts.get(HOST_SWAPPINESS)
    if facts.get(HOST_SWAP) == 0:
        return _fine(
            f"There is no swap, and swappiness is {swappiness:g}.",
            "Fine as it is: nothing can be swapped; when memory runs out, a program is ended.",
        )
    memory = facts.find(HOST_MEMORY)
    own = facts.find(HOST_SERVER_SWAPPED)
    used = facts.find(HOST_SWAP_USED) if own is None else own
    whose = "" if own is None else " of the server's memory"
    saw = f"Swappiness is {swappiness:g}" + (
        "." if used is None else f", and {figures.size(used)}{whose} lie in the swap."
    )
    if LOW <= swappiness <= HIGH:
        return _fine(saw, "Fine as it is: the kernel gives up its file cache first.")
    if swappiness < LOW:
        return Judged(
            Verdict.WATCH,
            saw,
            now="0",
            effect="When memory runs out the kernel ends the largest program, the server, rather "
            "than swap a little; 1 swaps as a last resort.",
            confidence=Confidence.MEDIUM,
            formula=f"{swappiness:g} < {LOW}",
            because="the setting and the kernel's documentation since 3.5",
            valid="for Linux 3.5 and newer",
            cost_of_error="a little swapping where none was wanted",
            flips_when=f"it is {LOW} or more",
            gain=0.1,
        )
    if used is not None and memory and used / memory > FELT:
        return _swapping(saw, swappiness, used, memory, known=own is not None)
    if used is not None:
        return _fine(
            saw, "Fine while memory suffices; when it runs short, 10 keeps the pool longer."
        )
    return Judged(
        Verdict.WATCH,
        saw,
        now=f"{swappiness:g}",
        effect="See whether anything is swapped; when memory runs short, 10 keeps the buffer pool "
        "in memory longer.",
        confidence=Confidence.LOW,
        formula=f"{swappiness:g} > {HIGH}",
        because="the setting alone: how much was swapped is not known",
        valid="for a machine whose memory is meant for this server",
        cost_of_error="a file cache that shrinks earlier",
        flips_when=f"more than {figures.percent(FELT)} of the memory lie in the swap",
        gain=0.1,
    )


def _fine(saw: str, effect: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect=effect,
        confidence=Confidence.HIGH,
        because="the kernel's settings",
        flips_when=f"swappiness is above {HIGH} and more than {figures.percent(FELT)} of the "
        "memory lie in the swap",
    )


def _swapping(saw: str, swappiness: float, used: float, memory: float, *, known: bool) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="vm.swappiness",
        now=f"{swappiness:g}",
        effect="The kernel gives up its file cache before it swaps the buffer pool.",
        confidence=Confidence.HIGH if known else Confidence.MEDIUM,
        formula=f"{figures.size(used)} / {figures.size(memory)} = {figures.percent(used / memory)} "
        f"swapped, more than {figures.percent(FELT)}",
        because="memory of the server's own process lies in the swap"
        if known
        else "something was swapped; whether it was the server's memory is not known",
        risk="Low: files of other programs are cached less.",
        valid="for a machine whose memory is meant for this server",
        cost_of_error="more reads by programs that live off the file cache",
        side_effects="backups that read files push less of the pool out",
        flips_when=f"{figures.percent(FELT)} of the memory or less lies in the swap, or swappiness "
        f"is {HIGH} or less",
        gain=0.4,
    ).by(sysctl("vm.swappiness", swappiness, str(HIGH)))
