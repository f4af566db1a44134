"""A server with pools of all sizes on one drive and on another, measured in turns, and forecast.

Each pool has a server of its own, with a copy of the data, which idles while it is not its turn:
what a shared machine gives changes within minutes by more than two pools may differ. What is kept
is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.model.kept import (
    CACHED,
    CALIBRATED,
    KEPT,
    OTHER,
    OWN,
    SHARES,
    THREADS,
    Forecast,
    Kept,
    Piece,
    Reads,
    bars,
    lines,
)
from benchmarks.shared import agent
from benchmarks.shared.loaded_server import Place, Tables, build_of, counters, leadline
from benchmarks.shared.process import BenchmarkError, run
from benchmarks.shared.report import keep, page, status
from tests.servers.eleven import RunningServer

BYTES_OF_A_ROW = 230
"""What a row of sysbench takes of its table's file."""

RAM = "ram"
"""Another drive that every machine has: a file in memory behind a loop device, as root."""

SETTLE_S = 1.0
"""All connections are at work by then, and what the turn before left behind is over."""

FILL_THREADS = 64
READ_FILE_BYTES, READ_BLOCK_BYTES = 1 << 30, 16 << 10
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_COUNTED = ("Innodb_buffer_pool_reads", "Com_select", "Com_stmt_execute")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked of it."""
    parser.add_argument("--server", default="mariadb-installed")
    parser.add_argument("--gib", type=float, default=2.0, help="how much data, about")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=int, default=20, help="seconds, after each start")
    parser.add_argument("--seconds", type=int, default=4, help="of each turn")
    parser.add_argument("--directory", default="/var/tmp", help="where the data lies")
    other = f"a directory on another drive, or {RAM}: a file system in memory"
    parser.add_argument("--other", default="", help=other)
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="begin nothing after this; go on another time"
    )
    parser.add_argument(
        "--take", action="store_true", help="measure nothing, write the page from what is there"
    )
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the pieces are kept")


def measure(chosen: argparse.Namespace) -> int:
    """Measure what is missing, forecast all, write the page; 1 where a bar is missed."""
    # Ended politely, it leaves no server and no mount behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    kept = Kept(f"{chosen.server}-{chosen.gib:g}GiB-turns-of-{chosen.seconds}s", chosen.kept)
    drives = [OWN, *([OTHER] if chosen.other else [])]
    missing = kept.missing(drives, chosen.rounds)
    if missing and not chosen.take:
        _measure(chosen, kept, missing)
    found = [*_forecasts(kept)]
    title = "Forecasts of a server with less memory, and on another drive"
    what = {"server": f"{chosen.server}, about {chosen.gib:g} GiB of data"}
    text = page(title, "model ARGS=--sandbox", lines(found, kept), what)
    if chosen.kept == KEPT:
        keep("MODEL", text)
    else:
        print(text)
    return status(bars(found, drives))


def _measure(chosen: argparse.Namespace, kept: Kept, missing: list[tuple[int, int]]) -> None:
    ends = time.monotonic() + 60 * chosen.minutes
    rows = max(1000, round(chosen.gib * 2**30 / BYTES_OF_A_ROW / 4))
    folder = Path(chosen.directory) / f"leadline-bench-model-{chosen.server}"
    folder.mkdir(exist_ok=True)
    place = Place(build_of(chosen.server), folder, Tables(4, rows))
    place.fill()
    with ExitStack() as stack:
        own = stack.enter_context(tempfile.TemporaryDirectory(dir=place.directory))
        directories = {OWN: Path(own)}
        if chosen.other:
            directories[OTHER] = stack.enter_context(_other_drive(chosen))
        turns = _in_turns(directories, place, chosen.warm, chosen.seconds, missing)
        for found in stack.enter_context(closing(turns)):
            kept.add(found)
            print(*found, sep="\n", flush=True)
            if time.monotonic() > ends:
                return


@contextmanager
def _other_drive(chosen: argparse.Namespace) -> Iterator[Path]:
    """The directory that was asked for; what lies in memory is gone with the context."""
    if chosen.other != RAM:
        yield Path(chosen.other)
        return
    # A copy of the data for each pool, the file that is probed, and some room.
    size_bytes = round((1.3 * len(SHARES) * chosen.gib + 2) * 2**30)
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


def _forecasts(kept: Kept) -> Iterator[Forecast]:
    """Those of all pools on both drives, as far as what they are made from is there."""
    read_cpu_at, cores = kept.reads(OWN, CALIBRATED[0]), os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "cached.csv").write_text(kept.cached)
        for drive in kept.drives:
            (home / f"{drive}.csv").write_text(kept.curve(drive))
            read_cpu_us = kept.read_kept_us(drive, cores)
            if read_cpu_us is None or read_cpu_at is None:
                return
            for share in SHARES:
                reads = kept.reads(drive, share)
                if reads is None:
                    continue
                said = leadline(
                    home,
                    *("forecast", "--complement", str(home / "cached.csv")),
                    *("--drive", str(home / f"{drive}.csv")),
                    *("--reads-per-query", f"{reads:.6f}"),
                    *("--read-cpu", f"{read_cpu_us:.1f}us", "--cores", str(cores)),
                    *("--read-cpu-at", f"{read_cpu_at:.6f}"),
                    *("--threads", ",".join(map(str, THREADS)), "--json"),
                )
                yield from kept.held(drive, share, json.loads(said))


@dataclass(frozen=True)
class _Pool:
    """One server at work."""

    drive: str
    share: float
    place: Place
    server: RunningServer

    def turn(self, threads: int, seconds: float, number: int) -> Piece:
        """So many connections look rows up; raises BenchmarkError where its load ended early."""
        with self.looking_up(threads):
            time.sleep(SETTLE_S)
            began, before = time.monotonic(), _counted(self.server)
            time.sleep(seconds)
            took_s = time.monotonic() - began
            after = _counted(self.server)
        misses, queries, cpu_s = (b - a for a, b in zip(before, after, strict=True))
        if not queries:
            raise BenchmarkError(f"sysbench looks nothing up with {threads} connections.")
        figures = (queries / took_s, misses / queries, cpu_s / queries * 1e6)
        return Piece(self.drive, self.share, threads, number, *figures)

    @contextmanager
    def looking_up(self, threads: int) -> Iterator[None]:
        """Keep so many connections at work."""
        options = (f"--threads={threads}", "--time=0", "--rand-type=uniform")
        with self.place.running(self.server, "oltp_point_select", *options):
            yield


def _in_turns(
    directories: Mapping[str, Path],
    filled: Place,
    warm_s: int,
    seconds: float,
    missing: Iterable[tuple[int, int]],
) -> Generator[list[Piece | Reads]]:
    """What each round and number of connections gives, in an order that is drawn anew each time.

    ``directories`` are the drives' by name; ``filled`` has the data. On its own drive there is a
    server that has all data in its pool, besides those with a part of it.
    """
    with ExitStack() as stack:
        pools = [
            stack.enter_context(_started(filled, drive, share, directory, warm_s))
            for drive, directory in directories.items()
            for share in ((CACHED, *SHARES) if drive == OWN else SHARES)
        ]
        order = [*missing]
        random.Random(len(order)).shuffle(order)
        # A round is whole before the next one begins.
        for number, threads in sorted(order, key=lambda each: each[0]):
            turns: list[_Pool | str] = [*pools, *directories]
            random.Random(THREADS.index(threads) + len(THREADS) * number).shuffle(turns)
            yield [
                _read(each, directories[each], threads, seconds, number)
                if isinstance(each, str)
                else each.turn(threads, seconds, number)
                for each in turns
            ]


@contextmanager
def _started(
    filled: Place, drive: str, share: float, directory: Path, warm_s: int
) -> Iterator[_Pool]:
    data_bytes = sum(file.stat().st_size for file in (filled.directory / "data").rglob("*.ibd"))
    pool_mib = max(8, round(share * data_bytes / 2**20))
    options = (
        f"innodb_buffer_pool_size = {pool_mib}M",
        "innodb_flush_method = O_DIRECT",
        "innodb_buffer_pool_load_at_startup = OFF",
        "innodb_buffer_pool_dump_at_shutdown = OFF",
        "innodb_read_ahead_threshold = 0",
        f"max_connections = {2 * THREADS[-1]}",
    )
    copied = replace(filled, directory=directory / f"pool-{share:g}")
    shutil.copytree(filled.directory / "data", copied.directory / "data")
    copied.forget_pool()
    try:
        # Rows looked up by chance leave some pages out: the last of them took minutes to be read.
        with copied.started_and_read("oltp_point_select", options) as server:
            pool = _Pool(drive, share, copied, server)
            with pool.looking_up(FILL_THREADS):
                time.sleep(warm_s)
            yield pool
    finally:
        shutil.rmtree(copied.directory)


def _read(drive: str, directory: Path, threads: int, seconds: float, number: int) -> Reads:
    one = agent.reads(threads, READ_BLOCK_BYTES, seconds, number, buffers="huge")
    found, _ = agent.measured(directory, READ_FILE_BYTES, one)
    spent = (found["cpu_user_us_per_op"], found["cpu_system_us_per_op"])
    return Reads(drive, threads, number, found["rate_per_s"], *spent)


def _counted(server: RunningServer) -> tuple[float, float, float]:
    """Misses, queries, and the seconds that the machine's processors worked so far.

    A miss is work of interrupts and of the kernel's threads, too, which no process is charged with.
    """
    misses, selects, executed = counters(server, *_COUNTED)
    user, nice, system, _idle, _iowait, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:]
    )
    worked_s = (user + nice + system + irq + softirq) / _TICKS_PER_S
    # Prepared statements count as both in some servers, and as executed alone in others.
    return misses, max(selects, executed), worked_s
