"""Journal mode of the data's file system.

## What it checks
ext3's and ext4's journal mode of the data directory: ordered, writeback or journal.

## Why it matters
With `data=journal` every page goes into the journal first and to its place later: twice the
writing, on top of InnoDB's own doublewrite. And ext4 then knows no direct I/O: O_DIRECT is taken
without an error, and done through the page cache.

## How it is judged
- data=journal: the default mode is proposed.
- data=writeback: watch. InnoDB syncs what it needs, but a file that grew just before a crash may
  end in old blocks of deleted files.
- ordered, or not named (then it is the default): fine.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`, `dumpe2fs -h DEVICE | grep -i "mount options"`

## Risk and undo
The mode can't be changed by a remount: it takes an unmount, so a shutdown of the server.

## When it is wrong
When another program on the same mount relies on journalled data.

## References
- Linux kernel documentation: ext4, "Data Mode" and the option data=
- ext4(5)
"""

from __future__ import annotations

from shlex import quote

from advisor.facts.known import PROBE_DIRECT, STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes.inventory.facts import Storage


@rule(topic="File system", needs=(STORAGE_DATA,), uses=(PROBE_DIRECT,))
def check(facts: Facts) -> Answer:
    """Read the mode from the mount's options."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in {"ext3", "ext4"}:
        return Inapplicable(
            f"The file system {storage.filesystem or 'there'} has no journal modes to choose from."
        )
    if not storage.mount_options:
        return Unjudged("The mount table does not tell the options of the data's file system.")
    mode = _mode(storage)
    point = one_line(storage.mount_point or storage.path)
    if mode == "journal":
        return _everything_twice(storage, point, facts.find(PROBE_DIRECT))
    if mode == "writeback":
        return Judged(
            Verdict.WATCH,
            f"The file system on {point} is mounted with data=writeback.",
            now="data=writeback",
            effect="It saves InnoDB next to nothing, which syncs its files itself; after a crash a "
            "file that had just grown may end in old blocks of other files.",
            confidence=Confidence.MEDIUM,
            formula="mode = writeback; by default ordered",
            because="the mount's options and ext4's documentation",
            valid="for ext3 and ext4",
            cost_of_error="none: InnoDB's recovery does not read what it has not written",
            flips_when="the mode is ordered",
            gain=0.1,
        )
    return Judged(
        Verdict.FINE,
        f"The file system on {point} keeps its journal in mode {mode}: pages are written once.",
        effect="Fine as it is.",
        confidence=Confidence.HIGH,
        because="the mount's own options",
        flips_when="data=journal is among the options",
    )


def _mode(storage: Storage) -> str:
    named = [option for option in storage.mount_options if option.startswith("data=")]
    return named[-1].removeprefix("data=") if named else "ordered"


def _everything_twice(storage: Storage, point: str, direct: bool | None) -> Judged:
    seen = " O_DIRECT was refused when it was tried here." if direct is False else ""
    return Judged(
        Verdict.RECOMMEND,
        f"The file system on {point} is mounted with data=journal: every page is written to the "
        f"journal first.{seen}",
        setting=f"journal mode of {point}",
        now="data=journal",
        effect="Half the bytes to write for each page, and direct I/O that is direct.",
        confidence=Confidence.HIGH,
        because="the mount's options and ext4's documentation",
        formula="1 page = 1 write to the journal + 1 write to its place, "
        "x 2 with InnoDB's doublewrite",
        risk="Low: the file system has to be unmounted once.",
        valid="for ext3 and ext4",
        cost_of_error="a shutdown; InnoDB needs no data in the file system's journal",
        side_effects="other programs' data on this mount is no longer journalled either",
        verify=f"findmnt -no OPTIONS {quote(storage.mount_point)}",
        flips_when="the mode is ordered or writeback",
        gain=0.6,
    ).by(
        by_hand(
            "data=ordered",
            "Go back to the default journal mode",
            (
                f"Take data=journal out of the options of {point} in /etc/fstab.",
                f"If it is kept in the file system itself: tune2fs -o ^journal_data "
                f"{quote(storage.mount_source)}",
                f"Shut the server down, umount {quote(storage.mount_point)}, mount it again.",
            ),
            (
                "Write data=journal among the options again, or, where the file system kept it: "
                f"tune2fs -o journal_data {quote(storage.mount_source)}",
                "Shut the server down, unmount and mount.",
            ),
        )
    )
