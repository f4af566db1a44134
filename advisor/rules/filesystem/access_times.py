"""Access times of the data's files.

## What it checks
Whether the file system of the data directory is mounted so that reading a file changes its time of
last access each time (strictatime).

## Why it matters
Then every page that InnoDB reads makes the file's inode dirty, direct reads too. The journal writes
these inodes every few seconds, and a commit that waits for the journal waits for them too. Nobody
reads the access times of InnoDB's files.

## How it is judged
The kernel names `relatime` or `noatime` among a mount's options unless it keeps strict times.
- neither is there: noatime is proposed.
- relatime: fine; a time is then written at most once a day, or after a change, which costs
  nothing that could be measured. noatime: fine. lazytime: fine, the times wait in memory.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`

## Risk and undo
None for a database. Some mail and backup programs on the same mount look at access times; relatime
serves those. `mount -o remount,strictatime` undoes it.

## When it is wrong
When the mount is shared with a program that needs exact access times.

## References
- mount(8): atime, relatime, strictatime, lazytime
- Linux kernel: relatime is the default from 2.6.30 on
"""

from __future__ import annotations

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import one_line, remounted
from advisor.rulekit.rule import rule

OURS = ("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs")
"""File systems that take these options at a remount."""


@rule(topic="File system", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Look for the option that spares the times."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in OURS:
        name = storage.filesystem or "an unknown file system"
        return Inapplicable(f"How {name} keeps access times is no matter of its mount options.")
    if not storage.mount_options:
        return Unjudged("The mount table does not tell the options of the data's file system.")
    sparing = [
        word for word in ("noatime", "relatime", "lazytime") if word in storage.mount_options
    ]
    point = one_line(storage.mount_point or storage.path)
    if sparing:
        return Judged(
            Verdict.FINE,
            f"The file system on {point} is mounted with {sparing[0]}.",
            effect="Fine as it is: reads write no times worth speaking of.",
            confidence=Confidence.HIGH,
            because="the mount's own options",
            flips_when="it is mounted with strictatime",
        )
    return Judged(
        Verdict.RECOMMEND,
        f"The file system on {point} is mounted without relatime and without noatime: each read "
        "changes a file's time of last access.",
        setting=f"mount option of {point}",
        now="strictatime",
        effect="Reads no longer make inodes dirty, and the journal has less to write.",
        confidence=Confidence.HIGH,
        formula="relatime, noatime, lazytime: none among "
        f"{one_line(', '.join(storage.mount_options))}",
        because="the mount's own options; how much it saves was not measured",
        risk="None for a database.",
        valid="for file systems with a journal on a drive that commits share",
        cost_of_error="access times that somebody looks at are missing",
        side_effects="access times of all files on this mount stand still",
        flips_when="relatime, noatime or lazytime is among the options",
        gain=0.15,
    ).by(remounted(storage, "noatime", "strictatime"))
