"""Configurations of one server that work in turn, a few seconds each, while the others are frozen.

What a shared machine gives changes within seconds, by more than two good configurations differ:
turns of two seconds, several in a round, see the same machine. Two servers with the same lines were
11 to 15 % apart in a turn of two seconds, and 12 % in one of seven. A frozen server (SIGSTOP) takes
nothing of the machine, and goes on with its pool, its redo log and its dirty pages as they were.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.shared.loaded_server import Place
from benchmarks.shared.process import BenchmarkError
from tests.servers.eleven import RunningServer

SETTLE_S = 0.5
"""What was under way when a server was frozen is done by then, and not counted."""

LONGEST_S = 7200
"""A load's longest life; it is ended with what is measured beside it."""

SCRIPT = Path(__file__).with_name("timed_oltp.lua")
"""What counts how long statements take; the two constants here are as there."""

BUCKETS, STEPS = 1024, 32

Counted = npt.NDArray[np.int64]
"""How many statements took so long: one figure for each of the script's buckets."""


@dataclass(frozen=True)
class Done:
    """What one configuration did within a turn, or within all of a round."""

    seconds: float
    commits: int
    queries: Counted

    def __add__(self, other: Done) -> Done:
        """Both together."""
        seconds, commits = self.seconds + other.seconds, self.commits + other.commits
        return Done(seconds, commits, self.queries + other.queries)

    @property
    def tps(self) -> float:
        """Transactions per second."""
        return self.commits / self.seconds


def p95_us(counted: Counted) -> float:
    """Within which 95 of 100 are done, as their client saw them; nan where none was.

    A bucket's middle, 2 % wide. A server's own histogram begins when a query has been read: the
    wait for a processor before is its client's alone, and only MySQL 8.0 and newer has one.
    """
    if not counted.any():
        return float("nan")
    bucket = int(np.searchsorted(np.cumsum(counted), 0.95 * counted.sum()))
    return float(2 ** ((bucket + 0.5) / STEPS))


def counted_in(file: Path) -> Counted:
    """All statements that were done until now; what was done meanwhile is a difference of two."""
    counters = np.fromfile(file, dtype=np.int64).reshape(-1, BUCKETS)
    return np.asarray(counters.sum(axis=0))


@dataclass(frozen=True)
class Working:
    """One configuration's server, with its load, whose threads count in the file ``times``."""

    server: RunningServer
    load: subprocess.Popen[str]
    times: Path

    def freeze(self) -> None:
        """Stop both where they are: the load first, so that it waits for no answer of its own."""
        for pid in (self.load.pid, self.server.pid):
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Have both go on."""
        for pid in (self.server.pid, self.load.pid):
            os.kill(pid, signal.SIGCONT)

    def turn(self, seconds: float) -> Done:
        """Let it work for so long; raises BenchmarkError where its load has ended."""
        self.thaw()
        time.sleep(SETTLE_S)
        began, commits, queries = time.monotonic(), self._commits(), counted_in(self.times)
        time.sleep(seconds)
        took_s = time.monotonic() - began
        done = Done(took_s, self._commits() - commits, counted_in(self.times) - queries)
        if self.load.poll() is not None:
            raise BenchmarkError(f"sysbench ended with {self.load.returncode}.")
        self.freeze()
        return done

    def _commits(self) -> int:
        (found,) = self.server.sql("SHOW GLOBAL STATUS LIKE 'Com_commit'")
        return int(str(found["Value"]))


def one_round(
    working: Mapping[str, Working], order: Sequence[str], turns: int, seconds: float
) -> dict[str, Done]:
    """All configurations, ``turns`` times each, in this order and then in the opposite one."""
    found: dict[str, Done] = {}
    for number in range(turns):
        for arm in order if number % 2 == 0 else reversed(order):
            done = working[arm].turn(seconds)
            found[arm] = found[arm] + done if arm in found else done
    return found


@contextmanager
def side_by_side(
    place: Place, arms: Mapping[str, Sequence[str]], load: str, threads: int, warm_s: int
) -> Iterator[dict[str, Working]]:
    """Start a server for each option file, each with a copy of the data; all are frozen.

    Each has read all tables once, and has worked for ``warm_s``; ``load`` is a script of sysbench.
    """
    with ExitStack() as stack:
        found = {}
        for arm, lines in arms.items():
            # What is written by one shall not be found by another.
            copy = Place(place.build, place.directory / arm.replace(" ", "-"), place.tables)
            shutil.copytree(place.directory / "data", copy.directory / "data", dirs_exist_ok=False)
            stack.callback(shutil.rmtree, copy.directory)
            copy.forget_pool()
            working = stack.enter_context(_working(copy, lines, load, threads))
            time.sleep(warm_s)
            working.freeze()
            found[arm] = working
        yield found


@contextmanager
def _working(place: Place, lines: Sequence[str], load: str, threads: int) -> Iterator[Working]:
    times = place.directory / "query-times"
    times.write_bytes(bytes(8 * BUCKETS * threads))
    options = (f"--threads={threads}", f"--time={LONGEST_S}")
    environment = os.environ | {"LOAD": load, "QUERY_TIMES": str(times)}
    with place.started_and_read(load, lines) as server:
        process = place.sysbench(server, str(SCRIPT), *options, "run", environment=environment)
        working = Working(server, process, times)
        try:
            yield working
        finally:
            # A frozen process is not ended by a polite signal.
            working.thaw()
            process.terminate()
            process.communicate()
