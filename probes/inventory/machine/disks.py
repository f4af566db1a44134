"""Whole disks: what sysfs says of one, and how it is attached."""

from __future__ import annotations

import re

from probes.inventory.facts import Disk
from probes.inventory.machine.answer import BlockAnswer

SECTOR_BYTES = 512
"""The unit of sysfs' ``size``, whatever the disk's own sectors are."""

_BUS_BY_PATH = (
    (r"/nvme", "nvme"),
    (r"/usb\d", "usb"),
    (r"/session\d+/", "iscsi"),
    (r"/rport-", "fibre channel"),
    (r"/(end_device|expander)-", "sas"),
    (r"/ata\d", "sata"),
    (r"/vbd-", "xen"),
    (r"/(vmbus|VMBUS)", "hyper-v"),
    (r"/virtio\d+/host", "virtio-scsi"),
    (r"/virtio", "virtio"),
    (r"/mmc", "mmc"),
    (r"/rbd/", "rbd"),
    (r"/target\d", "scsi"),
    (r"/block/loop", "loop"),
    (r"/block/nbd", "nbd"),
    (r"/block/drbd", "drbd"),
    (r"/block/(zram|ram|pmem)", "memory"),
    (r"/ndbus", "memory"),
    (r"/virtual/", "virtual"),
)
"""The first pattern that a device path holds decides: SATA paths hold a ``target`` too."""


def read_disk(block: BlockAnswer) -> Disk:
    """A whole disk as the kernel describes it; nothing is guessed from what it does not say."""
    size = block.number("size")
    rotational = block.text("queue/rotational")
    return Disk(
        name=block.name,
        model=_model(block),
        size_bytes=None if size is None else size * SECTOR_BYTES,
        bus=read_bus(block),
        rotational={"1": True, "0": False}.get(rotational),
        scheduler=_chosen(block.text("queue/scheduler")),
        nr_requests=block.number("queue/nr_requests"),
        read_ahead_bytes=read_ahead(block),
        write_cache=block.text("queue/write_cache"),
        hardware_queues=block.queues or None,
        logical_block_bytes=block.number("queue/logical_block_size"),
        physical_block_bytes=block.number("queue/physical_block_size"),
        atomic_write_unit_max_bytes=block.number("queue/atomic_write_unit_max_bytes"),
        atomic_write_max_bytes=block.number("queue/atomic_write_max_bytes"),
        atomic_write_boundary_bytes=block.number("queue/atomic_write_boundary_bytes"),
        discard=takes_trims(block),
        queue_depth=block.number("device/queue_depth"),
        own_write_cache=_own_write_cache(block),
        interrupt_cpus=tuple(block.interrupts.values()),
    )


def read_ahead(block: BlockAnswer) -> int | None:
    """How far the kernel reads ahead for a file system right on this device, None when unknown."""
    kib = block.number("queue/read_ahead_kb")
    return None if kib is None else kib * 1024


def takes_trims(block: BlockAnswer) -> bool | None:
    """Whether the device takes trims; an encrypted volume often does not, whatever lies below."""
    most = block.number("queue/discard_max_bytes")
    return None if most is None else most > 0


def _own_write_cache(block: BlockAnswer) -> str:
    """SCSI reports it below the device, virtio at the disk; NVMe nowhere."""
    scsi = (name for name in block.files if name.startswith("device/scsi_disk/"))
    return block.text(next(scsi, "cache_type"))


def read_bus(block: BlockAnswer) -> str:
    """How the disk is attached, as its place in sysfs shows; the words of ``Disk.bus``."""
    transport = block.text("device/transport")
    if block.name.startswith("nvme"):
        return "nvme" if transport in ("", "pcie") else f"nvme-{transport}"
    return next((bus for pattern, bus in _BUS_BY_PATH if re.search(pattern, block.path)), "")


def _model(block: BlockAnswer) -> str:
    """Vendor and model, without vendors that are none: "ATA", or a PCI number."""
    model, vendor = block.text("device/model"), block.text("device/vendor")
    if vendor == "ATA" or vendor.startswith("0x") or model.startswith(vendor):
        return " ".join(model.split())
    return " ".join(f"{vendor} {model}".split())


def _chosen(text: str) -> str:
    """The word in brackets of a list of choices; a single word is its own."""
    match = re.search(r"\[([^\]]+)\]", text)
    return match[1] if match else text if " " not in text else ""
