"""Blocks reserved for root.

## What it checks
How much of the data directory's ext4 is reserved for root.

## Why it matters
mke2fs reserves 5 % for root, so that logins still work on a full root file system. On a volume that
holds only a database the server, which is not root, never gets it: on 4 TiB these are 200 GiB.

## How it is judged
`reserved = (free blocks - blocks available to others) x block size`.
- 10 GiB or more, 2 % of the file system or more (our choices), and it is not the root file system:
  1 % is proposed, so that ext4 keeps some space to place files well. It is minor while a tenth of
  the file system is free (our choice): nothing gets slower until it is full.
- Else fine.

## How to check by hand
`dumpe2fs -h DEVICE | grep -i reserved`

## Risk and undo
None while it is in use; `tune2fs -m 5` brings it back.

## When it is wrong
When services of root also write there, such as logs.

## References
- tune2fs(8), options -m and -r; mke2fs(8)
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.plan.foreign_words import shell
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Unjudged,
    commands,
    rule,
)
from advisor.rulekit.host_change import one_line
from advisor.steps import HostCommand
from probes.figures import percent, size
from probes.inventory.facts import Storage

MUCH_BYTES = 10 << 30
MUCH_SHARE = 0.02
WANTED_SHARE = 0.01
ENOUGH_FREE = 0.1
WHOLE = 0.05
"""Within this share above a whole number of per cent, that number is what was set."""


@rule(topic="File system", needs=(STORAGE_DATA,), knowledge=Knowledge.DOCUMENTED)
def check(facts: Facts) -> Answer:
    """Weigh the reserve against the whole."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in {"ext2", "ext3", "ext4"}:
        name = storage.filesystem or "there"
        return Inapplicable(f"The file system {name} reserves no blocks for root.")
    if storage.reserved_bytes is None or not storage.size_bytes:
        return Unjudged("How much is reserved for root is not known from this inventory.")
    reserved, whole = storage.reserved_bytes, storage.size_bytes
    share = reserved / whole
    point = one_line(storage.mount_point or storage.path)
    root = storage.mount_point == "/"
    bound = max(MUCH_BYTES, MUCH_SHARE * whole)
    much = Is(not root, "it is not the root file system") & At(
        "reserve", reserved, least=bound, say=size
    )
    card = facts.card(
        f"The file system on {point} reserves {size(reserved)} for root, {percent(share)} of "
        f"{size(whole)}.",
        much,
        confidence=Confidence.HIGH,
    )
    if not much:
        return card.fine(
            "Fine as it is: the root file system needs its reserve."
            if root
            else "Fine as it is: a smaller reserve would gain little."
        )
    more = size(reserved - whole * WANTED_SHARE)
    return card.recommend(
        _lowered(storage, share, point),
        setting=f"reserved blocks of {point}",
        now=percent(share),
        slight=not _short_of_space(storage),
        effect=f"{more} more space for the server at once.",
        formula=f"{size(reserved)} - {percent(WANTED_SHARE)} of {size(whole)} = {more}",
        risk="Low while only the server writes there: watch the free space, since files are "
        "fragmented on a full file system.",
        valid="For a file system that holds the database and no files of root.",
        cost_of_error="root can no longer write when the file system is full.",
        side_effects="More space is available to others, as df shows.",
    )


def _short_of_space(storage: Storage) -> bool:
    free, whole = storage.free_bytes, storage.size_bytes
    return free is not None and free < ENOUGH_FREE * (whole or 0)


def _lowered(storage: Storage, share: float, point: str) -> Change:
    device = shell(storage.mount_source)
    return commands(
        percent(WANTED_SHARE),
        HostCommand(
            what=f"Keep 1 % of {point} for root",
            run=f"tune2fs -m 1 {device}",
            undo=f"tune2fs -m {_percent(share * 100):g} {device}",
            verify=f"dumpe2fs -h {device} | grep -i 'reserved block count'",
        ),
    )


def _percent(seen: float) -> float:
    """The share that was set: nearly always a whole number, seen a little high.

    The kernel adds a few blocks of its own, and the size that it reports lacks the inode tables.
    """
    whole = float(int(seen))
    return whole if whole and seen - whole <= WHOLE * whole else round(seen, 2)
