"""What others did on a device: all that it did, less what prober and advised server asked of it.

The device's counters (/proc/diskstats) are everybody's. The server's load is what the advice is
for, so it counts apart (/proc/PID/io). Fair allowances come first, since a filesystem adds work of
its own:

- a write ends on whole blocks of 4 KiB, and a small append may lie across two of them;
- a sync may write the journal: up to six blocks of 4 KiB in four requests (ext4: descriptor, inode,
  bitmap, group, commit; Documentation/filesystems/ext4/journal.rst);
- how often the server syncs is not reported, nor in how many requests it reads and writes: the
  journal may write as many bytes as it does, and a request may be as small as a block. Both
  are our choice.

Requests may be split or merged on their way, so bytes decide; requests count too once at least 2 %
of the bytes are others', for small ones cost a drive as much as large ones.
Sources: Documentation/admin-guide/iostats.rst; proc(5), "/proc/pid/io".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from probes.doubts import Doubt, DoubtKind, doubt
from probes.trust.arrival.seen import as_number
from probes.trust.thresholds import FOREIGN_SHARE

SOME_BYTES = 0.02
BLOCK_BYTES = 4096
JOURNAL_WRITES = 4
JOURNAL_BYTES = 6 * BLOCK_BYTES
JOURNAL_SHARE = 1.0


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
        """Whether it is too much for the point to show the drive alone: more than a tenth."""
        return self.share > FOREIGN_SHARE

    @property
    def doubt(self) -> Doubt:
        """What others did, as a doubt about the point."""
        return doubt(
            DoubtKind.FOREIGN_IO,
            device=self.device,
            reads=self.reads,
            writes=self.writes,
            read_bytes=self.read_bytes,
            written_bytes=self.written_bytes,
            share=self.share,
        )


@dataclass(frozen=True, slots=True)
class _Work:
    reads: float
    writes: float
    read_bytes: float
    written_bytes: float

    @property
    def requests(self) -> float:
        return self.reads + self.writes

    @property
    def bytes(self) -> float:
        return self.read_bytes + self.written_bytes

    def plus(self, other: _Work) -> _Work:
        return _Work(
            self.reads + other.reads,
            self.writes + other.writes,
            self.read_bytes + other.read_bytes,
            self.written_bytes + other.written_bytes,
        )

    def beyond(self, other: _Work) -> _Work:
        return _Work(
            max(0.0, self.reads - other.reads),
            max(0.0, self.writes - other.writes),
            max(0.0, self.read_bytes - other.read_bytes),
            max(0.0, self.written_bytes - other.written_bytes),
        )


_NO_WORK = _Work(0.0, 0.0, 0.0, 0.0)


def others(
    device: Mapping[str, object],
    issued: Iterable[Mapping[str, object]],
    server: Mapping[str, object],
) -> Foreign | None:
    """What ``device`` did beyond all that was ``issued`` and what the ``server`` did.

    All are as in a point's details (see the PROTOCOL.md of the agent). None where device or prober
    are unknown; a server that is not watched did nothing.
    """
    did, asked = _work(device), _issued(issued)
    if did is None or asked is None:
        return None
    over = did.beyond(asked.plus(_servers(server)))
    requests, in_bytes = _share(over.requests, did.requests), _share(over.bytes, did.bytes)
    return Foreign(
        device=str(device.get("name") or ""),
        reads=over.reads,
        writes=over.writes,
        read_bytes=over.read_bytes,
        written_bytes=over.written_bytes,
        share=max(in_bytes, requests) if in_bytes >= SOME_BYTES else in_bytes,
    )


def servers_share(
    device: Mapping[str, object],
    issued: Iterable[Mapping[str, object]],
    server: Mapping[str, object],
) -> float:
    """The share of a device's bytes that the watched server caused (0..1), 0 where unknown.

    Its files may lie on another device, so what is not the prober's is the most that it can be.
    """
    did, asked = _work(device), _issued(issued)
    if did is None or asked is None:
        return 0.0
    over, its = did.beyond(asked), _servers(server)
    return _share(
        min(over.read_bytes, its.read_bytes) + min(over.written_bytes, its.written_bytes), did.bytes
    )


def _issued(issued: Iterable[Mapping[str, object]]) -> _Work | None:
    asked = _NO_WORK
    for one in issued:
        work = _allowed(one)
        if work is None:
            return None
        asked = asked.plus(work)
    return asked


def _servers(counters: Mapping[str, object]) -> _Work:
    """What a server did, with what a filesystem may make of it; nothing where nobody watched."""
    read, written = (as_number(counters.get(name)) for name in ("read_bytes", "written_bytes"))
    if not (read >= 0 and written >= 0):
        return _NO_WORK
    written *= 1 + JOURNAL_SHARE
    return _Work(read / BLOCK_BYTES, written / BLOCK_BYTES, read, written)


def _work(counters: Mapping[str, object]) -> _Work | None:
    names = ("reads", "writes", "read_bytes", "written_bytes")
    figures = [as_number(counters.get(name)) for name in names]
    return _Work(*figures) if all(figure >= 0 for figure in figures) else None


def _allowed(issued: Mapping[str, object]) -> _Work | None:
    """What was issued, with what a filesystem may make of it."""
    work = _work(issued)
    if work is None:
        return None
    syncs = as_number(issued.get("syncs", 0))
    syncs = syncs if syncs > 0 else 0.0
    uneven = bool(work.writes) and work.written_bytes / work.writes % BLOCK_BYTES != 0
    blocks = 2 * BLOCK_BYTES * work.writes if uneven else 0.0
    return work.plus(_Work(0.0, syncs * JOURNAL_WRITES, 0.0, blocks + syncs * JOURNAL_BYTES))


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
