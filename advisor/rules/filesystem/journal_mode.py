"""Journal mode of the data's file system.

## What it checks
ext3's and ext4's journal mode of the data directory: ordered, writeback or journal.

## Why it matters
With `data=journal` every page goes into the journal first and to its place later: twice the writes,
on top of InnoDB's own doublewrite. And ext4 then has no direct I/O: it accepts O_DIRECT, but uses
the page cache.

## How it is judged
- data=journal: the default mode is proposed.
- data=writeback: watch, as a risk. InnoDB syncs its files, but a file that grew just before a crash
  may end in old blocks of deleted files.
- ordered, or not set (it is the default): fine.

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

from advisor.facts.measured.points import PROBE_DIRECT
from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.plan.foreign_words import shell
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
from probes.inventory.facts import Storage


@rule(
    topic="File system",
    do="Go back to the default journal mode",
    needs=(STORAGE_DATA,),
    uses=(PROBE_DIRECT,),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Read the mode from the mount's options."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in {"ext3", "ext4"}:
        return Inapplicable(
            f"The file system {storage.filesystem or 'there'} has no journal modes to choose from."
        )
    if not storage.mount_options:
        return Unjudged("The mount options of the data's file system are not known.")
    mode = _mode(storage)
    point = one_line(storage.mount_point or storage.path)
    saw = f"The file system on {point} uses data={mode}"
    card = facts.card(
        f"{saw}.",
        Is(
            mode not in {"journal", "writeback"},
            "the mode is ordered",
            "data=journal is among the options",
        ),
        confidence=Confidence.HIGH,
        because="The mount's options and ext4's documentation.",
    )
    if mode == "writeback":
        return card.watch(
            "It saves InnoDB hardly any time, since it syncs its files; after a crash a file that "
            "had just grown may end in old blocks of other files.",
            now="data=writeback",
            formula="mode = writeback; by default ordered",
            confidence=Confidence.MEDIUM,
            stakes=Stakes.DATA,
            cost_of_error="None: InnoDB's recovery reads only what InnoDB has written.",
        )
    if mode != "journal":
        return card.fine("Fine as it is: pages are written once.")
    refused = " O_DIRECT failed when it was tried." if facts.find(PROBE_DIRECT) is False else ""
    return card.recommend(
        _ordered(storage, point),
        saw=f"{saw}: every page is written to the journal first.{refused}",
        setting=f"journal mode of {point}",
        now="data=journal",
        effect="Half the bytes to write for each page, and O_DIRECT that bypasses the page cache.",
        formula="1 page = 1 write to the journal + 1 write to its place, "
        "x 2 with InnoDB's doublewrite",
        risk="Low: the file system has to be unmounted once.",
        cost_of_error="A shutdown; InnoDB needs no data in the file system's journal.",
        side_effects="Other programs' data on this mount is no longer journalled either.",
        verify=f"findmnt -no OPTIONS {shell(storage.mount_point)}",
        flips_when="the mode is ordered or writeback",
    )


def _mode(storage: Storage) -> str:
    named = [option for option in storage.mount_options if option.startswith("data=")]
    return one_line(named[-1].removeprefix("data=")) if named else "ordered"


def _ordered(storage: Storage, point: str) -> Change:
    return by_hand(
        "data=ordered",
        "Go back to the default journal mode",
        (
            f"Take data=journal out of the options of {point} in /etc/fstab.",
            f"If it is kept in the file system itself: tune2fs -o ^journal_data "
            f"{shell(storage.mount_source)}",
            f"Shut the server down, umount {shell(storage.mount_point)}, mount it again.",
        ),
        (
            "Write data=journal among the options again, or, where the file system kept it: "
            f"tune2fs -o journal_data {shell(storage.mount_source)}",
            "Shut the server down, unmount and mount.",
        ),
        Needs.RESTART,
    )
