"""Room kept back for root.

## What it checks
How much of the data directory's ext4 is kept for root.

## Why it matters
mke2fs keeps 5 % for root, so that a full root file system can still be logged into. On a volume
that holds nothing but a database the server, which is not root, never gets it: on 4 TiB these are
200 GiB.

## How it is judged
`reserved = (free blocks - blocks available to others) x block size`.
- 10 GiB or more, 2 % of the file system or more, and it is not the root file system: 1 % is
  proposed, so that ext4 keeps some room to place files well.
- Else fine.

## How to check by hand
`dumpe2fs -h DEVICE | grep -i reserved`

## Risk and undo
None while it is in use; `tune2fs -m 5` brings it back.

## When it is wrong
When the file system also holds what root's services must be able to write, such as logs.

## References
- tune2fs(8), options -m and -r; mke2fs(8)
"""

from __future__ import annotations

from shlex import quote

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import commands, one_line
from advisor.rulekit.rule import rule
from advisor.steps import HostCommand
from probes import figures

MUCH_BYTES = 10 << 30
MUCH_SHARE = 0.02
WHOLE = 0.05
"""Within this share above a whole number of per cent, that number is what was set."""


@rule(topic="File system", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Weigh what is kept back against the whole."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in {"ext2", "ext3", "ext4"}:
        name = storage.filesystem or "there"
        return Inapplicable(f"The file system {name} keeps no share back for root.")
    if storage.reserved_bytes is None or not storage.size_bytes:
        return Unjudged("How much is kept for root was not told by this inventory.")
    kept, size = storage.reserved_bytes, storage.size_bytes
    point = one_line(storage.mount_point or storage.path)
    saw = (
        f"The file system on {point} keeps {figures.size(kept)} for root, "
        f"{figures.percent(kept / size)} of "
        f"{figures.size(size)}."
    )
    formula = f"{figures.size(kept)} / {figures.size(size)} = {figures.percent(kept / size)}"
    if storage.mount_point == "/" or kept < MUCH_BYTES or kept < MUCH_SHARE * size:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: the root file system needs its reserve."
            if storage.mount_point == "/"
            else "Fine as it is: little would be gained.",
            confidence=Confidence.HIGH,
            formula=formula,
            because="what the file system says of itself",
            flips_when=f"{figures.size(MUCH_BYTES)} and {figures.percent(MUCH_SHARE)} or more are "
            "kept on a volume of its own",
        )
    percent = _percent(kept / size * 100)
    device = quote(storage.mount_source)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=f"reserved blocks of {point}",
        now=figures.percent(kept / size),
        effect=f"{figures.size(kept - size * 0.01)} more room for the server at once.",
        confidence=Confidence.HIGH,
        formula=f"{formula}; to 1 %: {figures.size(kept - size * 0.01)} more",
        because="what the file system says of itself",
        risk="Low while only the server writes there: keep an eye on the room, since a file system "
        "that runs full gives out files in pieces.",
        valid="for a file system that holds the database and nothing of root's",
        cost_of_error="root can no longer write when the file system is full",
        side_effects="df shows more room available",
        flips_when=f"less than {figures.size(MUCH_BYTES)} or {figures.percent(MUCH_SHARE)} are "
        "kept",
        gain=0.15,
    ).by(
        commands(
            figures.percent(0.01),
            HostCommand(
                what=f"Keep 1 % of {point} for root",
                run=f"tune2fs -m 1 {device}",
                undo=f"tune2fs -m {percent:g} {device}",
                verify=f"dumpe2fs -h {device} | grep -i 'reserved block count'",
            ),
        )
    )


def _percent(told: float) -> float:
    """The share that was set: nearly always a whole number, told a little high.

    The kernel adds a few blocks of its own, and the size that it tells lacks the inode tables.
    """
    whole = float(int(told))
    return whole if whole and told - whole <= WHOLE * whole else round(told, 2)
