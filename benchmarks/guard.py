"""Has a real load slow a real server down, and times how soon the guard stops the probe.

``make bench-guard``. A second canary, no part of Leadline, sees when the server's reads pass the
limit. The probe must have stopped within a second of that in 95 of 100 trials, whether the guard
has ended the point, as it first does, or the whole plan; the status is 1 when it has not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from statistics import median
from typing import IO, Any

import agent
import pymysql
from report import HERE, machine, save_raw, sum_up

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from probes.plans.plan import Guard  # noqa: E402 - the path comes first
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb  # noqa: E402 - the path comes first

ROWS = 600_000
"""Rows of the table: several times what the server's pool of 16 MiB holds."""

GUARD = Guard()
LIMIT_US = 20_000.0
MOST_S = 1.0
LEAST_SHARE = 0.95
QUIET_S = 1.5
SONGS = 2
"""How many beats of the canary are awaited before another's load begins."""

LOAD_S = 20.0

_READS = {"probe": "random_read", "file_set": "f", "warmup_seconds": 0.1}
GENTLE = _READS | {"id": "gentle", "block_size_bytes": 4096, "threads": 1}
HEAVY = _READS | {"id": "heavy", "block_size_bytes": 65536, "threads": 1024, "seconds": LOAD_S}

OBSERVER = """
import os, random, sys, time
import pymysql
from contextlib import suppress
with suppress(PermissionError):
    os.nice(-20)
socket, user, password, rows = sys.argv[1:]
connection = pymysql.connect(unix_socket=socket, user=user, password=password, autocommit=True)
with connection, connection.cursor() as cursor:
    while True:
        print(time.monotonic(), end=" ", flush=True)
        cursor.execute("SELECT c FROM guarded.t WHERE id = %s", (random.randint(1, int(rows)),))
        print(time.monotonic(), flush=True)
        time.sleep(0.01)
"""


class Disturbed(Exception):
    """Something else slowed the server down before the load began: that is no trial."""


@dataclass(frozen=True)
class Trial:
    """One load.

    ``passed_s`` is from its start until the server's reads passed the limit, ``stopped_s`` from
    there until the point's threads or the agent had ended. Either is None where it did not happen.
    """

    load: str
    baseline_us: float
    passed_s: float | None
    stopped_s: float | None
    said: str

    @property
    def soon(self) -> bool:
        """Whether the probe stopped in time."""
        return self.stopped_s is not None and self.stopped_s <= MOST_S


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    options = parser.parse_args()
    subprocess.run([sys.executable, str(ROOT / "packaging" / "build_agent.py")], check=True)
    trials: list[Trial] = []
    with private_mariadb(tls=False) as server:
        _fill(server)
        while len(trials) < options.trials:
            load = list(LOADS)[len(trials) % len(LOADS)]
            try:
                trials.append(_trial(server, load))
            except Disturbed as disturbed:
                print(f"Again: {disturbed}", flush=True)
            else:
                print(f"{len(trials)}: {trials[-1]}", flush=True)
    return _report(trials)


def _report(trials: list[Trial]) -> int:
    share = sum(trial.soon for trial in trials) / len(trials)
    times = [trial.stopped_s for trial in trials if trial.stopped_s is not None]
    facts = machine()
    sentence = (
        f"{len(trials)} trials: {share:.0%} stopped within {MOST_S:g} s of the limit (at least "
        f"{LEAST_SHARE:.0%} are wanted)"
        + (f"; median {median(times):.2f} s, at most {max(times):.2f} s." if times else ".")
    )
    print(sentence)
    result = {
        "machine": facts,
        "limit_us": LIMIT_US,
        "share_in_time": share,
        "trials": [asdict(trial) for trial in trials],
    }
    save_raw("guard", result)
    sum_up("make bench-guard", sentence, facts)
    return 0 if share >= LEAST_SHARE else 1


def _fill(server: MariaDB) -> None:
    server.sql("CREATE DATABASE guarded")
    server.sql("CREATE TABLE guarded.t (id INT PRIMARY KEY, c CHAR(120) NOT NULL)")
    server.sql(f"INSERT INTO guarded.t SELECT seq, SHA2(seq, 256) FROM guarded.seq_1_to_{ROWS}")


def _plan(server: MariaDB, folder: str, *, heavy: bool) -> dict[str, object]:
    """A gentle point, and then one that nobody would measure on a busy server."""
    table = {"name": "t", "key": "id", "column": "c", "min": 1, "max": ROWS}
    gentle_s = QUIET_S if heavy else LOAD_S
    points = [GENTLE | {"seconds": gentle_s}, *([HEAVY] if heavy else [])]
    return {
        "protocol": agent.PROTOCOL,
        "file_sets": [{"id": "f", "directory": folder, "files": 1, "bytes_per_file": 64 << 20}],
        "mysql": {
            "network": "unix",
            "address": server.socket,
            "user": BOSS[0],
            "password": BOSS[1],
            "tls": "off",
            "database": "guarded",
            "tables": {"existing": table},
        },
        "guard": {
            "table": "existing",
            "every_seconds": 0.1,
            "added_us": LIMIT_US,
            "threads_running": 0,
            "row_lock_waits": 0,
            "step_backs": 1,
            "end_seconds": GUARD.end_s,
            "recover_seconds": GUARD.recover_s,
        },
        "points": points,
    }


def _trial(server: MariaDB, load: str) -> Trial:
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder,
        _observed(server) as observer,
        _agent(_plan(server, folder, heavy=load == OWN)) as events,
    ):
        beat, began_at, last = LOADS[load](server, events)
        stopped_at = time.monotonic()
        observer.kill()
        seen, _ = observer.communicate()
    baseline_us = float(beat["baseline_us"])
    passed_at = _passed_at(seen, began_at, (baseline_us + LIMIT_US) / 1e6, stopped_at)
    return Trial(
        load=load,
        baseline_us=baseline_us,
        passed_s=None if passed_at is None else round(passed_at - began_at, 3),
        stopped_s=_after(passed_at, stopped_at) if last.get("code") == "guard" else None,
        said=str(last.get("message", last)),
    )


def _after(passed_at: float | None, stopped_at: float) -> float | None:
    return None if passed_at is None else round(stopped_at - passed_at, 3)


def _passed_at(seen: str, began_at: float, limit_s: float, stopped_at: float) -> float | None:
    """When reads began to take too long: the first of three among five that are over the limit."""
    reads = []
    for line in seen.splitlines():
        first, _, last = line.partition(" ")
        reads.append((float(first), float(last or stopped_at)))
    slow = [ended - begun > limit_s for begun, ended in reads]
    for index, (begun, ended) in enumerate(reads):
        persists = sum(slow[index : index + 5]) >= 3 or ended - begun > 3 * limit_s
        if begun >= began_at and slow[index] and persists:
            return begun + limit_s
    return None


@contextmanager
def _observed(server: MariaDB) -> Iterator[subprocess.Popen[str]]:
    arguments = [server.socket, *BOSS, str(ROWS)]
    with subprocess.Popen(
        [sys.executable, "-c", OBSERVER, *arguments], stdout=subprocess.PIPE, text=True
    ) as observer:
        try:
            yield observer
        finally:
            observer.kill()


@contextmanager
def _agent(plan: dict[str, object]) -> Iterator[Iterator[dict[str, Any]]]:
    """The events of an agent, which end when it has."""
    with _talking(plan) as running:
        yield (json.loads(line) for line in _lines(running))


@contextmanager
def _talking(plan: dict[str, object]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [str(agent.path()), "probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            _say(running, plan)
            yield running
        finally:
            running.kill()


def _say(running: subprocess.Popen[str], line: dict[str, object]) -> None:
    if running.stdin is None:
        raise AssertionError("a pipe was asked for")
    running.stdin.write(json.dumps(line) + "\n")
    running.stdin.flush()


def _lines(running: subprocess.Popen[str]) -> IO[str]:
    if running.stdout is None:
        raise AssertionError("a pipe was asked for")
    return running.stdout


Told = tuple[dict[str, Any], float, dict[str, Any]]
"""A beat of the canary, when the load began, and the agent's last event."""


def _by_own_reads(server: MariaDB, events: Iterator[dict[str, Any]]) -> Told:
    """The probe itself floods the drive that the server reads from."""
    beat: dict[str, Any] = {}
    began_at, last = 0.0, {}
    for last in events:
        if last["event"] == "canary":
            beat = beat or last
        elif last["event"] == "point_started" and last["id"] == "heavy":
            began_at = time.monotonic()
        elif _steps_back(last):
            break
    if not began_at:
        raise Disturbed(last.get("message", str(last)))
    return beat, began_at, last


def _by_another_program(server: MariaDB, events: Iterator[dict[str, Any]]) -> Told:
    """Somebody else floods the drive while the probe is gentle."""
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder,
        _flood(folder) as begin,
    ):
        return _after_sign(events, begin)


def _by_a_lock(server: MariaDB, events: Iterator[dict[str, Any]]) -> Told:
    """Somebody locks the table that the canary reads."""
    user, password = BOSS
    with closing(
        pymysql.connect(unix_socket=server.socket, user=user, password=password)
    ) as holder:
        return _after_sign(events, lambda: holder.query("LOCK TABLES guarded.t WRITE"))


def _after_sign(events: Iterator[dict[str, Any]], begin: Callable[[], object]) -> Told:
    """Let the load begin once the canary has sung twice, and see how it ends."""
    beats: list[dict[str, Any]] = []
    for event in events:
        if event["event"] == "error":
            raise Disturbed(event["message"])
        if event["event"] == "canary":
            beats.append(event)
        if len(beats) == SONGS:
            break
    beat, last = beats[0], beats[-1]
    began_at = time.monotonic()
    begin()
    for event in events:
        last = event
        if _steps_back(event):
            break
    return beat, began_at, last


def _steps_back(event: dict[str, Any]) -> bool:
    """Whether the threads of the point have ended; otherwise the agent ends soon."""
    return event["event"] == "error" and not event["fatal"]


@contextmanager
def _flood(folder: str) -> Iterator[Callable[[], None]]:
    """An agent without a guard that waits for the sign to read with a thousand threads."""
    plan = {
        "protocol": agent.PROTOCOL,
        "file_sets": [{"id": "f", "directory": folder, "files": 1, "bytes_per_file": 64 << 20}],
        "points": [GENTLE | {"seconds": 0.1}],
        "more": True,
    }
    with _talking(plan) as other:
        for line in _lines(other):
            if json.loads(line)["event"] == "waiting":
                break
        # Nobody reads what it says from here on.
        drain = threading.Thread(target=lambda: [*_lines(other)])
        drain.start()
        try:
            yield lambda: _say(other, {"points": [HEAVY]})
        finally:
            other.kill()
            drain.join()


OWN = "the probe's own 1024 readers"
LOADS: dict[str, Callable[[MariaDB, Iterator[dict[str, Any]]], Told]] = {
    OWN: _by_own_reads,
    "another program's 1024 readers": _by_another_program,
    "a lock on the table": _by_a_lock,
}


if __name__ == "__main__":
    sys.exit(main())
