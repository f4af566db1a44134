"""Random but coherent machines: the host, its drive and file systems, what was measured there."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from probes.plans.patterns import FLUSH_LADDER_PER_S

Spec = dict[str, Any]

GIB = 1 << 30
SOLD = (500.0, 3000.0, 8000.0, 16_000.0)
"""Operations per second that clouds sell a volume with, 125 MiB/s of pages among them."""


def some(r: Random, share: float = 0.5) -> bool:
    return r.random() < share


def log_between(r: Random, low: float, high: float) -> float:
    """Each doubling as likely as any other."""
    return math.exp(r.uniform(math.log(low), math.log(high)))


def host(r: Random) -> Spec:
    memory_gib = r.choice((1, 4, 16, 64, 256, 1024))
    host: Spec = {
        "memory_gib": memory_gib,
        "cpus": r.choice((1, 2, 8, 16, 64, 192)),
        "kernel": r.choice(("3.10.0-1160", "4.19.0", "5.4.0", "5.15.0", "6.8.0", "6.18.4", "odd")),
        "platform": r.choice(("", "", "KVM/QEMU", "Amazon EC2 (m5.large)")),
    }
    memory = memory_gib * GIB
    known: Spec = {
        "numa_nodes": r.choice((1, 1, 2, 8)),
        "memory_available_bytes": int(r.random() * memory),
        "memory_limit_gib": max(1, memory_gib // r.choice((2, 4, 16))),
        "swap_bytes": r.choice((0, 2 * GIB, 8 * GIB)),
        "swap_used_bytes": r.choice((0, 1 << 20, 2 * GIB)),
        "swappiness": r.choice((0, 1, 10, 60, 100)),
        "transparent_hugepages": r.choice(("always", "madvise", "never")),
        "overcommit": r.choice((0, 0, 1, 2)),
        "overcommit_ratio": r.choice((50, 80, 95)),
        "commit_limit_bytes": memory // 2,
        "committed_bytes": int(r.random() * memory / 2),
        "dirty_background_bytes": int(log_between(r, 1 << 20, memory / 4)),
        "dirty_background_ratio": r.choice((0, 5, 10)),
        "zone_reclaim": r.choice((0, 0, 1)),
        "numa_balancing": r.choice((0, 1)),
        "governor": r.choice(("", "performance", "powersave", "schedutil")),
        "frequency_driver": r.choice(("", "acpi-cpufreq", "intel_pstate")),
        "energy_preference": r.choice(("", "balance_performance", "performance")),
        "clock_source": r.choice(("tsc", "kvm-clock", "hpet", "xen")),
        "clock_sources": r.choice((["tsc", "hpet"], ["hpet"], [])),
        "memory_pressure": r.choice((0.0, 0.002, 0.3)),
        "zfs_cache_max_bytes": int(r.random() * memory),
        "aio_max": 65536,
        "aio_used": r.choice((0, 2600, 65000)),
    }
    return host | {name: value for name, value in known.items() if some(r, 0.7)}


def drive(r: Random) -> Spec:
    known: Spec = {
        "rotational": some(r),
        "write_cache": r.choice(("write back", "write through")),
        "own_write_cache": r.choice(("", "write back", "write through")),
        "atomic_write_unit_max_bytes": r.choice((0, 4096, 16384, 65536)),
        "physical_block_bytes": r.choice((512, 4096)),
        "logical_block_bytes": 512,
        "bus": r.choice(("nvme", "sata", "sas", "virtio", "")),
        "scheduler": r.choice(("none", "mq-deadline", "bfq", "kyber")),
        "nr_requests": r.choice((2, 64, 256, 1023)),
        "queue_depth": r.choice((1, 31, 254)),
        "read_ahead_bytes": r.choice((0, 131072, 8 << 20)),
        "hardware_queues": r.choice((1, 2, 16)),
        "discard": some(r),
        "interrupt_cpus": r.choice((["0"] * 5, ["0", "1", "2", "3"])),
    }
    drive = {name: value for name, value in known.items() if some(r, 0.7)}
    filesystems = ("ext4", "ext4", "ext4", "xfs", "xfs", "zfs", "btrfs", "nfs4", "ext3", "overlay")
    return drive | {"filesystem": r.choice(filesystems)}


def storage(r: Random) -> Spec:
    layers = (
        {"name": "vg-data", "kind": "lvm"},
        {"name": "vg-thin", "kind": "lvm", "detail": "thin"},
        {"name": "md0", "kind": "md", "detail": "raid10 of 4", "chunk_bytes": 524288},
        {"name": "md0", "kind": "md", "detail": "raid5 of 4", "chunk_bytes": 65536},
        {"name": "md0", "kind": "md", "detail": "raid1 of 2", "missing_disks": 1},
        {"name": "loop0", "kind": "loop", "detail": "/srv/data.img", "direct": False},
        {"name": "luks", "kind": "crypt", "detail": "LUKS2", "logical_block_bytes": 4096},
    )
    options = ("relatime", "noatime", "discard", "nobarrier", "data=ordered", "data=journal")
    return {
        "mount_point": "/srv",
        "mount_options": ["rw", *(each for each in options if some(r, 0.2))],
        "layers": r.sample(layers, r.choice((0, 0, 1, 2))),
        "block_bytes": r.choice((4096, 16384, 131072)),
        "attributes": r.choice((None, 0, 0x00800000)),
        "mount_source": r.choice(("/dev/vda1", "tank/mysql")),
        "partitions": [{"name": "vda1", "start_bytes": r.choice((1 << 20, 32256))}],
    } | room(r)


def room(r: Random) -> Spec:
    size = r.choice((GIB, 100 * GIB, 4096 * GIB))
    free = int(r.random() * size)
    return {"size_bytes": size, "free_bytes": free, "reserved_bytes": int(r.random() * free / 10)}


def process(r: Random, host: Spec) -> Spec:
    memory = host["memory_gib"] * GIB
    return {
        "resident_bytes": int(r.random() * memory),
        "swapped_bytes": r.choice((0, 0, 100 << 20)),
        "memory_limit_bytes": r.choice((0, memory // 2)),
        "huge_pages": some(r),
    }


def measured(r: Random) -> Spec:
    """Points of all probes, of one drive: each slower or faster than the others by some."""
    one, wide = log_between(r, 60, 20_000), log_between(r, 1, 80)
    sold = r.choice((math.inf, math.inf, *SOLD))
    spec: Spec = {}
    for name in ("reads_4k", "reads_8k", "reads_16k", "writes_one", "writes_many"):
        if some(r, 0.8):
            curve = _curve(r, one * r.uniform(0.4, 1.6), max(1.0, wide * r.uniform(0.3, 1.2)))
            spec[name] = [[n, min(rate, sold)] for n, rate in curve]
    sync_us = log_between(r, 8, 30_000)
    words = [word for word in ("fdatasync", "fsync", "o_dsync") if some(r, 0.7)]
    spec["sync"] = {word: sync_us * r.uniform(0.7, 3) for word in words}
    if some(r):
        spec["commits"] = _curve(r, 1e6 / sync_us, log_between(r, 1, 60))
    if some(r):
        spec["binlog_sync"] = {"fdatasync": sync_us * r.uniform(1, 4)}
    if some(r):
        flushed = log_between(r, 50, 200_000)
        ways = {"off": 1.0, "on": r.uniform(0.3, 1.05), "legacy": r.uniform(0.1, 0.8)}
        spec["flush"] = {way: flushed * share for way, share in ways.items() if some(r, 0.8)}
    if some(r, 0.4):
        most = spec.get("flush", {}).get("on", math.inf)
        spec["mixed"] = _mixed(r, most, 1e6 / one, sync_us)
    if some(r, 0.3):
        rate = log_between(r, 100, 50_000)
        falls = r.choice(((1.0,), (1.0, 0.3), (1.0, 0.5, 0.1)))
        spec["long_write"] = [[r.uniform(5, 120), rate * share] for share in falls]
    return spec


def _curve(r: Random, one: float, widest: float) -> list[list[float]]:
    """A drive whose rate grows, each step by less, up to a limit."""
    limit = one * widest
    threads = r.choice(((1, 4, 16, 64), (1, 2, 4, 8, 16, 32, 64), (1, 16, 64), (1, 16)))
    return [[n, limit * n / (n + limit / one - 1 + 1e-9)] for n in threads]


def _mixed(r: Random, most: float, read_us: float, commit_us: float) -> list[list[float]]:
    """Reads and commits that wait for longer the more is flushed beside them, up to ``most``."""
    worst = r.uniform(0, 4)
    asked = [min(log_between(r, 100, 60_000), most) for _ in range(3)]
    ladder = sorted(
        {max((n for n in FLUSH_LADDER_PER_S if n <= each), default=0) for each in asked}
    )
    rates = (0, *(each for each in ladder if each)) if any(ladder) else (0, int(max(asked)))
    return [
        [rate, read_us * (1 + worst * n), commit_us * (1 + worst * n * r.random())]
        for n, rate in enumerate(rates)
    ]
