"""Copy-on-write below the data directory.

## What it checks
Whether btrfs copies on write where the data directory lies.

## Why it matters
InnoDB writes pages over themselves, all over a file. A file system that copies on write gives each
of them a new place and then changes its own tree: one page becomes several writes, and a table that
was written in order lies in as many pieces as it has pages. Reads in order, backups and the file
system's own bookkeeping become slow with age.

## How it is judged
Data on btrfs only.
- mounted with nodatacow, or the directory is marked (chattr +C): fine for new files.
- neither: a directory with the mark is proposed.
- The directory's marks could not be read, and the option is not there: not judged.

## How to check by hand
`lsattr -d /var/lib/mysql` (a C), `findmnt -no OPTIONS -T /var/lib/mysql`,
`filefrag /var/lib/mysql/DB/TABLE.ibd`

## Risk and undo
The mark counts for files that are made after it, so everything has to be copied. Such files have no
checksums and no compression by btrfs; InnoDB has checksums of its own. Snapshots make each page be
copied once all the same. Doublewrite must stay on: pages are written in place then.

## When it is wrong
When snapshots are taken so often that most pages are copied anyway.

## References
- btrfs(5): nodatacow; chattr(1), attribute C
- btrfs documentation on databases
"""

from __future__ import annotations

from shlex import quote

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import Change
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes.inventory.facts import Storage

IN_PLACE = "in place (chattr +C)"
WHAT = "Write the data anew where it is written in place"
FIRST = "Shut the server down cleanly and take a backup."
NOCOW_FLAG = 0x00800000
"""FS_NOCOW_FL of linux/fs.h."""


@rule(topic="File system", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Look for the mark or the option that makes btrfs write in place."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem != "btrfs":
        return Inapplicable(
            f"It is about btrfs; the data lies on {storage.filesystem or 'another'}."
        )
    path = one_line(storage.path)
    option = "nodatacow" in storage.mount_options
    if not option and storage.attributes is None:
        return Unjudged(
            f"Whether {path} is marked with chattr +C could not be read; lsattr -d tells root."
        )
    if option or (storage.attributes or 0) & NOCOW_FLAG:
        how = "mounted with nodatacow" if option else "marked with chattr +C"
        return Judged(
            Verdict.FINE,
            f"The data directory {path} is {how}: new files are written in place.",
            effect="Fine as it is, for files that were made since; keep doublewrite on.",
            confidence=Confidence.MEDIUM,
            because="the directory's mark or the mount's option; older files may lack it",
            flips_when="the directory has neither the mark nor the option",
        )
    return Judged(
        Verdict.RECOMMEND,
        f"The data directory {path} lies on btrfs, which gives each page write a new place.",
        setting="copy-on-write of the data directory",
        now="copy on write",
        effect="A page write is one write again, and tables stay in few pieces.",
        confidence=Confidence.MEDIUM,
        formula="nodatacow is not among the options; the directory's flags lack C: "
        f"{storage.attributes or 0:#x} & {NOCOW_FLAG:#x} = 0",
        because="how btrfs writes, by its documentation; the pieces of a file were not counted",
        risk="Medium: everything is copied once, with the server down.",
        valid="for tables that are updated; what is only appended to suffers less",
        cost_of_error="btrfs' checksums and compression of these files, for nothing",
        side_effects="btrfs keeps no checksums of these files: InnoDB's own must stay on",
        verify=f"lsattr -d {quote(storage.path)}",
        flips_when="the directory is marked, or most pages are copied for snapshots anyway",
        gain=0.5,
    ).by(_at_mount(storage) if storage.path == storage.mount_point else _beside(storage))


def _beside(storage: Storage) -> Change:
    path, old = quote(storage.path), quote(f"{storage.path}.old")
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
    )


def _at_mount(storage: Storage) -> Change:
    """A mount point can't be renamed: its files go into a folder below it, and come back anew."""
    path, old = quote(storage.path), quote(f"{storage.path}/.before")
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
        (f"Shut down, chattr -C {path}, and write the files anew the same way.",),
    )
