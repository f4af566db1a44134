"""A made-up machine with a server on it."""

from __future__ import annotations

from dataclasses import replace

from probes.inventory.facts import (
    CpuFacts,
    Disk,
    HostFacts,
    Inventory,
    Layer,
    Missing,
    MySQLFacts,
    Role,
    Storage,
    Variable,
)
from probes.version import ServerVersion

TAKEN_AT = "2026-03-04T12:00:00+00:00"


def inventory(*, mysql: bool = True) -> Inventory:
    """A small server with its data on LVM over two disks."""
    disks = (_disk("nvme0n1"), _disk("nvme1n1"))
    layers = (Layer("vg0-data", "lvm", "linear"), Layer("md0", "md", "raid1"))
    data = Storage(
        Role.DATA,
        "/var/lib/mysql",
        "/var/lib/mysql",
        "/var/lib/mysql",
        "/dev/mapper/vg0-data",
        "ext4",
        ("rw", "noatime"),
        800 << 30,
        310 << 30,
        layers=layers,
        disks=disks,
    )
    redo = replace(data, role=Role.REDO)
    tmp = Storage(
        Role.TMP,
        "/tmp",
        "/tmp",
        "/",
        "/dev/vda1",
        "xfs",
        ("rw",),
        40 << 30,
        22 << 30,
        disks=(_disk("vda"),),
    )
    probe = replace(data, role=Role.PROBE, path="/var/lib/mysql")
    return Inventory(
        TAKEN_AT,
        HostFacts(
            "db7",
            CpuFacts("AMD EPYC 7543 32-Core Processor", 1, 16, 32, 1),
            64 << 30,
            51 << 30,
            swap_bytes=0,
            swappiness=60,
            transparent_hugepages="madvise",
            kernel="6.1.0-31-amd64",
            distribution="Debian GNU/Linux 12 (bookworm)",
            architecture="x86_64",
            platform="KVM",
        ),
        (data, redo, tmp, probe),
        _server() if mysql else None,
        (Missing("device write cache", "the drive does not tell"),),
    )


def _disk(name: str) -> Disk:
    return Disk(
        name,
        "SAMSUNG MZQL2960" if name != "vda" else "",
        960_000_000_000 if name != "vda" else 40 << 30,
        "NVMe" if name != "vda" else "virtio",
        False,
        "none",
        1023,
        131072,
        "write back",
        32,
        512,
        4096,
    )


def _server() -> MySQLFacts:
    values = {
        "innodb_buffer_pool_size": "34359738368",
        "innodb_io_capacity": "200",
        "innodb_io_capacity_max": "2000",
        "innodb_flush_method": "fsync",
        "innodb_flush_log_at_trx_commit": "1",
        "innodb_flush_neighbors": "1",
        "innodb_doublewrite": "ON",
        "innodb_page_size": "16384",
        "sync_binlog": "1",
        "max_connections": "151",
    }
    variables = {name: Variable(name, value, "COMPILED") for name, value in values.items()}
    version = ServerVersion.parse("8.4.8", "MySQL Community Server - GPL")
    return MySQLFacts(version, variables, uptime_s=864_000.0, round_trip_us=48.0)
