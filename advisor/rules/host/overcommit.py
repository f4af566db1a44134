"""Limit on committed memory.

## What it checks
vm.overcommit_memory = 2, and how much memory may still be committed then.

## Why it matters
With 2 the kernel commits no more than swap plus a share of the memory, by default half. Committed
memory counts, not used memory: the buffer pool in full, each thread's stack. The server can then
fail to get memory, and a query or a new connection fails, while much of the memory is free.

## How it is judged
- 0 or 1: fine; committed memory is not the limit.
- 2: `left = CommitLimit - Committed_AS`. Less than a tenth of the memory (our choice): a larger
  share (vm.overcommit_ratio) is proposed, where a share sets the limit and it is below 90 %. Else
  watch below a quarter, and fine from there on.

## How to check by hand
`sysctl vm.overcommit_memory vm.overcommit_ratio`, `grep Commit /proc/meminfo`

## Risk and undo
With a larger share the kernel may kill a program when committed memory is not there. It can be
changed and changed back under load.

## When it is wrong
When you want a hard limit, so that a query fails rather than a program gets killed.

## References
- Linux kernel documentation: mm/overcommit-accounting
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import (
    HOST_COMMIT_LIMIT,
    HOST_COMMITTED,
    HOST_OVERCOMMIT,
    HOST_OVERCOMMIT_RATIO,
)
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Change, Facts, Knowledge, Unjudged, commands, rule
from advisor.rulekit.host_change import SYSCTL_FILE
from advisor.steps import HostCommand
from probes.figures import size

NAME = "vm.overcommit_ratio"
STRICT = 2
TIGHT, AMPLE = 0.10, 0.25
WANTED = 90


@rule(
    topic="Memory",
    do="Mind the limit on committed memory before the pool grows",
    needs=(HOST_OVERCOMMIT, HOST_MEMORY),
    uses=(HOST_COMMIT_LIMIT, HOST_COMMITTED, HOST_OVERCOMMIT_RATIO),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Only with 2 is the limit one."""
    mode, memory = facts.get(HOST_OVERCOMMIT), facts.get(HOST_MEMORY)
    if mode != STRICT:
        return facts.card(
            f"The setting vm.overcommit_memory is {mode:g}.",
            confidence=Confidence.HIGH,
            flips_when=f"it is {STRICT} and less than a quarter of the memory may still be "
            "committed",
        ).fine("Fine as it is: the kernel refuses no memory while some is free.")
    limit, committed = facts.find(HOST_COMMIT_LIMIT), facts.find(HOST_COMMITTED)
    if limit is None or committed is None:
        return Unjudged("How much memory may be committed is not known.")
    name, left = "memory left to commit", max(0.0, limit - committed)
    of = f"{size(limit)} - {size(committed)}"
    ample = At(name, left, of=of, least=AMPLE * memory, say=size)
    tight = At(name, left, of=of, below=TIGHT * memory, say=size)
    card = facts.card(
        f"Committed memory is {size(committed)} of at most {size(limit)} (vm.overcommit_memory is "
        f"{STRICT}).",
        ample,
        because="The kernel's limit and the committed memory at one moment.",
        valid=f"While vm.overcommit_memory is {STRICT}.",
    )
    if ample:
        return card.fine(
            "Fine as it is: the kernel refuses no memory while some is free.",
            confidence=Confidence.HIGH,
        )
    ratio = facts.find(HOST_OVERCOMMIT_RATIO)
    if not tight or not ratio or ratio >= WANTED:
        return card.watch(
            "A larger buffer pool, or many more connections, may fail to get their memory.",
            condition=ample if tight else ~ample & ~tight,
        )
    return card.recommend(
        _raised(ratio),
        setting=NAME,
        now=f"{ratio:g}",
        effect="The server gets memory that is free, and no connection fails for lack of it.",
        condition=tight,
        risk="Medium: with too much memory committed, the kernel may kill a program that uses its "
        "share.",
        cost_of_error="A killed program instead of a failed query.",
        side_effects="All programs may commit more memory.",
    )


def _raised(ratio: float) -> Change:
    return commands(
        str(WANTED),
        HostCommand(
            what=f"Let {WANTED} % of the memory be committed",
            run=f"sysctl -w {NAME}={WANTED}",
            undo=f"sysctl -w {NAME}={ratio:g}",
            verify="grep Commit /proc/meminfo",
            keep_file=SYSCTL_FILE,
            keep_line=f"{NAME} = {WANTED}",
        ),
    )
