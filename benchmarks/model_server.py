"""A server on a drive with pools of all sizes, measured and forecast: piece by piece.

Each start of the server measures all numbers of connections that one pool still lacks, in the order
of the rounds; what is kept is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loaded_server import ROOT, Place, Tables, leadline
from model_kept import (
    CACHED,
    KEPT,
    OTHER,
    OWN,
    SHARES,
    THREADS,
    Forecast,
    Kept,
    Piece,
    held,
    page,
    passes,
)
from process import BenchmarkError, run
from report import HERE, machine

from tests.servers.eleven import RunningServer, servers

BYTES_OF_A_ROW = 230
"""What a row of sysbench takes of its table's file."""

PAGE = HERE / "MODEL.md"

RAM = "ram"
"""Another drive that every machine has: a file in memory behind a loop device, as root."""
FILL_THREADS = 64

_EVENTS = re.compile(r"total number of events:\s+(\d+)")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked of it."""
    parser.add_argument("--server", default="mariadb-installed")
    parser.add_argument("--gib", type=float, default=2.0, help="how much data, about")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=int, default=20, help="seconds, after each start")
    parser.add_argument("--seconds", type=int, default=5, help="of each measurement")
    parser.add_argument("--directory", default="/var/tmp", help="where the data lies")
    parser.add_argument(
        "--other",
        default="",
        help=f"a directory on another drive, or {RAM}: a file system in memory",
    )
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="begin nothing after this; go on another time"
    )
    parser.add_argument(
        "--take", action="store_true", help="measure nothing, write the page from what is there"
    )
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the pieces are kept")


def measure(chosen: argparse.Namespace) -> int:
    """Measure what is missing, forecast all, write the page; 1 where a bar is missed."""
    rows = max(1000, round(chosen.gib * 2**30 / BYTES_OF_A_ROW / 4))
    kept = Kept(f"{chosen.server}-{chosen.gib:g}GiB-{chosen.seconds}s", chosen.kept)
    if not chosen.take:
        ends = time.monotonic() + 60 * chosen.minutes
        place = _place(chosen.server, Path(chosen.directory), Tables(4, rows))
        place.fill()
        _Session(place, OWN, kept, chosen, ends).run((CACHED, *SHARES))
        if chosen.other and time.monotonic() < ends:
            with _other_drive(chosen) as directory:
                moved = _place(chosen.server, directory, place.tables)
                if not (moved.directory / "data").is_dir():
                    shutil.copytree(place.directory, moved.directory, dirs_exist_ok=True)
                _Session(moved, OTHER, kept, chosen, ends).run(SHARES)
    found = [*_forecasts(kept)]
    said = [f"- {name}: {value}" for name, value in machine().items()]
    said += [f"- server: {chosen.server}, about {chosen.gib:g} GiB of data"]
    text = page(found, kept, said)
    print(text)
    if chosen.kept == KEPT:
        PAGE.write_text(text, encoding="utf-8")
    drives = [OWN, *([OTHER] if chosen.other else [])]
    return 0 if all(passes(found, drive) for drive in drives) else 1


@contextmanager
def _other_drive(chosen: argparse.Namespace) -> Iterator[Path]:
    """The directory that was asked for; what lies in memory is gone with the context."""
    if chosen.other != RAM:
        yield Path(chosen.other)
        return
    # The data, the file that is probed, and some room.
    size_bytes = round((1.5 * chosen.gib + 2) * 2**30)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        image, mounted = Path(folder) / "drive", Path(folder) / "mounted"
        mounted.mkdir()
        with image.open("wb") as file:
            file.truncate(size_bytes)
        run(["mkfs.ext4", "-q", "-F", str(image)])
        run(["mount", "-o", "loop", str(image), str(mounted)])
        try:
            yield mounted
        finally:
            run(["umount", str(mounted)])


def _place(name: str, directory: Path, tables: Tables) -> Place:
    build = next((each for each in servers() if each.name == name), None)
    if build is None:
        raise BenchmarkError(f"no such server: {name}")
    folder = directory / f"leadline-bench-model-{name}"
    folder.mkdir(exist_ok=True)
    return Place(build, folder, tables)


class _Session:
    """All that is measured on one drive."""

    def __init__(
        self, place: Place, drive: str, kept: Kept, chosen: argparse.Namespace, ends: float
    ) -> None:
        self._place, self._drive, self._kept = place, drive, kept
        self._chosen, self._ends = chosen, ends
        files = (place.directory / "data").rglob("*.ibd")
        self._data_bytes = sum(file.stat().st_size for file in files)

    def run(self, shares: tuple[float, ...]) -> None:
        """The drive, then each pool in each round, as far as they are missing."""
        if self._drive not in self._kept.curves and time.monotonic() < self._ends:
            self._kept.add_curve(self._drive, _reads(self._place.directory))
        for number in range(self._chosen.rounds):
            for share in shares if number % 2 == 0 else reversed(shares):
                self._pool(share, number)

    def _pool(self, share: float, number: int) -> None:
        missing = [
            threads
            for each, threads in self._kept.missing(self._drive, share, number + 1)
            if each == number
        ]
        if not missing or time.monotonic() > self._ends:
            return
        with self._started(share) as server:
            self._load(server, FILL_THREADS, self._chosen.warm)
            for threads in missing:
                if time.monotonic() > self._ends:
                    return
                piece = self._measured(server, share, threads, number)
                self._kept.add(piece)
                print(f"    {piece}", flush=True)

    @contextmanager
    def _started(self, share: float) -> Iterator[RunningServer]:
        # A pool is a multiple of its chunk, which small pools need smaller.
        pool_mib = max(8, round(share * self._data_bytes / 2**20))
        lines = (
            f"innodb_buffer_pool_size = {pool_mib}M",
            "innodb_flush_method = O_DIRECT",
            "innodb_buffer_pool_load_at_startup = OFF",
            "innodb_buffer_pool_dump_at_shutdown = OFF",
            "innodb_read_ahead_threshold = 0",
            f"max_connections = {2 * THREADS[-1]}",
        )
        with self._place.started(lines) as server:
            yield server

    def _load(self, server: RunningServer, threads: int, seconds: int) -> float:
        """So many connections look rows up; queries per second."""
        options = (f"--threads={threads}", f"--time={seconds}", "--rand-type=uniform", "run")
        running = self._place.sysbench(server, "oltp_point_select", *options)
        said, _ = running.communicate()
        events = _EVENTS.search(said)
        if events is None:
            raise BenchmarkError(f"sysbench counts no events: {said[-500:]}")
        return int(events[1]) / seconds

    def _measured(self, server: RunningServer, share: float, threads: int, number: int) -> Piece:
        before = _counted(server)
        rate = self._load(server, threads, self._chosen.seconds)
        misses, queries, cpu_s = (
            after - earlier for after, earlier in zip(_counted(server), before, strict=True)
        )
        queries = max(queries, 1.0)
        return Piece(
            self._drive, share, threads, number, rate, misses / queries, cpu_s / queries * 1e6
        )


def _counted(server: RunningServer) -> tuple[float, float, float]:
    """Misses, queries, and the seconds of processor time that the server took so far."""
    rows = server.sql(
        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_reads', 'Com_select', "
        "'Com_stmt_execute')"
    )
    values = {str(row["Variable_name"]).lower(): float(str(row["Value"])) for row in rows}
    # Prepared statements count as both in some servers, and as executed alone in others.
    queries = max(values["com_select"], values["com_stmt_execute"])
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (
        values["innodb_buffer_pool_reads"],
        queries,
        (int(fields[11]) + int(fields[12])) / _TICKS_PER_S,
    )


def _reads(directory: Path) -> str:
    """The drive's random reads of 16 KiB, as Leadline measures them; as CSV."""
    levels = ",".join(map(str, THREADS))
    words = ["probe", "storage", "local", "--dir", str(directory), "--probe", "random_read"]
    words += ["--block-sizes", "16k", "--threads", levels, "--every-level"]
    with tempfile.TemporaryDirectory() as home:
        # Of a drive in memory all points are rejected, which ends with 1; they are measured.
        subprocess.run(
            [sys.executable, "-m", "app", *words],
            cwd=ROOT,
            env=os.environ | {"LEADLINE_HOME": home},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        said = leadline(Path(home), "runs", "show", "1", "--json")
    rows = ["threads,rate_per_s,p95_us,ci95_low_per_s,ci95_high_per_s"]
    for point in (point for curve in json.loads(said)["runs"] for point in curve["points"]):
        low, high = point["ci95_per_s"]
        rate, p95_us = point["rate_per_s"], point["latency_us"]["p95"]
        rows.append(f"{point['threads']},{rate},{p95_us},{low},{high}")
    return "\n".join([*rows, ""])


def _forecasts(kept: Kept) -> Iterator[Forecast]:
    """Those of all pools on both drives, as far as what they are made from is there."""
    read_cpu_us = kept.read_cpu_us
    if not kept.cached or read_cpu_us is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "cached.csv").write_text(kept.cached)
        for drive, curve in kept.curves.items():
            (home / f"{drive}.csv").write_text(curve)
            for share in SHARES:
                reads = kept.reads(drive, share)
                if reads is None:
                    continue
                said = leadline(
                    home,
                    *("forecast", "--complement", str(home / "cached.csv")),
                    *("--drive", str(home / f"{drive}.csv")),
                    *("--reads-per-query", f"{reads:.6f}"),
                    *("--read-cpu", f"{read_cpu_us:.1f}us", "--cores", str(os.cpu_count())),
                    *("--threads", ",".join(map(str, THREADS)), "--json"),
                )
                yield from held(kept, drive, share, json.loads(said))
