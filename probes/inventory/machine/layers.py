"""What lies between a filesystem and its disks: LVM, encryption, RAID, multipath."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from probes.inventory.facts import Disk, Layer, Partition
from probes.inventory.machine.answer import BlockAnswer, device_name
from probes.inventory.machine.disks import SECTOR_BYTES, read_ahead, read_disk, takes_trims

_KIND_BY_UUID = (
    ("LVM-", "lvm"),
    ("CRYPT-", "crypt"),
    ("mpath-", "multipath"),
    ("DMRAID-", "dmraid"),
    ("VDO-", "vdo"),
    ("stratis-", "stratis"),
)
"""Who made a device-mapper device is known by the start of its uuid."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Layers from the top down, partitions and the whole disks below them, each named once."""

    layers: tuple[Layer, ...]
    disks: tuple[Disk, ...]
    partitions: tuple[Partition, ...] = ()


def read_stack(devices: tuple[str, ...], block: Mapping[str, BlockAnswer]) -> Stack:
    """Walk from the filesystem's devices ("major:minor") down to whole disks.

    A partition is no layer: the way leads through its disk. Devices that the answer does not hold
    are left out.
    """
    layers: dict[str, Layer] = {}
    disks: dict[str, Disk] = {}
    partitions: dict[str, Partition] = {}
    waiting, seen = list(devices), set()
    while waiting:
        device = waiting.pop(0)
        entry = block.get(device)
        if entry is None or device in seen:
            continue
        seen.add(device)
        layer = _layer(entry, block)
        if layer is not None:
            layers.setdefault(
                entry.name,
                replace(
                    layer,
                    device=entry.name,
                    read_ahead_bytes=read_ahead(entry),
                    discard=takes_trims(entry),
                ),
            )
        start = entry.number("start")
        if "partition" in entry.files and start is not None:
            partitions.setdefault(entry.name, Partition(entry.name, start * SECTOR_BYTES))
        below = _below(device, entry)
        if not below:
            disks.setdefault(entry.name, read_disk(entry))
        waiting += below
    return Stack(tuple(layers.values()), tuple(disks.values()), tuple(partitions.values()))


def _below(device: str, entry: BlockAnswer) -> tuple[str, ...]:
    if entry.slaves:
        # The paths of a multipath device all lead to one disk.
        return entry.slaves[:1] if _dm_kind(entry) == "multipath" else entry.slaves
    return (entry.parent,) if entry.parent not in ("", device) else ()


def _layer(entry: BlockAnswer, block: Mapping[str, BlockAnswer]) -> Layer | None:
    if entry.text("dm/uuid") or entry.text("dm/name"):
        return _mapped(entry, block)
    if "partition" in entry.files:
        return None
    if entry.text("md/level"):
        return _array(entry)
    if entry.text("loop/backing_file"):
        direct = {"1": True, "0": False}.get(entry.text("loop/dio"))
        return Layer(entry.name, "loop", entry.text("loop/backing_file"), direct=direct)
    return Layer(entry.name, entry.name.rstrip("0123456789")) if entry.slaves else None


def _array(entry: BlockAnswer) -> Layer:
    level = entry.text("md/level")
    return Layer(
        entry.name,
        "md",
        f"{level} of {len(entry.slaves)}" if entry.slaves else level,
        chunk_bytes=entry.number("md/chunk_size") or None,
        missing_disks=entry.number("md/degraded"),
        activity=entry.text("md/sync_action"),
    )


def _mapped(entry: BlockAnswer, block: Mapping[str, BlockAnswer]) -> Layer | None:
    kind = _dm_kind(entry)
    if kind == "partition" or _is_inner(kind, entry):
        return None
    name = device_name(entry.text("dm/name")) or entry.name
    return Layer(
        name,
        kind,
        _mapped_detail(kind, entry, block),
        logical_block_bytes=entry.number("queue/logical_block_size"),
    )


def _is_inner(kind: str, entry: BlockAnswer) -> bool:
    """Whether this is a volume that LVM keeps for itself: its uuid has a third part."""
    return kind == "lvm" and entry.text("dm/uuid").count("-") > 1


def _mapped_detail(kind: str, entry: BlockAnswer, block: Mapping[str, BlockAnswer]) -> str:
    if kind == "multipath":
        return f"{len(entry.slaves)} paths"
    if kind == "crypt":
        return entry.text("dm/uuid").split("-")[1]
    if kind == "lvm":
        below = [block[slave] for slave in entry.slaves if slave in block]
        if any(device.text("dm/uuid").endswith(("-tpool", "-pool")) for device in below):
            return "thin"
    return ""


def _dm_kind(entry: BlockAnswer) -> str:
    uuid = entry.text("dm/uuid")
    if uuid.startswith("part"):
        return "partition"
    return next((kind for start, kind in _KIND_BY_UUID if uuid.startswith(start)), "device-mapper")
