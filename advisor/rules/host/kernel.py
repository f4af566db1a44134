"""The kernel's version and its known faults.

## What it checks
Whether the running kernel is one of those whose stable releases were found to corrupt data.

## Why it matters
It is rare, and then no setting helps: pages are damaged below InnoDB, whose checksums find it only
when the page is read again.

## How it is judged
By the kernel's full version: that of its maker's package where the line of version names it
(Debian), else the release. Known:
- 6.1.64 and 6.1.65, ext4: after certain direct writes the file's position stayed behind, so that
  data written in order went to the wrong place. InnoDB names the place of each write and is spared;
  other programs on the file system are not, so it weighs less here.
- 6.3.0 to 6.3.4, XFS: its own structure was damaged.
- 4.19.0 to 4.19.7, any file system, drives without a scheduler: requests were written to wrong
  places.
Distributions that keep a first release's number and add their own repairs can't be told apart by
it: then it is not judged.

## How to check by hand
`cat /proc/version`

## Risk and undo
A new kernel takes a boot; the old one can be booted again. Check the file system afterwards, and
verify the tables.

## When it is wrong
When a distribution repaired the fault without changing the number.

## References
- Debian bug 1057843 and the announcement of Debian 12.4 (ext4, 2023)
- linux-xfs list, 2023: metadata corruption in 6.3
- Linux kernel bug 201685 (block layer, 2018)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.facts.known import HOST_KERNEL, HOST_KERNEL_BUILD, STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes.inventory.facts import Storage


@dataclass(frozen=True, slots=True)
class Fault:
    """A range of kernels that damage files; no file systems means all."""

    since: tuple[int, int, int]
    repaired: tuple[int, int, int]
    filesystems: tuple[str, ...]
    what: str
    unscheduled: bool = False
    spares_pages: bool = False


FAULTS = (
    Fault(
        (6, 1, 64),
        (6, 1, 66),
        ("ext4",),
        "direct writes in order may go to the wrong place; InnoDB's pages name theirs and do not",
        spares_pages=True,
    ),
    Fault((6, 3, 0), (6, 3, 5), ("xfs",), "the file system's own structure may be damaged"),
    Fault((4, 19, 0), (4, 19, 8), (), "requests may be written to wrong places", unscheduled=True),
)


@rule(
    topic="File system",
    needs=(HOST_KERNEL, STORAGE_DATA),
    uses=(HOST_KERNEL_BUILD,),
)
def check(facts: Facts) -> Answer:
    """Look the version up among the known faults."""
    release = facts.get(HOST_KERNEL)
    storage = facts.get(STORAGE_DATA)
    version = _version(release, facts.find(HOST_KERNEL_BUILD) or "")
    if version is None:
        return Unjudged(f"The kernel's version {one_line(release)} can't be read.")
    concerned = [fault for fault in FAULTS if _concerns(fault, storage)]
    if version[2] is None:
        if any(fault.since[:2] == version[:2] for fault in concerned):
            return Unjudged(
                f"The kernel {one_line(release)} is a distribution's: which repairs it has is not "
                "told by its number."
            )
        return _fine(release)
    exact = (version[0], version[1], version[2])
    fault = next((one for one in concerned if one.since <= exact < one.repaired), None)
    return _fine(release) if fault is None else _faulty(release, exact, fault, storage)


def _version(release: str, build: str) -> tuple[int, int, int | None] | None:
    """Major, minor and patch; no patch where a distribution counts on its own."""
    packaged = re.search(r"\bDebian (\d+)\.(\d+)\.(\d+)-", build)
    if packaged:
        return int(packaged[1]), int(packaged[2]), int(packaged[3])
    match = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?(.*)", release)
    if match is None:
        return None
    patch = int(match[3] or 0)
    own_count = patch == 0 and match[4].startswith("-")
    return int(match[1]), int(match[2]), None if own_count else patch


def _concerns(fault: Fault, storage: Storage) -> bool:
    if fault.filesystems and storage.filesystem not in fault.filesystems:
        return False
    return not fault.unscheduled or any(disk.scheduler == "none" for disk in storage.disks)


def _fine(release: str) -> Judged:
    return Judged(
        Verdict.FINE,
        f"Kernel {one_line(release)} is none of those that are known to damage files.",
        effect="Fine as it is, as far as is known here.",
        confidence=Confidence.MEDIUM,
        because="a short list of published faults",
        flips_when="the kernel is one of the listed ones: "
        + "; ".join(f"{_dotted(one.since)} up to before {_dotted(one.repaired)}" for one in FAULTS),
    )


def _faulty(release: str, exact: tuple[int, int, int], fault: Fault, storage: Storage) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"Kernel {_dotted(exact)} has a known fault on {storage.filesystem}: {fault.what}.",
        setting="kernel",
        now=one_line(release),
        effect="Files of backups and other programs are no longer damaged."
        if fault.spares_pages
        else "Files are no longer damaged below the server.",
        confidence=Confidence.HIGH,
        formula=f"{_dotted(fault.since)} <= {_dotted(exact)} < {_dotted(fault.repaired)}",
        because="the kernel's version and published reports of the fault",
        risk="Low: a boot; the old kernel stays installed.",
        valid="unless the distribution repaired it without changing the number",
        cost_of_error="a boot",
        side_effects="whatever else the newer kernel changes",
        verify="cat /proc/version",
        flips_when=f"the kernel is {_dotted(fault.repaired)} or newer, or older than "
        f"{_dotted(fault.since)}",
        gain=0.3 if fault.spares_pages else 1.0,
    ).by(
        by_hand(
            f"{_dotted(fault.repaired)} or newer",
            "Boot a kernel without the fault",
            (
                "Take a backup, and keep the older ones: newer ones may hold damaged pages.",
                f"Install kernel {_dotted(fault.repaired)} or newer and boot it.",
                "Check the file system, and the tables with innochecksum or CHECK TABLE.",
            ),
            ("Boot another kernel than the faulty one.",),
        )
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in version)
