"""What a quick check finds beside a server that loads its drive: ``make bench-beside``.

A throwaway server works on data far larger than its pool, by as many connections as keep the drive
busy for 80 % of the time. The status is 1 when a bar is missed. The trace needs root; without it
the server's own times and the kernel's counters have to do.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loaded_server import Place, Tables, leadline, target
from outcome import Bar
from report import HERE, machine, save_raw

from probes.doubts import DoubtKind
from tests.servers.eleven import RunningServer, servers
from tests.tracing import mount_for_us

PAGE = HERE / "BESIDE.md"
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
    reasons: Mapping[str, int]
    unjudged: Mapping[str, Mapping[str, Any]]

    @property
    def silent(self) -> list[str]:
        """Rules that lack a fact; one that has looked and says why that does not decide is none."""
        return [rule for rule, told in self.unjudged.items() if told["why"]["kind"] == LACKS]

    @property
    def points(self) -> int:
        """All of them."""
        return sum(self.trust.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", nargs="*", default=["mariadb-installed", "mysql-unstable"])
    parser.add_argument("--rows", type=int, default=1_000_000, help="of each of two tables")
    parser.add_argument("--load", default="oltp_read_write", help="of sysbench")
    parser.add_argument("--only-print", action="store_true", help="leave the page as it is")
    options = parser.parse_args()
    mount_for_us()
    builds = {build.name: build for build in servers()}
    found = []
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="beside-") as made:
        for name in options.servers:
            directory = Path(made) / name
            directory.mkdir()
            place = Place(builds[name], directory, Tables(2, options.rows))
            place.fill()
            with place.started((POOL,)) as server:
                found.append(_checked(place, server, options.load, Path(made) / "home"))
    bars = [bar for each in found for bar in _bars(each)]
    facts = machine()
    text = _page(found, bars, facts, options.load)
    print(text)
    if not options.only_print:
        PAGE.write_text(text, encoding="utf-8")
    save_raw("beside", {"machine": facts, "bars": [vars(bar) for bar in bars], "page": text})
    return 0 if all(bar.met for bar in bars) else 1


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
        told = leadline(home, "check", *target(server), "--plan", "quick", "--json")
    return _read(place.build.name, most, busy[most], json.loads(told))


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


def _read(server: str, connections: int, busy: float, told: Mapping[str, Any]) -> Found:
    trust: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for curve in told["runs"]:
        for point in curve["points"]:
            trust["beside" if curve["beside_server"] else point["trust"]] += 1
            reasons.update(each["kind"] for each in point["doubts"])
    unjudged = {each["rule"]: each for each in told["not_judged"] if each["rule"] in WATCHED}
    return Found(server, connections, busy, trust, reasons, unjudged)


def _bars(found: Found) -> list[Bar]:
    name = found.server
    trusted = found.trust.get("ok", 0) + found.trust.get("beside", 0)
    return [
        Bar(f"{name}: points that are trusted or marked", trusted / found.points, TRUSTED, True),
        Bar(f"{name}: points that blame others", found.reasons.get(OTHERS, 0) / found.points, 0.05),
        Bar(f"{name}: rules silent that a watch can answer", len(found.silent), 0),
    ]


def _page(found: list[Found], bars: list[Bar], facts: Mapping[str, str], load: str) -> str:
    lines = ["# A quick check beside a loaded server", "", "Written by `make bench-beside`.", ""]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    lines += ["", "| bar | found | limit | met |", "| --- | ---: | ---: | --- |"]
    for bar in bars:
        sign, met = "≥" if bar.at_least else "≤", "yes" if bar.met else "**no**"
        lines.append(f"| {bar.name} | {bar.ratio:.3f} | {sign} {bar.limit:g} | {met} |")
    lines += [
        "",
        f"A server with a pool of 32 MiB and sysbench's `{load}` on data far larger, by as many "
        f"connections as keep the drive busy for {BUSY:.0%} of the time, else for the longest. "
        "Beside are points marked with the server's load. Rules that judge the drive under its "
        f"load: {', '.join(WATCHED)}.",
        "",
        "| server | connections | drive busy | points | trusted | beside | doubtful | rejected "
        "| why not trusted | not judged |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |",
    ]
    for each in found:
        silent = "; ".join(f"{rule}: {told['because']}" for rule, told in each.unjudged.items())
        counts = [each.trust.get(name, 0) for name in ("ok", "beside", "doubtful", "rejected")]
        why = "; ".join(f"{reason} ({number})" for reason, number in each.reasons.items())
        lines.append(
            f"| {each.server} | {each.connections} | {each.busy:.0%} | {each.points} | "
            f"{' | '.join(map(str, counts))} | {why} | {silent} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
