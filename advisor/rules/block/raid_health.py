"""State of a software RAID.

## What it checks
Whether a software RAID below any of the server's directories misses a disk, and whether it is
rebuilding or checking.

## Why it matters
An array that lacks a disk survives no further failure, and with parity it computes what the missing
disk would have said: reads take several disks. While it rebuilds or checks itself, it reads all of
its disks from end to end beside your load: whatever was measured then is not what it gives.

## How it is judged
- a disk is missing: replacing it is proposed, before anything else.
- all are there, and it is resyncing, recovering, reshaping or checking: watch; measure again
  afterwards.
- all are there and idle: fine.
- RAID 0 and linear arrays have no disk to spare: not applicable.

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

from advisor.facts.known import STORAGE_ALL
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes.inventory.facts import Layer, Storage

WITHOUT_SPARE = ("raid0", "linear")
BUSY = ("resync", "recover", "reshape", "check", "repair")


@rule(topic="Block layer", needs=(STORAGE_ALL,))
def check(facts: Facts) -> Answer:
    """A missing disk comes first, a busy array second."""
    places: tuple[Storage, ...] = facts.get(STORAGE_ALL)
    layers = {layer.name: layer for one in places for layer in one.layers}
    arrays = [layer for layer in layers.values() if layer.kind == "md"]
    if not arrays:
        return Inapplicable("No software RAID lies below these directories.")
    spare = [layer for layer in arrays if layer.detail.partition(" ")[0] not in WITHOUT_SPARE]
    if not spare:
        return Inapplicable("The array has no redundancy: a disk that fails takes it along.")
    told = [layer for layer in spare if layer.missing_disks is not None or layer.activity]
    if not told:
        return Unjudged("The array's state is not known: this inventory was not asked for it.")
    lacking = next((layer for layer in told if layer.missing_disks), None)
    if lacking is not None:
        return _incomplete(lacking)
    busy = next((layer for layer in told if layer.activity in BUSY), None)
    if busy is not None:
        return Judged(
            Verdict.WATCH,
            f"The array {busy} is at work on itself ({busy.activity}).",
            effect="What was measured meanwhile is less than the array gives: measure again when "
            "it is idle.",
            confidence=Confidence.HIGH,
            formula=f"missing disks = 0; sync_action = {busy.activity}",
            because="the array's own state when the inventory was taken",
            valid="for as long as it goes on; /proc/mdstat tells how long",
            cost_of_error="a measurement",
            flips_when="the array is idle",
            gain=0.3,
        )
    return Judged(
        Verdict.FINE,
        f"The array {told[0]} has all of its disks and is idle.",
        effect="Fine as it is.",
        confidence=Confidence.HIGH,
        because="the array's own state when the inventory was taken",
        flips_when="a disk is missing, or the array is rebuilt or checked",
    )


def _incomplete(array: Layer) -> Judged:
    missing = array.missing_disks or 0
    disks = "a disk is" if missing == 1 else f"{missing} disks are"
    doing = f" It is at work on itself ({array.activity})." if array.activity in BUSY else ""
    return Judged(
        Verdict.RECOMMEND,
        f"The array {array} is not whole: {disks} missing.{doing}",
        setting=f"array {one_line(array.name)}",
        now=f"{missing} missing",
        effect="The next failed disk does not take the data with it, and reads need no reckoning.",
        confidence=Confidence.HIGH,
        formula=f"missing disks = {missing} > 0",
        because="the array's own state when the inventory was taken",
        risk="Medium: the rebuild reads all disks from end to end; have a backup first.",
        valid="for arrays with redundancy",
        cost_of_error="none, unless it was made that way on purpose",
        side_effects="the drive is slower while the array is rebuilt",
        verify="cat /proc/mdstat shows [UU...] without a gap",
        flips_when="no disk is missing",
        gain=1.0,
    ).by(
        by_hand(
            "whole",
            "Replace the missing disk",
            (
                "Take a backup now.",
                "See which disk is gone: mdadm --detail of the array, and the kernel's log.",
                "Replace it and add the new one: mdadm --add.",
                "Wait until /proc/mdstat shows it whole, then measure again.",
            ),
            ("A rebuilt array needs no undoing.",),
        )
    )
