"""Writes that the page cache holds back.

## What it checks
How much the kernel holds back in its cache of files before it begins to write
(vm.dirty_background_*) against the measured rate of writes.

## Why it matters
The limit is a share of the memory, 10 % by default: 25 GiB on a machine with 256 GiB. A backup, a
dump or a large temporary file fills it within seconds; then the drive is busy with it for minutes,
and commits and reads wait beside it. InnoDB's own pages take no part where they are written
directly, but the binary log, sorts, dumps and the logs of the system do.

## How it is judged
`seconds = what is held back / rate`: the rate that a long write in order ended with, as such files
are written; else the peak of random page writes, which is less than that.
- up to 10 s, or up to 64 MiB in any case: fine. Up to 30 s: watch.
- more: what the drive writes in 5 s is proposed, at least 64 MiB. Where only random writes were
  measured, and they peak below 2,000/s as a disk's do: watch, since in order it writes many times
  faster.
- writes were not measured: fine up to 1 GiB, not judged above.

## How to check by hand
`sysctl vm.dirty_background_ratio vm.dirty_background_bytes`, `grep -e Dirty -e Writeback
/proc/meminfo`

## Risk and undo
Programs that write a lot through the cache are written out earlier, so files that live for seconds
only do reach the drive. It can be changed under load, both ways.

## When it is wrong
When the files that are written lie on other drives than the database.

## References
- Linux kernel documentation: sysctl/vm, dirty_background_bytes and dirty_background_ratio
"""

from __future__ import annotations

from advisor.facts.known import (
    CURVE_RANDOM_WRITE_PAGE,
    HOST_DIRTY_BACKGROUND,
    HOST_DIRTY_BACKGROUND_RATIO,
    VOLUME_LONG_WRITE,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import SYSCTL_FILE, commands
from advisor.rulekit.rule import rule
from advisor.steps import HostCommand
from probes import figures
from probes.points import Curve

SHORT_S, LONG_S = 10.0, 30.0
WANTED_S = 5.0
LEAST_BYTES = 64 << 20
UNMEASURED_BYTES = 1 << 30
DISK_PER_S = 2000.0
"""Below this random writes are held up by seeks, and tell little about files written in order."""


@rule(
    topic="Memory",
    needs=(HOST_DIRTY_BACKGROUND,),
    uses=(CURVE_RANDOM_WRITE_PAGE, VOLUME_LONG_WRITE, HOST_DIRTY_BACKGROUND_RATIO),
)
def check(facts: Facts) -> Answer:
    """Divide what is held back by what the drive writes."""
    held = facts.get(HOST_DIRTY_BACKGROUND)
    saw = f"The kernel holds back {figures.size(held)} of writes before it begins with them."
    long, curve = (
        facts.find(VOLUME_LONG_WRITE),
        facts.find(CURVE_RANDOM_WRITE_PAGE),
    )
    if long is not None:
        per_s, how = long.phases[-1].rate_per_s * long.block_bytes, "in order"
    else:
        per_s, how = 0.0 if curve is None else _bytes_per_s(curve), "of pages at random"
    if per_s <= 0:
        return _unmeasured(saw, held)
    seconds = held / per_s
    saw = f"{saw[:-1]}; this drive writes {figures.throughput(per_s)} {how}."
    formula = f"{figures.size(held)} / {figures.throughput(per_s)} = {figures.seconds(seconds)}"
    if seconds <= SHORT_S or held <= LEAST_BYTES:
        return _fine(saw, formula)
    bound = long is None and curve is not None and curve.peak.rate_per_s < DISK_PER_S
    if seconds > LONG_S and not bound:
        ratio = facts.find(HOST_DIRTY_BACKGROUND_RATIO)
        return _too_much(saw, formula, held, per_s, ratio)
    return Judged(
        Verdict.WATCH,
        saw,
        effect="A dump or a backup on this drive may be felt for that long"
        + (
            "; a disk writes it many times faster in order, which a long write tells."
            if bound
            else "."
        ),
        confidence=Confidence.LOW,
        formula=formula,
        because="the kernel's setting and the measured writes; nobody was seen to fill the cache",
        valid="where other programs write to the database's drive",
        cost_of_error="none: nothing is changed",
        flips_when=f"it is worth {figures.seconds(SHORT_S)} or less, or more than "
        f"{figures.seconds(LONG_S)} of writing" + (" in order" if bound else ""),
        gain=0.1,
    )


def _bytes_per_s(curve: Curve) -> float:
    return curve.peak.rate_per_s * curve.peak.setting.block_size_bytes


def _fine(saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: the drive catches up soon.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="the kernel's setting, and the measured writes where there are some",
        flips_when=f"what is held back is worth more than {figures.seconds(SHORT_S)} of writing",
    )


def _unmeasured(saw: str, held: float) -> Answer:
    if held <= UNMEASURED_BYTES:
        return _fine(saw, "")
    return Unjudged(
        f"How long {figures.size(held)} of saved-up writes keep the drive busy is not known: "
        "random writes were not measured, or not trusted."
    )


def _too_much(saw: str, formula: str, held: float, per_s: float, ratio: float | None) -> Judged:
    wanted = max(LEAST_BYTES, int(per_s * WANTED_S) >> 20 << 20)
    name = "vm.dirty_background_bytes"
    back = f"vm.dirty_background_ratio={ratio:g}" if ratio else f"{name}={held:.0f}"
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=name,
        now=f"{held:.0f}",
        effect="Dumps, backups and sorts are written out as they go, not in one long burst beside "
        "your commits.",
        confidence=Confidence.MEDIUM,
        formula=f"{formula}; {figures.throughput(per_s)} x {WANTED_S:g} s = "
        f"{figures.size(per_s * WANTED_S)}, at least {figures.size(LEAST_BYTES)}",
        because="the kernel's setting and the measured writes; nobody was seen to fill the cache",
        risk="Low: files that live for seconds only are written, too.",
        valid="where other programs, the binary log or sorts write to the database's drive",
        cost_of_error="more writing of short-lived files",
        side_effects="it counts for all drives of the machine",
        flips_when=f"it is worth {figures.seconds(LONG_S)} of writing or less",
        gain=0.2,
    ).by(
        commands(
            str(wanted),
            HostCommand(
                what=f"Begin to write at {figures.size(wanted)}",
                run=f"sysctl -w {name}={wanted}",
                undo=f"sysctl -w {back}",
                verify=f"sysctl -n {name}",
                keep_file=SYSCTL_FILE,
                keep_line=f"{name} = {wanted}",
            ),
        )
    )
