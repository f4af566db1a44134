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

from loaded_server import Place
from process import BenchmarkError
from query_times import SCRIPT, Counted, QueryTimes, p95_us

from tests.servers.eleven import RunningServer

SETTLE_S = 0.5
"""What was under way when a server was frozen is done by then, and not counted."""


LONGEST_S = 7200
"""A load's longest life; it is ended with what is measured beside it."""


@dataclass(frozen=True)
class Load:
    """One of sysbench's own scripts, such as oltp_read_write, and by how many threads."""

    script: str
    threads: int

    @property
    def options(self) -> tuple[str, ...]:
        """As sysbench is started."""
        return f"--threads={self.threads}", f"--time={LONGEST_S}"


@dataclass(frozen=True)
class Done:
    """What one configuration did within a turn, or within all of a round."""

    seconds: float
    commits: int
    queries: Counted

    def __add__(self, other: Done) -> Done:
        """Both together."""
        return Done(
            self.seconds + other.seconds,
            self.commits + other.commits,
            self.queries + other.queries,
        )

    @property
    def tps(self) -> float:
        """Transactions per second."""
        return self.commits / self.seconds

    @property
    def p95_us(self) -> float:
        """The time within which 95 of 100 statements were done, as their client saw them."""
        return p95_us(self.queries)


@dataclass(frozen=True)
class Working:
    """One configuration's server, with its load."""

    server: RunningServer
    load: subprocess.Popen[str]
    queries: QueryTimes

    def freeze(self) -> None:
        """Stop both where they are: the load first, so that it waits for no answer of its own."""
        for pid in (self.load.pid, self.server.pid):
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Have both go on."""
        for pid in (self.server.pid, self.load.pid):
            os.kill(pid, signal.SIGCONT)

    def turn(self, seconds: float) -> Done:
        """Let it work for so long.

        Raises:
            BenchmarkError: its load has ended.

        """
        self.thaw()
        time.sleep(SETTLE_S)
        began, commits, queries = time.monotonic(), self._commits(), self.queries.counted()
        time.sleep(seconds)
        done = Done(
            time.monotonic() - began,
            self._commits() - commits,
            self.queries.counted() - queries,
        )
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
    place: Place, arms: Mapping[str, Sequence[str]], load: Load, warm_s: int
) -> Iterator[dict[str, Working]]:
    """Start a server for each option file, each with a copy of the data; all are frozen.

    Each has read all tables once, and has worked for ``warm_s``.
    """
    with ExitStack() as stack:
        found = {}
        for arm, lines in arms.items():
            # What is written by one shall not be found by another.
            copy = Place(place.build, place.directory / arm.replace(" ", "-"), place.tables)
            shutil.copytree(place.directory / "data", copy.directory / "data", dirs_exist_ok=False)
            stack.callback(shutil.rmtree, copy.directory)
            copy.forget_pool()
            working = stack.enter_context(_working(copy, lines, load))
            time.sleep(warm_s)
            working.freeze()
            found[arm] = working
        yield found


@contextmanager
def _working(place: Place, lines: Sequence[str], load: Load) -> Iterator[Working]:
    times = QueryTimes(place.directory / "query-times", load.threads)
    environment = times.environment(load.script)
    with place.started_and_read(load.script, lines) as server:
        process = place.sysbench(server, str(SCRIPT), *load.options, "run", environment=environment)
        working = Working(server, process, times)
        try:
            yield working
        finally:
            # A frozen process is not ended by a polite signal.
            working.thaw()
            process.terminate()
            process.communicate()
