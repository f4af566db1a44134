"""The kernel's version and its known faults.

## What it checks
Whether the running kernel is one of those whose stable releases were found to corrupt data.

## Why it matters
It is rare, and no setting helps then: pages are corrupted below InnoDB, whose checksums find it
only when the page is read again.

## How it is judged
By the kernel's full version: that of the package where `/proc/version` names it (Debian), else the
release. Known:
- 6.1.64 and 6.1.65, ext4: certain direct writes left the file's position behind, so that sequential
  data went to the wrong offset. InnoDB gives the offset of each write and is not affected; other
  programs on the file system are, so it weighs less here.
- 6.3.0 to 6.3.4, XFS: metadata corruption.
- 4.19.0 to 4.19.7, any file system, drives without a scheduler: requests were written to the wrong
  blocks.
Where a distribution keeps the first release's number and backports fixes, the number does not show
them: then it is not judged.

## How to check by hand
`cat /proc/version`

## Risk and undo
A new kernel takes a boot; the old one can be booted again. Check the file system afterwards, and
verify the tables.

## When it is wrong
When a distribution fixed the fault without changing the number.

## References
- Debian bug 1057843 and the announcement of Debian 12.4 (ext4, 2023)
- linux-xfs list, 2023: metadata corruption in 6.3
- Linux kernel bug 201685 (block layer, 2018)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.facts.machine.host import HOST_KERNEL
from advisor.facts.machine.kernel import HOST_KERNEL_BUILD
from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Needs, Stakes, Unjudged, by_hand, rule
from advisor.rulekit.host_change import one_line
from probes.inventory.facts import Storage
from probes.version import dotted


@dataclass(frozen=True, slots=True)
class DamagingKernels:
    """A range of kernels that damage files; no file systems means all."""

    since: tuple[int, int, int]
    repaired: tuple[int, int, int]
    filesystems: tuple[str, ...]
    what: str
    unscheduled: bool = False
    spares_pages: bool = False


FAULTS = (
    DamagingKernels(
        (6, 1, 64),
        (6, 1, 66),
        ("ext4",),
        "sequential direct writes may go to the wrong offset; InnoDB's page writes do not",
        spares_pages=True,
    ),
    DamagingKernels((6, 3, 0), (6, 3, 5), ("xfs",), "the file system's metadata may be corrupted"),
    DamagingKernels(
        (4, 19, 0), (4, 19, 8), (), "requests may be written to wrong blocks", unscheduled=True
    ),
)


@rule(
    topic="File system",
    needs=(HOST_KERNEL, STORAGE_DATA),
    uses=(HOST_KERNEL_BUILD,),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Look the version up among the known faults."""
    release, storage = facts.get(HOST_KERNEL), facts.get(STORAGE_DATA)
    version = _version(release, facts.find(HOST_KERNEL_BUILD) or "")
    if version is None:
        return Unjudged(f"The kernel's version {one_line(release)} can't be read.")
    concerned = [fault for fault in FAULTS if _concerns(fault, storage)]
    major, minor, patch = version
    if patch is None and any(fault.since[:2] == (major, minor) for fault in concerned):
        return Unjudged(
            f"Kernel {one_line(release)} is a distribution's: its number does not show which fixes "
            "it has."
        )
    exact = (major, minor, -1 if patch is None else patch)
    fault = next((one for one in concerned if one.since <= exact < one.repaired), None)
    if fault is None:
        ranges = (f"{dotted(one.since)} to before {dotted(one.repaired)}" for one in FAULTS)
        return facts.card(
            f"Kernel {one_line(release)} is not among those known to corrupt files.",
            because="A short list of published faults.",
            flips_when=f"the kernel is one of the listed ones: {'; '.join(ranges)}",
        ).fine("Fine as it is, as far as is known.")
    return _faulty(facts, exact, fault)


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


def _concerns(fault: DamagingKernels, storage: Storage) -> bool:
    if fault.filesystems and storage.filesystem not in fault.filesystems:
        return False
    return not fault.unscheduled or any(disk.scheduler == "none" for disk in storage.disks)


def _faulty(facts: Facts, exact: tuple[int, int, int], fault: DamagingKernels) -> Answer:
    since, version, repaired = (dotted(one) for one in (fault.since, exact, fault.repaired))
    filesystem = facts.get(STORAGE_DATA).filesystem
    return facts.card(
        f"Kernel {version} has a known fault on {filesystem}: {fault.what}.",
        formula=f"{since} <= {version} < {repaired}",
        flips_when=f"the kernel is {repaired} or newer, or older than {since}",
    ).recommend(
        by_hand(
            f"{repaired} or newer",
            "Boot a kernel without the fault",
            (
                "Take a backup, and keep the older ones: newer ones may hold damaged pages.",
                f"Install kernel {repaired} or newer and boot it.",
                "Check the file system, and the tables with innochecksum or CHECK TABLE.",
            ),
            ("Boot another kernel than the faulty one.",),
            Needs.REBOOT,
        ),
        setting="kernel",
        now=one_line(facts.get(HOST_KERNEL)),
        effect="Files of backups and other programs are no longer corrupted."
        if fault.spares_pages
        else "Files are no longer corrupted below the server.",
        confidence=Confidence.HIGH,
        because="The kernel's version and published reports of the fault.",
        risk="Low: a reboot; the old kernel stays installed.",
        valid="Unless the distribution fixed it without changing the number.",
        cost_of_error="A reboot.",
        side_effects="Other changes in the newer kernel.",
        verify="cat /proc/version",
    )
