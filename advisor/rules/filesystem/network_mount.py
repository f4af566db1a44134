"""Mount options of a network file system.

## What it checks
How an NFS (or other network) file system under the data directory is mounted.

## Why it matters
A soft mount returns an error when the file server is away for some seconds: InnoDB then ends in the
middle of a write, or a page that counts as written is lost. A hard mount waits. Small transfer
sizes split InnoDB's large writes (doublewrite, redo, backups) into many requests.

## How it is judged
- NFS with soft or softerr: hard is proposed.
- NFS, hard, with rsize or wsize below 64 KiB (our choice): watch.
- NFS, hard, with larger ones: fine.
- Another network file system: watch; check in its manual what a sync guarantees.

## How to check by hand
`nfsstat -m`, `findmnt -no OPTIONS -T /var/lib/mysql`

## Risk and undo
With a hard mount processes hang while the file server is away, and continue when it is back.

## When it is wrong
When losing the files there is acceptable.

## References
- nfs(5): soft, softerr, hard, rsize, wsize
- NetApp: InnoDB flush method on NFS
"""

from __future__ import annotations

import re

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.plan.foreign_words import shell
from advisor.rulekit import (
    Answer,
    Change,
    Facts,
    Inapplicable,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rulekit.host_change import one_line
from probes.figures import size
from probes.inventory.facts import Storage
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS

SMALL_BYTES = 64 << 10


@rule(
    topic="File system",
    do="Read what the file server keeps of a sync",
    needs=(STORAGE_DATA,),
    findings=("F102",),
    stakes=Stakes.DATA,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Check what the mount does when the other side is away, then its transfer sizes."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in NETWORK_FILESYSTEMS:
        name = storage.filesystem or "an unknown file system"
        return Inapplicable(f"The data lies on {name}, not on a network file system.")
    if not storage.filesystem.startswith("nfs"):
        return facts.card(
            f"The data directory lies on {storage.filesystem}, over a network."
        ).watch(
            "What a sync guarantees there, and what happens when the other side is away, depends "
            "on it: read its manual on databases before you rely on its commits.",
            formula=f"{storage.filesystem} is not NFS",
            valid="For data that must survive a failure of the network.",
            flips_when="the data lies on a drive of this machine, or on NFS",
        )
    if not storage.mount_options:
        return Unjudged("The mount options of the data's file system are not known.")
    point = one_line(storage.mount_point or storage.path)
    soft = next((word for word in ("soft", "softerr") if word in storage.mount_options), "")
    if soft:
        return _soft(facts, storage, point, soft)
    sizes = ", ".join(
        f"{name} {size(value)}" for name, value in _sizes(storage) if value < SMALL_BYTES
    )
    card = facts.card(
        f"The data directory lies on NFS, mounted hard on {point}{f', with {sizes}' * bool(sizes)}."
    )
    if not sizes:
        return card.fine(
            "Fine as it is: when the file server is away, the server waits. On NFS try the flush "
            "method fsync against O_DIRECT: a vendor found it faster.",
            because="The mount's options and a vendor's measurements.",
            flips_when="it is mounted soft",
        )
    return card.watch(
        "Large writes and backups take many small requests; file servers today support 1 MiB.",
        formula=f"{sizes} < {size(SMALL_BYTES)}",
        because="The mount's options; the file server's maximum is not known.",
        valid="For writes of more than one page.",
        flips_when=f"rsize and wsize are {size(SMALL_BYTES)} or more",
    )


def _sizes(storage: Storage) -> list[tuple[str, int]]:
    found = (re.fullmatch(r"(rsize|wsize)=(\d+)", option) for option in storage.mount_options)
    return list({match[1]: int(match[2]) for match in found if match}.items())


def _soft(facts: Facts, storage: Storage, point: str, soft: str) -> Answer:
    return facts.card(
        f"The data directory lies on NFS, mounted {soft} on {point}: writes fail when the file "
        "server is away.",
        confidence=Confidence.HIGH,
        formula=f"{soft} is among the options; hard is the default",
        flips_when="hard is among the options",
    ).recommend(
        _hard(storage, point, soft),
        setting=f"mount option of {point}",
        now=soft,
        effect="While the file server is away the server waits, and no page is lost.",
        risk="Low: processes hang while the file server is away.",
        cost_of_error="A server that waits where it could have ended.",
        side_effects="All reads on this mount wait, too.",
        verify=f"findmnt -no OPTIONS {shell(storage.mount_point)}",
    )


def _hard(storage: Storage, point: str, soft: str) -> Change:
    return by_hand(
        "hard",
        f"Mount {point} hard",
        (
            "Shut the server down cleanly.",
            f"Write hard in place of {soft} among the options of {point} in /etc/fstab.",
            f"umount {shell(storage.mount_point)}, mount it again, start the server.",
        ),
        (f"Write {soft} again, unmount and mount.",),
        Needs.RESTART,
    )
