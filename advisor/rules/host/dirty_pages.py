"""Dirty pages in the page cache.

## What it checks
How many dirty pages the page cache may hold before the kernel writes them in the background
(vm.dirty_background_*), against the measured rate of writes.

## Why it matters
The limit is a share of the memory, 10 % by default: 25 GiB on a machine with 256 GiB. A backup, a
dump or a large temporary file fills it within seconds; then the drive writes them for minutes, and
commits and reads wait meanwhile. InnoDB's own pages bypass the page cache where they are written
directly, but the binary log, sorts, dumps and system logs do not.

## How it is judged
`seconds = dirty limit / rate`: the rate at the end of a long sequential write, which is how such
files are written; else the peak of random page writes, which is lower.
- up to 10 s, or up to 64 MiB in any case: fine. Up to 30 s: watch (our choices).
- more: what the drive writes in 5 s (our choice) is proposed, at least 64 MiB. Where only random
  writes were measured, and they peak below 2,000/s as a disk's do: watch, since a disk writes many
  times faster sequentially.
- It is minor where the server reads and writes its pages directly: then only dumps, logs and other
  programs fill the page cache, and nobody saw them do so.
- writes were not measured: fine up to 1 GiB, not judged above.
- Data on ZFS: no question, for it has a limit of its own (`zfs_dirty_data_max`).

## How to check by hand
`sysctl vm.dirty_background_ratio vm.dirty_background_bytes`, `grep -e Dirty -e Writeback
/proc/meminfo`

## Risk and undo
Files are written earlier, so that short-lived ones reach the drive, too. It can be changed and
changed back under load.

## When it is wrong
When files written through the page cache lie on other drives than the database.

## References
- OpenZFS documentation, "Module Parameters", zfs_dirty_data_max
- Linux kernel documentation: sysctl/vm, dirty_background_bytes and dirty_background_ratio
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_DIRTY_BACKGROUND, HOST_DIRTY_BACKGROUND_RATIO
from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.watched.volumes import VOLUME_LONG_WRITE
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Facts,
    Inapplicable,
    Knowledge,
    SafeEnd,
    Unjudged,
    commands,
    rule,
)
from advisor.rulekit.host_change import SYSCTL_FILE
from advisor.steps import HostCommand
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from probes.figures import seconds, size, throughput

NAME = "vm.dirty_background_bytes"
SHORT_S, LONG_S = 10.0, 30.0
WANTED_S = 5.0
LEAST_BYTES = 64 << 20
UNMEASURED_BYTES = 1 << 30
DISK_PER_S = 2000.0
"""Below this random writes are held up by seeks, and say little about sequential ones."""


@rule(
    topic="Memory",
    do="Watch commits while a dump or backup is written",
    needs=(HOST_DIRTY_BACKGROUND,),
    uses=(
        CURVE_RANDOM_WRITE_PAGE,
        VOLUME_LONG_WRITE,
        HOST_DIRTY_BACKGROUND_RATIO,
        STORAGE_DATA,
        METHOD,
        SWITCH,
    ),
    safe_end=SafeEnd.LOWEST,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Divide the dirty pages by what the drive writes."""
    storage = facts.find(STORAGE_DATA)
    if storage is not None and storage.filesystem == "zfs":
        return Inapplicable(
            "The data lies on ZFS, which does not write through the page cache: zfs_dirty_data_max "
            "limits its dirty data."
        )
    dirty = facts.get(HOST_DIRTY_BACKGROUND)
    saw = f"The kernel writes dirty pages in the background from {size(dirty)} on"
    long, curve = facts.find(VOLUME_LONG_WRITE), facts.find(CURVE_RANDOM_WRITE_PAGE)
    rate, how, seeks = 0.0, "", False
    if long is not None:
        rate, how = long.phases[-1].rate_per_s * long.block_bytes, "sequentially"
    elif curve is not None:
        rate, how = curve.peak.rate_per_s * curve.peak.setting.block_size_bytes, "at random"
        seeks = curve.peak.rate_per_s < DISK_PER_S
    if rate <= 0:
        few = At("dirty limit", dirty, most=UNMEASURED_BYTES, say=size)
        if few:
            return facts.card(f"{saw}.", few).fine()
        return Unjudged(
            f"How long {size(dirty)} of dirty pages keep the drive busy is not known: random "
            "writes were not measured."
        )
    name, time_s, of = "time to write them", dirty / rate, f"{size(dirty)} / {throughput(rate)}"
    short = At(name, time_s, of=of, most=SHORT_S, say=seconds) | At(
        "dirty limit", dirty, most=LEAST_BYTES, say=size
    )
    bearable = At(name, time_s, of=of, most=LONG_S, say=seconds)
    card = facts.card(
        f"{saw}; the drive writes {throughput(rate)} {how}.",
        short,
        because="The kernel's setting and the measured writes; the dirty pages were not counted.",
        valid="Where the binary log, sorts or other programs write to the database's drive.",
    )
    if short:
        return card.fine("Fine as it is: the drive catches up soon.")
    if seeks or bearable:
        sequential = "a long sequential write shows that " if seeks else ""
        return card.watch(
            "A dump or a backup may slow this drive for that long"
            + ("; sequentially a disk writes many times faster." if seeks else "."),
            flips_when=f"{short.turn}, or {sequential}it takes more than {seconds(LONG_S)}",
            confidence=Confidence.LOW,
            knowledge=Knowledge.MEASURED,
        )
    wanted = max(LEAST_BYTES, int(rate * WANTED_S) >> 20 << 20)
    ratio = facts.find(HOST_DIRTY_BACKGROUND_RATIO)
    return card.recommend(
        _limited(
            wanted, f"vm.dirty_background_ratio={ratio:g}" if ratio else f"{NAME}={dirty:.0f}"
        ),
        setting=NAME,
        now=f"{dirty:.0f}",
        slight=pages_buffered(facts) is False,
        effect="Dumps, backups and sorts are written steadily, not in one long burst beside your "
        "commits.",
        condition=bearable,
        formula=f"{throughput(rate)} x {WANTED_S:g} s = {size(rate * WANTED_S)}, at least "
        f"{size(LEAST_BYTES)}",
        risk="Low: short-lived files are written, too.",
        cost_of_error="More writes of short-lived files.",
        side_effects="It applies to all drives of the machine.",
    )


def _limited(wanted: int, back: str) -> Change:
    """Setting the bytes clears the ratio, and the other way round."""
    return commands(
        str(wanted),
        HostCommand(
            what=f"Begin to write dirty pages at {size(wanted)}",
            run=f"sysctl -w {NAME}={wanted}",
            undo=f"sysctl -w {back}",
            verify=f"sysctl -n {NAME}",
            keep_file=SYSCTL_FILE,
            keep_line=f"{NAME} = {wanted}",
        ),
    )
