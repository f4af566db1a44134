"""Reads and syncs that something above the device answered."""

from __future__ import annotations

from probes.doubts import DoubtKind, doubt, rejection
from probes.points import SERVER_PROBES, Probe
from probes.trust import thresholds
from probes.trust.arrival.seen import Seen, as_number
from probes.trust.doubt import Remark


def through_page_cache(seen: Seen) -> Remark | None:
    """Doubt a point whose I/O went through the page cache although it should not.

    The page cache took part.

    InnoDB reads and writes its pages with O_DIRECT (innodb_flush_method=O_DIRECT, the default since
    MySQL 8.4 and MariaDB 10.6). Where the filesystem refuses that flag, reads may come from the
    host's memory and writes may stop there: the figure is not the drive's. ``redo_sync`` is left
    out: InnoDB writes its redo log through the page cache, and the sync behind it reaches the
    drive.
    Source: open(2), "O_DIRECT".
    """
    if seen.point.direct is not False:
        return None
    return Remark(doubt(DoubtKind.BUFFERED), least=thresholds.CACHED_LEAST)


def unseen_reads(seen: Seen) -> Remark | None:
    """Reject a point whose direct reads did not reach the device.

    The device never saw what was asked of it: somebody above it answered.

    O_DIRECT is a request, not a guarantee. ZFS before 2.3, network and stacked filesystems take the
    flag and read through a cache of their own; holes of a sparse file are answered without a
    device. Where the block device below did less than half of the bytes that the prober read
    directly, the figure is that of such a cache. Writes are left out: a compressing filesystem
    writes less, later.
    Source: open(2), "O_DIRECT"; /proc/diskstats beside the prober's own count.
    """
    point = seen.point
    if point.setting.probe in SERVER_PROBES or not point.direct:
        return None
    device, issued = seen.part("device"), seen.part("issued")
    asked, did = as_number(issued.get("read_bytes")), as_number(device.get("read_bytes"))
    if not (asked >= thresholds.SEEN_LEAST_BYTES and did < thresholds.SEEN_READS_SHARE * asked):
        return None
    name = str(device.get("name") or "")
    return Remark(rejection(DoubtKind.UNSEEN_READS, device=name, asked_bytes=asked, seen_bytes=did))


def unseen_syncs(seen: Seen) -> Remark | None:
    """Reject a point whose syncs the device did not see.

    Syncs that brought the device no writes: they ended somewhere above it.

    Each sync of an append waits until the appended bytes are on the device, so the device does one
    write at least for each. Where it did less than half as many, a layer in between (a library that
    drops syncs, a filesystem of memory, a loop device's cache) said yes on its own.
    Source: fdatasync(2); /proc/diskstats beside the prober's own count of syncs.
    """
    if seen.point.setting.probe is not Probe.REDO_SYNC:
        return None
    device = seen.part("device")
    syncs = as_number(seen.part("issued").get("syncs"))
    writes = as_number(device.get("writes"))
    if not (syncs >= thresholds.SEEN_LEAST_SYNCS and writes < thresholds.SEEN_SYNCS_SHARE * syncs):
        return None
    name = str(device.get("name") or "")
    return Remark(rejection(DoubtKind.UNSEEN_SYNCS, device=name, syncs=syncs, writes=writes))
