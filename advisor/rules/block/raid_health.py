"""State of a software RAID.

## What it checks
Whether a software RAID below any of the server's directories is degraded, and whether it is
rebuilding or checking.

## Why it matters
A degraded array may not survive a further failure, and with parity it rebuilds the missing disk's
data at each read from all other disks. While it rebuilds or checks, it reads all of its disks from
end to end beside your load: figures measured meanwhile are too low.

## How it is judged
- a disk is missing: replacing it is proposed, before anything else.
- no disk is missing, and it is resyncing, recovering, reshaping or checking: watch; measure again
  afterwards.
- no disk is missing, and it is idle: fine.
- RAID 0 and linear arrays have no redundancy: not applicable.

## How to check by hand
`cat /proc/mdstat`, `mdadm --detail /dev/md0`

## Risk and undo
A rebuild loads all disks; it can be slowed by `dev.raid.speed_limit_max`. Have a backup first.

## When it is wrong
When an array was made with a missing disk on purpose.

## References
- md(4): degraded, sync_action
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_ALL
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    Change,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rulekit.host_change import one_line
from probes.figures import counted
from probes.inventory.facts import Layer

WITHOUT_SPARE = ("raid0", "linear")
BUSY = ("resync", "recover", "reshape", "check", "repair")


@rule(
    topic="Block layer",
    do="Measure again when the RAID is idle",
    needs=(STORAGE_ALL,),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """A missing disk comes first, a busy array second."""
    layers = {layer.name: layer for one in facts.get(STORAGE_ALL) for layer in one.layers}
    arrays = [layer for layer in layers.values() if layer.kind == "md"]
    if not arrays:
        return Inapplicable("No software RAID lies below these directories.")
    spare = [layer for layer in arrays if layer.detail.partition(" ")[0] not in WITHOUT_SPARE]
    if not spare:
        return Inapplicable("The array has no redundancy: a failed disk loses its data.")
    known = [layer for layer in spare if layer.missing_disks is not None or layer.activity]
    if not known:
        return Unjudged("The array's state is not known: this inventory did not read it.")
    worst = max(known, key=_urgency)
    missing = worst.missing_disks or 0
    whole = Is(missing == 0, "no disk is missing", "a disk is missing")
    idle = Is(not _busy(worst), "the array is idle", "the array is rebuilt or checked")
    doing = f"busy ({worst.activity})" if _busy(worst) else "idle"
    lacks = f"lacks {counted(missing, 'disk')}" if missing else "has all of its disks"
    card = facts.card(
        f"The array {worst} {lacks} and is {doing}.", whole & idle, confidence=Confidence.HIGH
    )
    if not whole:
        return card.recommend(
            _replaced(),
            setting=f"array {one_line(worst.name)}",
            now=f"{missing} missing",
            effect="The next failed disk does not take the data with it, and reads no longer "
            "compute data from parity.",
            condition=whole,
            formula=f"missing disks = {missing}",
            risk="Medium: the rebuild reads all disks from end to end; have a backup first.",
            cost_of_error="None, unless the array was made degraded on purpose.",
            side_effects="The drive is slower while the array is rebuilt.",
            verify="cat /proc/mdstat shows [UU...] without a gap",
        )
    if not idle:
        return card.watch(
            "Figures measured meanwhile are lower than the array gives: measure again when it is "
            "idle.",
            condition=idle,
            formula=f"sync_action = {worst.activity}",
            valid="Until it is done; /proc/mdstat shows how long that takes.",
        )
    return card.fine()


def _urgency(layer: Layer) -> int:
    return 2 if layer.missing_disks else int(_busy(layer))


def _busy(layer: Layer) -> bool:
    return layer.activity in BUSY


def _replaced() -> Change:
    return by_hand(
        "whole",
        "Replace the missing disk",
        (
            "Take a backup now.",
            "See which disk is gone: mdadm --detail of the array, and the kernel's log.",
            "Replace it and add the new one: mdadm --add.",
            "Wait until /proc/mdstat shows it whole, then measure again.",
        ),
        ("A rebuilt array needs no undoing.",),
        Needs.OS,
    )
