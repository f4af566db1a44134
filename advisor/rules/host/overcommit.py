"""Limit on promised memory.

## What it checks
vm.overcommit_memory = 2, and how much may still be promised then.

## Why it matters
With 2 the kernel promises no more than swap plus a share of the memory, by default half. What is
promised counts, not what is used: the buffer pool in full, each thread's stack. A server is then
refused memory, and a query or a new connection fails, while much of the memory is free.

## How it is judged
- 0 or 1: fine; promises are not the limit.
- 2: `left = CommitLimit - Committed_AS`. Less than a tenth of the memory: a larger share
  (vm.overcommit_ratio) is proposed, where a share is what binds and it is below 90 %. Else watch
  below a quarter, and fine from there on.

## How to check by hand
`sysctl vm.overcommit_memory vm.overcommit_ratio`, `grep Commit /proc/meminfo`

## Risk and undo
With a larger share a program can be ended for lack of memory that was promised. It can be changed
under load, both ways.

## When it is wrong
When a hard limit is wanted, so that a query fails rather than a program ends.

## References
- Linux kernel documentation: mm/overcommit-accounting
"""

from __future__ import annotations

from advisor.facts.known import (
    HOST_COMMIT_LIMIT,
    HOST_COMMITTED,
    HOST_MEMORY,
    HOST_OVERCOMMIT,
    HOST_OVERCOMMIT_RATIO,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import SYSCTL_FILE, commands
from advisor.rulekit.rule import rule
from advisor.steps import HostCommand
from probes import figures

STRICT = 2
TIGHT, AMPLE = 0.10, 0.25
WANTED = 90


@rule(
    topic="Memory",
    needs=(HOST_OVERCOMMIT, HOST_MEMORY),
    uses=(HOST_COMMIT_LIMIT, HOST_COMMITTED, HOST_OVERCOMMIT_RATIO),
)
def check(facts: Facts) -> Answer:
    """Only with 2 is the limit one."""
    mode, memory = facts.get(HOST_OVERCOMMIT), facts.get(HOST_MEMORY)
    if mode != STRICT:
        return _fine(f"The setting vm.overcommit_memory is {mode:g}.")
    limit, promised = facts.find(HOST_COMMIT_LIMIT), facts.find(HOST_COMMITTED)
    if limit is None or promised is None:
        return Unjudged("How much memory may be promised is not known.")
    left = limit - promised
    saw = (
        f"The kernel promises no more than {figures.size(limit)} "
        f"(vm.overcommit_memory is 2), of which {figures.size(promised)} are taken."
    )
    formula = (
        f"{figures.size(limit)} - {figures.size(promised)} = {figures.size(max(0.0, left))}, "
        f"{figures.percent(max(0.0, left) / memory)} of the memory"
    )
    if left >= AMPLE * memory:
        return _fine(saw)
    ratio = facts.find(HOST_OVERCOMMIT_RATIO)
    tight = left < TIGHT * memory
    if not tight or not ratio or ratio >= WANTED:
        return Judged(
            Verdict.WATCH,
            saw,
            effect="A larger buffer pool, or many more connections, may be refused their memory.",
            confidence=Confidence.MEDIUM,
            formula=formula,
            because="the kernel's limit and what was promised at one moment",
            valid="while vm.overcommit_memory is 2",
            cost_of_error="a look",
            flips_when=f"{figures.percent(AMPLE)} of the memory or more may still be promised"
            + ("" if tight else f", or less than {figures.percent(TIGHT)}"),
            gain=0.2,
        )
    return _raised(saw, formula, ratio)


def _fine(saw: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: no memory is refused while there is some.",
        confidence=Confidence.HIGH,
        because="the kernel's settings",
        flips_when="it is 2 and less than a quarter of the memory may still be promised",
    )


def _raised(saw: str, formula: str, ratio: float) -> Judged:
    name = "vm.overcommit_ratio"
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=name,
        now=f"{ratio:g}",
        effect="The server is given memory that is free, and no connection fails for want of it.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="the kernel's limit and what was promised at one moment",
        risk="Medium: with too much promised a program can be ended when it uses what it was "
        "given.",
        valid="while vm.overcommit_memory is 2",
        cost_of_error="a program that is ended in place of a query that fails",
        side_effects="all programs may be promised more",
        flips_when=f"{figures.percent(TIGHT)} of the memory or more may still be promised",
        gain=0.4,
    ).by(
        commands(
            str(WANTED),
            HostCommand(
                what=f"Let {WANTED} % of the memory be promised",
                run=f"sysctl -w {name}={WANTED}",
                undo=f"sysctl -w {name}={ratio:g}",
                verify="grep Commit /proc/meminfo",
                keep_file=SYSCTL_FILE,
                keep_line=f"{name} = {WANTED}",
            ),
        )
    )
