"""Copy-on-write below the data directory.

## What it checks
Whether btrfs copies on write where the data directory lies.

## Why it matters
InnoDB overwrites pages in place, all over a file. A file system that copies on write gives each of
them a new place and then updates its own tree: one page becomes several writes, and a table that
was written sequentially ends up in as many extents as it has pages. Table scans, backups and the
file system's metadata updates become slow with age.

## How it is judged
Data on btrfs only.
- mounted with nodatacow, or the directory has the attribute C (chattr +C): fine for new files.
- neither: a directory with the attribute is proposed.
- The directory's attributes could not be read, and the option is not set: not judged.

## How to check by hand
`lsattr -d /var/lib/mysql` (a C), `findmnt -no OPTIONS -T /var/lib/mysql`,
`filefrag /var/lib/mysql/DB/TABLE.ibd`

## Risk and undo
The attribute applies to files created after it, so everything has to be copied. Such files have no
checksums and no compression by btrfs; InnoDB has its own checksums. After a snapshot each page is
still copied once. Doublewrite must stay on: pages are written in place then.

## When it is wrong
When snapshots are taken so often that most pages are copied anyway.

## References
- btrfs(5): nodatacow; chattr(1), attribute C
- btrfs documentation on databases
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.plan.foreign_words import shell
from advisor.rulekit import (
    Answer,
    Change,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Needs,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rulekit.host_change import one_line
from probes.inventory.facts import Storage

IN_PLACE = "in place (chattr +C)"
WHAT = "Rewrite the data where it is updated in place"
FIRST = "Shut the server down cleanly and take a backup."
NOCOW_FLAG = 0x00800000
"""FS_NOCOW_FL of linux/fs.h."""


@rule(topic="File system", needs=(STORAGE_DATA,), knowledge=Knowledge.DOCUMENTED)
def check(facts: Facts) -> Answer:
    """Look for the attribute or the option that makes btrfs write in place."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem != "btrfs":
        return Inapplicable(
            f"It applies to btrfs; the data lies on {storage.filesystem or 'another'}."
        )
    path = one_line(storage.path)
    option, attributes = "nodatacow" in storage.mount_options, storage.attributes
    if not option and attributes is None:
        return Unjudged(
            f"Whether {path} has the attribute C (chattr +C) could not be read; as root, lsattr -d "
            "shows it."
        )
    in_place = Is(
        option or bool((attributes or 0) & NOCOW_FLAG),
        "the directory gets the attribute, or snapshots copy most pages anyway",
        "the directory has neither the attribute nor the option",
    )
    if in_place:
        how = "is mounted with nodatacow" if option else "has the attribute C (chattr +C)"
        return facts.card(
            f"The data directory {path} {how}.",
            in_place,
            because="What the machine reports; older files may lack the attribute.",
        ).fine("Fine as it is: files created since are written in place; keep doublewrite on.")
    return facts.card(
        f"The data directory {path} lies on btrfs, which gives each page write a new place.",
        in_place,
    ).recommend(
        _at_mount(storage) if storage.path == storage.mount_point else _beside(storage),
        setting="copy-on-write of the data directory",
        now="copy on write",
        effect="A page write is one write again, and tables stay in few extents.",
        formula="nodatacow is not among the options; the directory's flags lack C: "
        f"{attributes or 0:#x} & {NOCOW_FLAG:#x} = 0",
        because="The documentation of btrfs; the extents of a file were not counted.",
        risk="Medium: everything is copied once, with the server down.",
        valid="For tables that are updated; append-only files are affected less.",
        cost_of_error="The loss of btrfs' checksums and compression, without benefit.",
        side_effects="btrfs keeps no checksums of these files: InnoDB's own must stay on.",
        verify=f"lsattr -d {shell(storage.path)}",
    )


def _beside(storage: Storage) -> Change:
    path, old = shell(storage.path), shell(f"{storage.path}.old")
    return by_hand(
        IN_PLACE,
        WHAT,
        (
            FIRST,
            f"mv {path} {old}",
            f"mkdir {path} && chattr +C {path}",
            f"cp -a --reflink=never {old}/. {path}/",
            "Start, look at the error log, and only then delete the old directory.",
        ),
        ("Shut down, remove the new directory, and give the old one its name back.",),
        Needs.REWRITE,
    )


def _at_mount(storage: Storage) -> Change:
    """A mount point can't be renamed: its files go into a folder below it, and are copied back."""
    path, old = shell(storage.path), shell(f"{storage.path}/.before")
    return by_hand(
        IN_PLACE,
        WHAT,
        (
            FIRST,
            f"mkdir {old}, and move everything else in {path} into it.",
            f"chattr +C {path}",
            f"cp -a --reflink=never {old}/. {path}/",
            f"Take {old} away before the start: the server would find its tables twice.",
        ),
        (f"Shut down, chattr -C {path}, and rewrite the files the same way.",),
        Needs.REWRITE,
    )
