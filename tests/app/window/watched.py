"""What a watch of the made-up machine saw, as its answers would be read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from probes.inventory.facts import Inventory
from probes.watch.reading.whole import read_watch
from probes.watch.watched import Watched
from tests.app.window.machine import inventory

SECONDS = 10
US = 1_000_000
"""Picoseconds in a microsecond."""


def answers(*, trace: bool = True, files: bool = True) -> dict[str, str]:
    """A busy server: 200 reads of data a second at 800 us, 50 syncs of redo at 2 ms."""
    moments = range(SECONDS + 1)
    status = [
        {
            "at_s": float(at),
            "values": {"Threads_running": str(3 + at % 3), "Questions": str(9 * at)},
        }
        for at in moments
    ]
    told = {"watch.status": json.dumps({"samples": status})}
    if files:
        told["watch.files"] = json.dumps({"samples": [_files(at) for at in moments]})
        told["watch.by_file"] = json.dumps(_by_file())
    machine: dict[str, Any] = {
        "moments": [_moment(at) for at in moments],
        "devices": {"data": "dm-0", "redo": "dm-0"},
        "missing": [] if trace else [{"what": "trace", "because": "only root can trace"}],
    }
    if trace:
        machine["trace"] = {"seconds": 10.0, "sampled": 1.0, "calls": [], "series": _series()}
    return told | {"watch.machine": json.dumps(machine)}


def watched(*, trace: bool = True, files: bool = True) -> Watched:
    """The same, read."""
    found = read_watch(answers(trace=trace, files=files)).watched
    assert found is not None
    return found


def watched_inventory() -> Inventory:
    """The made-up machine with its server at work."""
    return replace(inventory(), watched=watched())


def _files(at: int) -> dict[str, object]:
    reads, syncs = 200 * at, 50 * at
    data = (reads, reads * 800 * US, reads * 16384, 20 * at, 20 * at * 100 * US, at << 20, 0, 0)
    redo = (0, 0, 0, syncs, syncs * 10 * US, syncs * 512, syncs, syncs * 2000 * US)
    rows = {"innodb/innodb_data_file": data, "innodb/innodb_log_file": redo}
    kinds = {name: [str(each) for each in row] for name, row in rows.items()}
    return {"at_s": float(at), "kinds": kinds}


def _by_file() -> dict[str, object]:
    """Three quarters of the reads are of one table, the others of one that lies elsewhere."""
    many, few = ((reads, reads * 800 * US, reads * 16384, 0, 0, 0, 0, 0) for reads in (1500, 500))
    redo = (0, 0, 0, 500, 5000 * US, 256_000, 500, 500 * 2000 * US)
    other = (0, 0, 0, 3, 3 * US, 300, 0, 0)
    return {
        "seconds": float(SECONDS),
        "home": "/data/",
        "files": [
            ["/data/shop/orders.ibd", "innodb/innodb_data_file", *many],
            ["/data/#innodb_redo/#ib_redo7", "innodb/innodb_log_file", *redo],
            ["/mnt/old/shop/archive.ibd", "innodb/innodb_data_file", *few],
        ],
        "rest": [["/data", "sql/slow_log", "other", 2, *other]],
        "seen": 40,
        "gone": 0,
        "uncounted": 0,
        "cut": False,
    }


def _moment(at: int) -> dict[str, object]:
    counters = {
        "reads": 200 * at,
        "read_bytes": 200 * at * 16384,
        "read_ms": 120 * at,
        "writes": 70 * at,
        "written_bytes": 70 * at * 16384,
        "write_ms": 40 * at,
        "busy_ms": 300 * at,
    }
    return {"at_s": float(at), "devices": {"dm-0": counters}}


def _series() -> dict[str, object]:
    """Reads at some 0.8 ms with a tail, in half seconds, the last of which was not recorded."""
    stretches = 2 * SECONDS
    cells = [
        [at, index, many]
        for at in range(stretches - 1)
        for index, many in ((38, 20), (39, 79), (52, 1))
    ]
    row = {
        "role": "data",
        "operation": "read",
        "bytes": [100 * 16384] * (stretches - 1) + [0],
        "took_us": [80_000.0] * (stretches - 1) + [0.0],
        "cells": cells,
    }
    recorded = [0.5] * (stretches - 1) + [0.0]
    return {"stretch_s": 0.5, "recorded_s": recorded, "rows": [row, row | {"device": "vda"}]}
