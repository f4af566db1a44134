"""What a table of five hundred servers costs: archives taken in, listed, saved as a page.

Two real servers are collected beside sysbench at several settings; each archive then stands for
many servers, under names of its own, and every tenth has another setting. Memory is that of the
command and its processes together, a page that they share counted once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.shared.loaded_server import Place, Tables, build_of
from benchmarks.shared.process import BenchmarkError
from benchmarks.shared.report import (
    ROOT,
    Bar,
    bars_table,
    keep,
    page,
    save_raw,
    status,
    table,
)
from probes.collection.archive import ENDING
from tests.fleets import renamed
from tests.probes.collection.shells import collected

SERVERS = 500
OF_A_ROLE = 10
IMPORT_S, MOST_MIB = 60.0, 500.0
"""What a fleet of five hundred may take on two processors."""
COLLECT_S = 30
LOADS = (
    ("oltp_read_write", ("innodb_buffer_pool_size = 64M",)),
    ("oltp_read_only", ("innodb_buffer_pool_size = 32M",)),
    ("oltp_update_index", ("innodb_buffer_pool_size = 128M", "innodb_flush_method = fsync")),
)
ODD = ("max_connections\t151", "max_connections\t99")
LOOK_S = 0.2


@dataclass(frozen=True)
class Cost:
    """What a command took: by the clock, of processors, and of memory at its most."""

    name: str
    clock_s: float
    cpu_s: float
    mib: float

    @property
    def cells(self) -> tuple[object, ...]:
        """Its row of the page."""
        return self.name, f"{self.clock_s:.1f}", f"{self.cpu_s:.1f}", f"{self.mib:.0f}"


def main() -> int:
    """Collect, multiply, take in, list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", nargs="*", default=["mariadb-installed", "mysql-unstable"])
    parser.add_argument("--number", type=int, default=SERVERS, help="of servers in the fleet")
    parser.add_argument("--keep", type=Path, help="leave store and archives in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="fleet-") as made:
        folder = options.keep or Path(made)
        originals = list(_originals(Path(made), options.servers))
        archives = folder / "archives"
        _multiplied(originals, archives, options.number)
        home, saved = folder / "home", folder / "fleet.html"
        costs = [
            _cost("taken in and judged", home, "fleet", "import", str(archives)),
            _cost("listed", home, "fleet"),
            _cost("saved as a page", home, "fleet", "--sort", "risks", "-o", str(saved)),
            _cost("taken in again, all known", home, "fleet", "import", str(archives)),
        ]
    bars = [
        Bar(f"{options.number} archives taken in, s", costs[0].clock_s, IMPORT_S),
        Bar("memory at its most, MiB", max(each.mib for each in costs), MOST_MIB),
    ]
    lines = [
        *bars_table(bars),
        "",
        f"{len(originals)} archives of {', '.join(options.servers)}, each collected for "
        f"{COLLECT_S} s beside a load of sysbench, under {options.number} names; roles of "
        f"{OF_A_ROLE}, one server of each with another `max_connections`.",
        "",
        *table(("leadline", "s", "CPU s", "MiB at most"), [each.cells for each in costs]),
    ]
    keep("FLEET", page(f"A fleet of {options.number} servers", "fleet", lines))
    save_raw("fleet", {"costs": [each.cells for each in costs]}, bars)
    return status(bars)


def _originals(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """One archive of each server at each load."""
    for name in names:
        place = Place(build_of(name), folder / name, Tables(2, 200_000))
        place.directory.mkdir()
        place.fill()
        for script, lines in LOADS:
            with (
                place.started(lines) as server,
                place.running(server, script, "--threads=4", "--time=600"),
            ):
                time.sleep(2)
                client = ["-S", server.socket, "-u", "root"]
                where = folder / f"{name}-{script}"
                where.mkdir()
                yield collected(where, client, seconds=COLLECT_S)


def _multiplied(originals: Sequence[Path], folder: Path, number: int) -> None:
    """Write as many archives as that, ten of an original after each other to a role."""
    folder.mkdir(parents=True)
    for at in range(number):
        role, node = divmod(at, OF_A_ROLE)
        name = f"shop{role:02}-{node + 1}"
        other = ODD if node == OF_A_ROLE - 1 else ("", "")
        renamed(originals[role % len(originals)], folder / f"{name}{ENDING}", name, other)


def _cost(name: str, home: Path, *args: str) -> Cost:
    """Run a command of the program, and look at its memory meanwhile; raises BenchmarkError."""
    environment = os.environ | {"LEADLINE_HOME": str(home)}
    before, began = os.times(), time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *args],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    most, ended = [0.0], threading.Event()
    looking = threading.Thread(target=_look, args=(process.pid, most, ended))
    looking.start()
    code = process.wait()
    clock_s, after = time.monotonic() - began, os.times()
    ended.set()
    looking.join()
    if code != 0:
        raise BenchmarkError(f"leadline {' '.join(args[:2])} ended with {code}")
    cpu_s = sum(after[2:4]) - sum(before[2:4])
    return Cost(name, clock_s, cpu_s, most[0])


def _look(pid: int, most: list[float], ended: threading.Event) -> None:
    while not ended.wait(LOOK_S):
        most[0] = max(most[0], sum(_resident_mib(each) for each in _family(pid)))


def _family(pid: int) -> Iterator[int]:
    """The process and all that it began."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _resident_mib(pid: int) -> float:
    """Its share of memory: what it has alone, and its part of what it shares."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    sys.exit(main())
