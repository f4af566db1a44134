"""What a quick check finds beside a server that loads its drive.

A throwaway server works on data far larger than its pool, by as many connections as keep the drive
busy for 80 % of the time. The status is 1 when a bar is missed. The trace needs root; without it
the server's own times and the kernel's counters have to do.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.shared.loaded_server import Place, Tables, build_of, leadline, target
from benchmarks.shared.process import BenchmarkError
from benchmarks.shared.report import PAGES, Bar, bars_table, page, save_raw, status, table
from probes.doubts import DoubtKind
from tests.servers.eleven import RunningServer
from tests.tracing import mount_for_us

BUSY = 0.8
CONNECTIONS = (4, 8, 16, 32, 64, 128)
LOOK_S = 3.0
POOL = "innodb_buffer_pool_size = 32M"
TRUSTED = 0.9
"""The rest is what finds a cache out: files that are sparse, small or never written."""
MOST_S = 3600

WATCHED = (
    "buffer-pool.size",
    "durability.commit-price",
    "durability.doublewrite",
    "durability.redo-sync",
    "flushing.flush-method",
    "flushing.io-capacity",
    "placement.second-drive",
    "redo.capacity",
    "storage.latency-against-iops",
    "storage.page-size",
)
"""Rules that judge the drive under the load it serves: none of them may be silent."""

LACKS = "lacks"
"""Why a rule is silent that lacks a fact."""

OTHERS = DoubtKind.FOREIGN_IO.value
"""The kind of doubt that takes the server's own work for a neighbour's."""


@dataclass(frozen=True)
class Found:
    """What one check said of its points and rules."""

    server: str
    connections: int
    busy: float
    trust: Mapping[str, int]
    doubts: Mapping[str, int]
    unjudged: Mapping[str, Mapping[str, Any]]

    @property
    def bars(self) -> list[Bar]:
        """A rule that has looked and says why that does not decide is not silent."""
        points = sum(self.trust.values())
        trusted = (self.trust.get("ok", 0) + self.trust.get("beside", 0)) / points
        silent = [rule for rule, told in self.unjudged.items() if told["why"]["kind"] == LACKS]
        blamed = self.doubts.get(OTHERS, 0) / points
        return [
            Bar(f"{self.server}: points that are trusted or marked", trusted, TRUSTED, True),
            Bar(f"{self.server}: points that blame others", blamed, 0.05),
            Bar(f"{self.server}: rules silent that a watch can answer", len(silent), 0),
        ]

    @property
    def cells(self) -> tuple[object, ...]:
        """Its row of the page."""
        counts = [self.trust.get(name, 0) for name in ("ok", "beside", "doubtful", "rejected")]
        why = "; ".join(f"{kind} ({number})" for kind, number in self.doubts.items())
        silent = "; ".join(f"{rule}: {told['because']}" for rule, told in self.unjudged.items())
        points = sum(self.trust.values())
        return self.server, why, silent, self.connections, f"{self.busy:.0%}", points, *counts


def main() -> int:
    """Check beside the load of each server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", nargs="*", default=["mariadb-installed", "mysql-unstable"])
    parser.add_argument("--rows", type=int, default=1_000_000, help="of each of two tables")
    parser.add_argument("--load", default="oltp_read_write", help="of sysbench")
    parser.add_argument("--only-print", action="store_true", help="leave the page as it is")
    options = parser.parse_args()
    mount_for_us()
    found = []
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="beside-") as made:
        for name in options.servers:
            place = Place(build_of(name), Path(made) / name, Tables(2, options.rows))
            place.directory.mkdir()
            place.fill()
            with place.started((POOL,)) as server:
                found.append(_checked(place, server, options.load, Path(made) / "home"))
    bars = [bar for each in found for bar in each.bars]
    header = ("server", "why not trusted", "not judged", "connections", "drive busy", "points")
    lines = [
        *bars_table(bars),
        "",
        f"A server with a pool of 32 MiB and sysbench's `{options.load}` on data far larger, by as "
        f"many connections as keep the drive busy for {BUSY:.0%} of the time, else for the "
        "longest. Beside are points marked with the server's load. Rules that judge the drive "
        f"under its load: {', '.join(WATCHED)}.",
        "",
        *table(
            (*header, "trusted", "beside", "doubtful", "rejected"),
            [each.cells for each in found],
            words=3,
        ),
    ]
    text = page("A quick check beside a loaded server", "beside", lines)
    print(text)
    if not options.only_print:
        (PAGES / "BESIDE.md").write_text(text, encoding="utf-8")
    save_raw("beside", {"page": text}, bars)
    return status(bars)


def _checked(place: Place, server: RunningServer, load: str, home: Path) -> Found:
    """Find the load, keep it up, and check meanwhile."""
    busy: dict[int, float] = {}
    for connections in CONNECTIONS:
        with place.running(server, load, f"--threads={connections}", f"--time={MOST_S}"):
            time.sleep(LOOK_S)
            busy[connections] = _busy(place.directory)
        if busy[connections] >= BUSY:
            break
    most = max(busy, key=lambda each: busy[each])
    with place.running(server, load, f"--threads={most}", f"--time={MOST_S}"):
        time.sleep(LOOK_S)
        told = json.loads(leadline(home, "check", *target(server), "--plan", "quick", "--json"))
    pairs = [(curve, point) for curve in told["runs"] for point in curve["points"]]
    if not pairs:
        raise BenchmarkError("the guard stopped the check before its first point.")
    trust = Counter("beside" if each["beside_server"] else one["trust"] for each, one in pairs)
    doubts = Counter(doubt["kind"] for _, one in pairs for doubt in one["doubts"])
    unjudged = {each["rule"]: each for each in told["not_judged"] if each["rule"] in WATCHED}
    return Found(place.build.name, most, busy[most], trust, doubts, unjudged)


def _busy(directory: Path) -> float:
    """The share of the time in which the drive below has a request in flight."""
    device = directory.stat().st_dev
    name = Path(f"/sys/dev/block/{device >> 8}:{device & 255}").resolve().name

    def busy_ms() -> int:
        lines = Path("/proc/diskstats").read_text().splitlines()
        return next(int(line.split()[12]) for line in lines if line.split()[2] == name)

    before, begun = busy_ms(), time.monotonic()
    time.sleep(LOOK_S)
    return (busy_ms() - before) / 1000 / (time.monotonic() - begun)
