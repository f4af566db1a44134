"""A watch of a random server's own work, in which every figure agrees with the others."""

from __future__ import annotations

from random import Random

from tests.rules.random_cases.coherent_machine import Spec, log_between, some

WRITTEN = (("data", 16384), ("doublewrite", 1 << 20), ("redo", 4096), ("binlog", 4096))
"""What is written by role, and how much with a call."""


def watched(r: Random) -> Spec:
    """What a watch saw: files as the server timed them, disks, both or neither."""
    seen: Spec = {"running": [int(log_between(r, 1, 300)) for _ in range(5)]}
    reads_per_s, read_us = log_between(r, 0.1, 50_000), log_between(r, 20, 30_000)
    writes_per_s, sync_us = log_between(r, 0.1, 20_000), log_between(r, 10, 30_000)
    if some(r, 0.7):
        rows, sizes = [["data", "read", reads_per_s, read_us]], {}
        sizes["data read"] = reads_per_s * 16384
        for role, each in WRITTEN:
            rows.append([role, "write", writes_per_s, read_us * r.random()])
            sizes[f"{role} write"] = writes_per_s * each
        for role in ("redo", "binlog"):
            if some(r, 0.8):
                low = sync_us * r.uniform(0.3, 1.0)
                rows.append([role, "sync", log_between(r, 0.1, 5_000), sync_us, low, 2 * sync_us])
        seen |= {"files": rows, "bytes": sizes}
    if some(r, 0.7):
        passed = reads_per_s * r.choice((1.0, 1.0, 0.1))
        seen["devices"] = [
            {
                "reads": [passed, read_us * r.uniform(1, 3), passed * 16384],
                "writes": [writes_per_s, read_us, writes_per_s * log_between(r, 4096, 1 << 20)],
                "busy": r.random(),
            }
            | ({"syncs": [log_between(r, 0.1, 5_000), sync_us]} if some(r) else {})
        ]
    return seen
