"""Servers with pools of all sizes on their drives, and the drives themselves, in turns of seconds.

Each pool has a server of its own, with a copy of the data, which idles while it is not its turn:
what a shared machine gives changes within minutes by more than two pools may differ.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from agent import read_at_random
from loaded_server import Place
from model_kept import CACHED, OWN, SHARES, THREADS, Piece, Reads
from process import BenchmarkError

from tests.servers.eleven import RunningServer

SETTLE_S = 1.0
"""All connections are at work by then, and what the turn before left behind is over."""

FILL_THREADS = 64
READ_FILE_BYTES, READ_BLOCK_BYTES = 1 << 30, 16 << 10
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class _Pool:
    """One server at work."""

    drive: str
    share: float
    place: Place
    server: RunningServer

    def turn(self, threads: int, seconds: float, number: int) -> Piece:
        """So many connections look rows up.

        Raises:
            BenchmarkError: its load has ended early.

        """
        with self.looking_up(threads):
            time.sleep(SETTLE_S)
            began, before = time.monotonic(), _counted(self.server)
            time.sleep(seconds)
            took_s = time.monotonic() - began
            misses, queries, cpu_s = (
                after - earlier
                for after, earlier in zip(_counted(self.server), before, strict=True)
            )
        if not queries:
            raise BenchmarkError(f"sysbench looks nothing up with {threads} connections.")
        return Piece(
            *(self.drive, self.share, threads, number),
            queries / took_s,
            misses / queries,
            cpu_s / queries * 1e6,
        )

    @contextmanager
    def looking_up(self, threads: int) -> Iterator[None]:
        """Keep so many connections at work."""
        options = (f"--threads={threads}", "--time=0", "--rand-type=uniform")
        with self.place.running(self.server, "oltp_point_select", *options):
            yield


def in_turns(
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
    lines = (
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
        with copied.started_and_read("oltp_point_select", lines) as server:
            pool = _Pool(drive, share, copied, server)
            with pool.looking_up(FILL_THREADS):
                time.sleep(warm_s)
            yield pool
    finally:
        shutil.rmtree(copied.directory)


def _read(drive: str, directory: Path, threads: int, seconds: float, number: int) -> Reads:
    found = read_at_random(
        directory,
        file_bytes=READ_FILE_BYTES,
        block_bytes=READ_BLOCK_BYTES,
        threads=threads,
        seconds=seconds,
        setting=drive,
        number=number,
    )
    return Reads(drive, threads, number, found.rate_per_s, found.user_us, found.system_us)


def _counted(server: RunningServer) -> tuple[float, float, float]:
    """Misses, queries, and the seconds that the machine's processors worked so far.

    A miss is work of interrupts and of the kernel's threads, too, which no process is charged with.
    """
    rows = server.sql(
        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_reads', 'Com_select', "
        "'Com_stmt_execute')"
    )
    values = {str(row["Variable_name"]).lower(): float(str(row["Value"])) for row in rows}
    # Prepared statements count as both in some servers, and as executed alone in others.
    queries = max(values["com_select"], values["com_stmt_execute"])
    user, nice, system, _idle, _iowait, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:]
    )
    worked = user + nice + system + irq + softirq
    return values["innodb_buffer_pool_reads"], queries, worked / _TICKS_PER_S
