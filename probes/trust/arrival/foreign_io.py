"""Somebody else used the device while the point was measured.

What the device did (/proc/diskstats, everybody's) less what the prober issued is others' work. It
slows the point by what it takes, so above a tenth the point does not show the drive alone.
Fair allowances come first, since a filesystem adds work of its own:

- a write ends on whole blocks of 4 KiB, and a small append may lie across two of them;
- a sync may write the journal: up to six blocks of 4 KiB in four requests (ext4: descriptor, inode,
  bitmap, group, commit; Documentation/filesystems/ext4/journal.rst);
- page_flush with doublewrite and group commit issue what they say they issued, no allowance.

Requests may be split or merged on their way, so bytes decide; requests count too once at least 2 %
of the bytes are others', for small ones cost a drive as much as large ones.
Nothing is said where the prober went through the page cache (its reads are not the device's), where
a server did the work, or of the parts of a mixture, each of which knows its own requests alone.
Source: Documentation/admin-guide/iostats.rst.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.points import SERVER_PROBES, Probe, Trust
from probes.trust import say
from probes.trust.arrival.seen import Seen, as_number
from probes.trust.doubt import Doubt

SHARE = 0.10
_OTHERS_WORK = SERVER_PROBES | {Probe.MIXED}
SOME_BYTES = 0.02
BLOCK_BYTES = 4096
JOURNAL_WRITES = 4
JOURNAL_BYTES = 6 * BLOCK_BYTES


@dataclass(frozen=True, slots=True)
class Foreign:
    """Others' requests and bytes on the device during one point, and their share of all (0..1)."""

    device: str
    reads: float
    writes: float
    read_bytes: float
    written_bytes: float
    share: float

    @property
    def is_much(self) -> bool:
        """Whether it is too much for the point to show the drive alone."""
        return self.share > SHARE


def check(seen: Seen) -> Doubt | None:
    """Doubt a point while which others did a tenth or more of the device's work."""
    found = foreign(seen)
    if found is None or not found.is_much:
        return None
    what = [
        f"{say.number(count)} {name} ({say.size(size)})"
        for count, name, size in (
            (found.reads, "reads", found.read_bytes),
            (found.writes, "writes", found.written_bytes),
        )
        if count >= 0.5 or size >= BLOCK_BYTES
    ]
    return Doubt(
        Trust.DOUBTFUL,
        f"Others used {found.device or 'the device'} during the point: {' and '.join(what)}, "
        f"{say.percent(found.share)} of what it did.",
    )


def foreign(seen: Seen) -> Foreign | None:
    """What others did, None where it can't be told."""
    point = seen.point
    if point.setting.probe in _OTHERS_WORK or point.direct is False:
        return None
    device, issued = seen.part("device"), seen.part("issued")
    did, asked = _counts(device), _with_allowance(issued)
    if did is None or asked is None:
        return None
    reads, writes, read, written = (
        max(0.0, one - other) for one, other in zip(did, asked, strict=True)
    )
    requests = _share(reads + writes, did[0] + did[1])
    in_bytes = _share(read + written, did[2] + did[3])
    share = max(in_bytes, requests) if in_bytes >= SOME_BYTES else in_bytes
    return Foreign(str(device.get("name") or ""), reads, writes, read, written, share)


def _counts(told: Mapping[str, object]) -> tuple[float, float, float, float] | None:
    names = ("reads", "writes", "read_bytes", "written_bytes")
    reads, writes, read, written = (as_number(told.get(name)) for name in names)
    if not all(value >= 0 for value in (reads, writes, read, written)):
        return None
    return reads, writes, read, written


def _with_allowance(issued: Mapping[str, object]) -> tuple[float, float, float, float] | None:
    counts = _counts(issued)
    if counts is None:
        return None
    reads, writes, read, written = counts
    syncs = max(0.0, as_number(issued.get("syncs"))) if issued.get("syncs") is not None else 0.0
    blocks = writes * BLOCK_BYTES if writes and written / writes % BLOCK_BYTES else 0.0
    return (
        reads,
        writes + syncs * JOURNAL_WRITES,
        read,
        written + 2 * blocks + syncs * JOURNAL_BYTES,
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
