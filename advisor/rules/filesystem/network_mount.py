"""Mount options of a network file system.

## What it checks
How an NFS (or other network) file system under the data directory is mounted.

## Why it matters
A soft mount answers with an error when the server is away for some seconds: InnoDB then ends in the
middle of a write, or a page is lost that was thought to be written. A hard mount waits. Small
transfer sizes cut InnoDB's large writes (doublewrite, redo, backups) into many requests.

## How it is judged
- NFS with soft or softerr: hard is proposed.
- NFS, hard, with rsize or wsize below 64 KiB: watch.
- NFS, hard, with larger ones: fine.
- Another network file system: watch; what it promises has to be read in its own manual.

## How to check by hand
`nfsstat -m`, `findmnt -no OPTIONS -T /var/lib/mysql`

## Risk and undo
With a hard mount processes hang while the file server is away, and go on when it is back.

## When it is wrong
When nothing that must last is kept there.

## References
- nfs(5): soft, softerr, hard, rsize, wsize
- NetApp: InnoDB flush method on NFS
"""

from __future__ import annotations

import re
from shlex import quote

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Storage
from probes.inventory.storage import NETWORK_FILESYSTEMS

SMALL_BYTES = 64 << 10


@rule(topic="File system", needs=(STORAGE_DATA,), findings=("F102",))
def check(facts: Facts) -> Answer:
    """Look at how the mount behaves when the other side is away, then at its sizes."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in NETWORK_FILESYSTEMS:
        name = storage.filesystem or "an unknown file system"
        return Inapplicable(f"The data lies on {name}, not on a network file system.")
    if not storage.filesystem.startswith("nfs"):
        return _unknown(storage)
    if not storage.mount_options:
        return Unjudged("The mount table does not tell the options of the data's file system.")
    point = one_line(storage.mount_point or storage.path)
    soft = next((word for word in ("soft", "softerr") if word in storage.mount_options), "")
    if soft:
        return _gives_up(storage, point, soft)
    sizes = _sizes(storage)
    small = {name: size for name, size in sizes.items() if size < SMALL_BYTES}
    saw = f"The data directory lies on NFS, mounted hard on {point}"
    if small:
        told = ", ".join(f"{name} {figures.size(size)}" for name, size in small.items())
        return Judged(
            Verdict.WATCH,
            f"{saw}, with {told}.",
            effect="Large writes and backups take many small requests; servers today take 1 MiB.",
            confidence=Confidence.MEDIUM,
            formula=f"{told} < {figures.size(SMALL_BYTES)}",
            because="the mount's options; what the file server would take is not known",
            valid="for writes of more than one page",
            cost_of_error="a remount",
            flips_when=f"rsize and wsize are {figures.size(SMALL_BYTES)} or more",
            gain=0.15,
        )
    return Judged(
        Verdict.FINE,
        f"{saw}.",
        effect="Fine as it is: when the file server is away, the server waits. On NFS try the "
        "flush method fsync against O_DIRECT: a vendor found it faster.",
        confidence=Confidence.MEDIUM,
        because="the mount's options and a file server's maker",
        flips_when="it is mounted soft",
    )


def _sizes(storage: Storage) -> dict[str, int]:
    found = (re.fullmatch(r"(rsize|wsize)=(\d+)", option) for option in storage.mount_options)
    return {match[1]: int(match[2]) for match in found if match}


def _unknown(storage: Storage) -> Judged:
    return Judged(
        Verdict.WATCH,
        f"The data directory lies on {storage.filesystem}, over a network.",
        effect="What a sync means there, and what happens when the other side is away, is its own "
        "matter: read its manual on databases before you trust a commit to it.",
        confidence=Confidence.MEDIUM,
        formula=f"{storage.filesystem} is none of NFS' names",
        because="the kind of file system alone",
        valid="for data that must outlive a failure of the network",
        cost_of_error="a manual read for nothing",
        flips_when="the data lies on a drive of this machine, or on NFS",
        gain=0.3,
    )


def _gives_up(storage: Storage, point: str, soft: str) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"The data directory lies on NFS, mounted {soft} on {point}: it answers with an error when "
        "the file server is away.",
        setting=f"mount option of {point}",
        now=soft,
        effect="A file server that is away for a while stops the server, and harms no page.",
        confidence=Confidence.HIGH,
        formula=f"{soft} is among the options, where hard is the default",
        because="the mount's options and NFS' own manual",
        risk="Low: processes hang while the file server is away.",
        valid="for NFS of every version",
        cost_of_error="a server that waits where it could have ended",
        side_effects="all that is read on this mount waits, too",
        verify=f"findmnt -no OPTIONS {quote(storage.mount_point)}",
        flips_when="hard is among the options",
        gain=0.8,
    ).by(
        by_hand(
            "hard",
            "Mount it hard",
            (
                "Shut the server down cleanly.",
                f"Write hard in place of {soft} among the options of {point} in /etc/fstab.",
                f"umount {quote(storage.mount_point)}, mount it again, start the server.",
            ),
            (f"Write {soft} again, unmount and mount.",),
        )
    )
