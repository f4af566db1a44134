"""Access times of the data's files.

## What it checks
Whether the file system of the data directory is mounted so that each read of a file updates its
access time (strictatime).

## Why it matters
Then every page that InnoDB reads makes the file's inode dirty, direct reads too. The journal writes
these inodes every few seconds, and a commit that waits for the journal waits for them too. No
program uses the access times of InnoDB's files.

## How it is judged
The kernel names `relatime` or `noatime` among a mount's options unless it keeps strict times.
- neither is set: noatime is proposed.
- relatime: fine; a time is then written at most once a day, or after a change, at no measurable
  cost. noatime: fine. lazytime: fine, the times stay in memory at first.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`

## Risk and undo
None for a database. Some mail and backup programs on the same mount use access times; relatime is
enough for those. `mount -o remount,strictatime` undoes it.

## When it is wrong
When the mount is shared with a program that needs exact access times.

## References
- mount(8): atime, relatime, strictatime, lazytime
- Linux kernel: relatime is the default from 2.6.30 on
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Inapplicable, Is, Knowledge, Unjudged, remounted, rule
from advisor.rulekit.host_change import one_line

OURS = ("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs")
"""File systems that take these options at a remount."""
SPARING = ("noatime", "relatime", "lazytime")


@rule(topic="File system", needs=(STORAGE_DATA,), knowledge=Knowledge.DOCUMENTED)
def check(facts: Facts) -> Answer:
    """Look for the option that spares the times."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in OURS:
        name = storage.filesystem or "an unknown file system"
        return Inapplicable(f"Mount options do not decide how {name} keeps access times.")
    if not storage.mount_options:
        return Unjudged("The mount options of the data's file system are not known.")
    found = next((word for word in SPARING if word in storage.mount_options), "")
    point = one_line(storage.mount_point or storage.path)
    how = f"with {found}" if found else "with strictatime: each read updates an access time"
    sparing = Is(
        bool(found),
        "noatime, relatime or lazytime is among the options",
        "it is mounted with strictatime",
    )
    card = facts.card(
        f"The file system on {point} is mounted {how}.", sparing, confidence=Confidence.HIGH
    )
    if sparing:
        return card.fine("Fine as it is: reads write hardly any access times.")
    return card.recommend(
        remounted(storage, "noatime", "strictatime"),
        setting=f"mount option of {point}",
        now="strictatime",
        effect="Reads no longer make inodes dirty, and the journal has less to write.",
        formula=f"{', '.join(SPARING)}: none among {one_line(', '.join(storage.mount_options))}",
        because="The mount's own options; the saving was not measured.",
        risk="None for a database.",
        valid="For journaling file systems on a drive that commits share.",
        cost_of_error="Missing access times for programs that use them.",
        side_effects="Access times of all files on this mount are no longer updated.",
    )
