"""Trials on real servers under sysbench: no effect, planted effects, harmful values, kill -9.

Each trial is the command itself, as its user types it. What came of each is appended to a file at
once, so that an interrupted campaign keeps what it has.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.shared.process import BenchmarkError
from tests.servers.eleven import RunningServer, ServerBuild

BACK_WITHIN_S = 15.0
ROWS, TABLES, CLIENTS = 20_000, 2, 8


@dataclass(frozen=True, slots=True)
class Try:
    """One trial: the server's options, what is set, and what is expected of it."""

    kind: str
    options: tuple[str, ...]
    values: tuple[str, ...]


NOTHING = Try("nothing", (), ("innodb_read_ahead_threshold=55",))
"""Its data are in the pool, and nothing is read ahead."""

_DELAYS = {
    "mysql": (("--log-bin",), "binlog_group_commit_sync_delay"),
    "mariadb": (("--log-bin", "--binlog-commit-wait-count=1000"), "binlog_commit_wait_usec"),
}
"""What makes each commit wait, in microseconds, and the options that it takes."""


def planted(family: str, delay_us: int) -> Try:
    """An improvement by a known cause: commits stop waiting."""
    options, name = _DELAYS[family]
    return Try("planted", (*options, _option(name, delay_us)), (f"{name}=0",))


def worse(family: str, delay_us: int) -> Try:
    """The other way round: from no wait, which is not what MariaDB has where nobody sets one."""
    options, name = _DELAYS[family]
    return Try("worse", (*options, _option(name, 0)), (f"{name}={delay_us}",))


def _option(name: str, value: int) -> str:
    return f"--{name.replace('_', '-')}={value}"


def harmful(family: str, chance: random.Random) -> Try:
    """What nobody should set on a server at work."""
    options, name = _DELAYS[family]
    halting = Try("harmful", options, (f"{name}=500000",))
    alone = Try("harmful", (), ("innodb_thread_concurrency=1",))
    spinning = Try("harmful", (), ("innodb_thread_concurrency=1", "innodb_spin_wait_delay=1000"))
    usual = (
        Try("harmful", (), ("innodb_io_capacity=100",)),
        Try("harmful", (), ("innodb_max_dirty_pages_pct=1",)),
    )
    # MariaDB ignores the limit of threads since 10.5.
    found = [halting, *usual]
    if family == "mysql":
        found += [alone, spinning]
    return chance.choice(found)


KILLED = ("command", "agent", "keeper", "both")


@contextmanager
def at_work(build: ServerBuild, one: Try, rate: float) -> Iterator[RunningServer]:
    """A server under sysbench's read-write load; ``rate`` transactions a second, 0 for closed."""
    if shutil.which("sysbench") is None:
        raise BenchmarkError("sysbench is not installed")
    with build.start(["--innodb-buffer-pool-size=256M", *one.options]) as server:
        server.sql("CREATE DATABASE sbtest")
        subprocess.run([*_sysbench(server), "prepare"], check=True, stdout=subprocess.DEVNULL)
        run = [f"--threads={CLIENTS}", "--time=0", f"--rate={rate:g}", "--mysql-ignore-errors=all"]
        load = subprocess.Popen([*_sysbench(server), *run, "run"], stdout=subprocess.DEVNULL)
        try:
            time.sleep(5)
            yield server
        finally:
            load.kill()
            load.wait()


def _sysbench(server: RunningServer) -> list[str]:
    return [
        *("sysbench", "oltp_read_write", f"--mysql-socket={server.socket}", "--mysql-user=root"),
        *("--mysql-db=sbtest", f"--tables={TABLES}", f"--table-size={ROWS}"),
    ]


def command(server: RunningServer, one: Try, budget: str, seed: int) -> list[str]:
    """The command line of a trial."""
    sets = [word for each in one.values for word in ("--set", each)]
    reached = ["--mysql", f"socket={server.socket},user=root", "--yes", "local", "--json"]
    return [
        *(sys.executable, "-m", "app", "try", "local", *reached, *sets),
        *("--budget", budget, "--seed", str(seed)),
    ]


def carried_out(server: RunningServer, one: Try, budget: str, seed: int) -> dict[str, object]:
    """A trial to its end: its document, and whether the server has what its verdict says."""
    begin = time.monotonic()
    done = subprocess.run(
        command(server, one, budget, seed), capture_output=True, text=True, check=False
    )
    document = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    new = dict(each.split("=") for each in one.values)
    now = server.variables()
    kept = all(float(now[name]) == float(value) for name, value in new.items())
    return {
        "kind": one.kind,
        "values": one.values,
        "verdict": document.get("verdict"),
        "broken": document.get("broken"),
        "guard": document.get("guard"),
        "passings": len(document.get("passings", [])),
        "detail": document.get("detail"),
        "back_ms": document.get("back_ms"),
        "times": document.get("times"),
        "pairs": len(document.get("pairs", [])),
        "seconds": round(time.monotonic() - begin, 1),
        "server_agrees": kept == (document.get("verdict") == "kept"),
        "said": done.stderr[-300:] if not document else "",
    }


def killed(server: RunningServer, one: Try, chance: random.Random) -> dict[str, object]:
    """A trial of which something is killed at a random moment: when the old values are back."""
    old = {name: server.variables()[name] for name in (each.split("=")[0] for each in one.values)}
    running = subprocess.Popen(
        command(server, one, "5min", chance.randrange(1000)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while _same(server, old) and running.poll() is None:
            time.sleep(0.05)
        time.sleep(chance.uniform(0, 10))
        who = chance.choice(KILLED)
        for pid in _victims(who, running.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        begin = time.monotonic()
        while not _same(server, old) and time.monotonic() - begin < 2 * BACK_WITHIN_S:
            time.sleep(0.01)
        back_s = time.monotonic() - begin
        return {"kind": "killed", "who": who, "back": _same(server, old), "back_s": back_s}
    finally:
        running.terminate()
        running.wait()


def _same(server: RunningServer, old: dict[str, str]) -> bool:
    now = server.variables()
    return all(now[name] == value for name, value in old.items())


def _victims(who: str, command_pid: int) -> list[int]:
    """The processes of this trial: the command, the agent and the agent's second process."""
    if who == "command":
        return [command_pid]
    agent = _child(command_pid, b"trial")
    keeper = _child(agent, b"trial-keeper") if agent else 0
    chosen = {"agent": [agent], "keeper": [keeper], "both": [agent, keeper]}[who]
    return [pid for pid in chosen if pid]


def _child(parent: int, word: bytes) -> int:
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            above = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if above == parent and (entry / "cmdline").read_bytes().split(b"\0")[1] == word:
                return int(entry.name)
    return 0


def appended(file: Path, results: Sequence[dict[str, object]]) -> None:
    """Keep what came of trials, at once."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.writelines(json.dumps(each) + "\n" for each in results)
