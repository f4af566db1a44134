"""Where each role's directory lies: mount, layers and disks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from probes.inventory.facts import Missing, Role, Storage
from probes.inventory.machine.answer import MachineAnswer, PathAnswer
from probes.inventory.machine.layers import Stack, read_stack
from probes.inventory.machine.mounts import Mount, find_mount, parse_mounts

NETWORK_FILESYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "ceph", "glusterfs", "lustre", "gpfs", "beegfs", "afs"}
)
_WITHOUT_DISKS = {
    "tmpfs": "tmpfs lives in memory, not on a disk",
    "ramfs": "ramfs lives in memory, not on a disk",
    "overlay": "a container's overlay hides the disks below it",
    "zfs": "ZFS does not show the kernel which disks a dataset uses",
    "9p": "the directory is shared by the machine's host, whose disks can't be seen",
    "virtiofs": "the directory is shared by the machine's host, whose disks can't be seen",
}

_IN_CONTAINER = "lies in the server's container, and another path leads there on this machine"


@dataclass(frozen=True, slots=True)
class StorageReading:
    """The roles whose directory was found, and what could not be found out."""

    storage: tuple[Storage, ...]
    missing: tuple[Missing, ...]


def read_storage(answer: MachineAnswer) -> StorageReading:
    """Read every role that the agent was asked about, in the order of ``Role``."""
    mounts = parse_mounts(answer.files.get("/proc/self/mountinfo", ""))
    storage: list[Storage] = []
    missing: list[Missing] = []
    for role in Role:
        path = answer.paths.get(role.value)
        if path is None:
            continue
        if path.contained:
            missing.append(Missing(f"storage.{role}", f"{path.path} {_IN_CONTAINER}"))
            continue
        if not path.exists and not path.denied:
            missing.append(Missing(f"storage.{role}", f"there is no {path.path} on this machine"))
            continue
        seen = path if path.exists else _beside(path, mounts, answer)
        one = _read_one(role, seen, mounts, answer)
        storage.append(one)
        missing += _unknown(one)
    return StorageReading(tuple(storage), tuple(missing))


def _beside(path: PathAnswer, mounts: list[Mount], answer: MachineAnswer) -> PathAnswer:
    """A directory that may not be entered, described by another one on the same mount.

    InnoDB's own directories lie in a data directory that is closed to all but the server.
    """
    mount = find_mount(mounts, path.path)
    for other in answer.paths.values():
        if other.exists and find_mount(mounts, other.resolved, other.device) is mount:
            return replace(other, path=path.path, resolved=path.path, attributes=None)
    return replace(path, device=mount.device if mount else "")


def _read_one(role: Role, path: PathAnswer, mounts: list[Mount], answer: MachineAnswer) -> Storage:
    resolved = path.resolved or path.path
    mount = find_mount(mounts, resolved, path.device)
    stack = _stack(path, mount, answer)
    sized = path.blocks > 0
    return Storage(
        role=role,
        path=path.path,
        resolved_path=resolved,
        mount_point=mount.point if mount else "",
        mount_source=mount.source if mount else "",
        filesystem=mount.filesystem if mount else "",
        mount_options=mount.options if mount else (),
        size_bytes=path.blocks * path.block_bytes if sized else None,
        free_bytes=path.blocks_available * path.block_bytes if sized else None,
        reserved_bytes=_reserved(path) if sized else None,
        # Blocks of one byte are of who knows the room alone.
        block_bytes=path.block_bytes if sized and path.block_bytes > 1 else None,
        atomic_write_unit_max_bytes=path.atomic_write_unit_max_bytes,
        allocation_bytes=path.allocation_bytes,
        layers=stack.layers,
        disks=stack.disks,
        attributes=path.attributes,
        partitions=stack.partitions,
    )


def _reserved(path: PathAnswer) -> int | None:
    """Room that only root may take; None where an old answer reports no free blocks."""
    kept = path.blocks_free - path.blocks_available
    return kept * path.block_bytes if kept >= 0 else None


def _stack(path: PathAnswer, mount: Mount | None, answer: MachineAnswer) -> Stack:
    for named in (path.devices, (path.device,), (path.source_device,)):
        known = tuple(device for device in named if device in answer.block)
        if known:
            return read_stack(known, answer.block)
    return read_stack(tuple(_by_source(mount.source, answer)) if mount else (), answer.block)


def _by_source(source: str, answer: MachineAnswer) -> Iterator[str]:
    """The device that a mount's source names (``/dev/sda2``, ``/dev/mapper/vg0-data``)."""
    name = source.rpartition("/")[2]
    if source.startswith("/dev/"):
        for device, block in answer.block.items():
            if name in (block.name, block.text("dm/name")):
                yield device


def _unknown(storage: Storage) -> Iterator[Missing]:
    if storage.disks:
        return
    filesystem = storage.filesystem
    because = _WITHOUT_DISKS.get(filesystem)
    if because is None and (filesystem in NETWORK_FILESYSTEMS or filesystem.startswith("fuse")):
        because = f"{filesystem} keeps its data elsewhere"
    if because is None:
        because = f"no disk is known for {storage.mount_source or 'its device'}"
    yield Missing(f"storage.{storage.role}.disks", because)
