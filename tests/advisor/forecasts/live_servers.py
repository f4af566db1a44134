"""Servers at work, made of the laws that hold for all: what a watch of them would have seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from advisor.case import Case
from tests.rules.casework import build

READS_16K = [[1, 9_000], [4, 33_000], [16, 90_000], [64, 140_000], [256, 150_000]]
COMMITS = [[1, 2_500], [4, 6_000], [16, 18_000], [64, 40_000]]


def on_a_slow_drive(**other: Any) -> Case:
    """20,000 queries/s of 32 connections, half of their time in reads of a saturated drive.

    ``other`` are tables and rows of the case that lie over this one's.
    """
    rate, connected, running = 20_000.0, 32, 24.0
    misses, read_us = 8_000.0, 1_900.0
    window = 30
    counters = {
        "Questions": rate,
        "Com_select": 16_000.0,
        "Com_update": 1_000.0,
        "Com_commit": 1_000.0,
        "Innodb_buffer_pool_reads": misses,
        "Innodb_pages_written": 900.0,
    }
    wave = [1.0 if at % 2 else 0.98 for at in range(window)]
    spec: dict[str, Any] = {
        "version": "8.0.39",
        "host": {"cpus": 8, "memory_gib": 64},
        "drive": {"name": "vda", "filesystem": "ext4"},
        "variables": {
            "innodb_buffer_pool_size": str(16 << 30),
            "innodb_page_size": "16384",
            "innodb_flush_log_at_trx_commit": "1",
            "sync_binlog": "1",
            "log_bin": "ON",
            "innodb_doublewrite": "ON",
            "innodb_io_capacity": "2000",
        },
        "server": {"innodb_files_bytes": 64 << 30},
        "rates": counters,
        "watched": {
            "series": {
                name: [per_s * at * wave[at % window] for at in range(window)]
                if name != "Innodb_buffer_pool_reads"
                else [per_s * at for at in range(window)]
                for name, per_s in counters.items()
            }
            | {"Threads_connected": [float(connected + 1)] * window},
            "running": [running + (1 if at % 2 else -1) for at in range(window)],
            "files": [
                ["data", "read", misses, read_us, read_us * 0.95, read_us * 1.05],
                ["redo", "sync", 900.0, 400.0, 380.0, 420.0],
                ["binlog", "sync", 900.0, 500.0, 470.0, 530.0],
            ],
            "device": [misses, read_us, misses * read_us / 1e6],
            "cpu": [3.2, 0.3],
        },
    }
    return build(_over(spec, other))


def _over(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Lay tables over tables, however deep."""
    both = {
        name: _over(base[name], other[name])
        for name in base.keys() & other.keys()
        if isinstance(base[name], Mapping) and isinstance(other[name], Mapping)
    }
    return {**base, **other, **both}
