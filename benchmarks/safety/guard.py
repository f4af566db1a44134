"""Has a real load slow a real server down, and times how soon the guard stops the probe.

A second canary, no part of Leadline, sees when the server's reads pass the limit. The probe must
have stopped within a second of that in 95 of 100 trials, whether the guard has ended the point, as
it first does, or the whole plan; the status is 1 when it has not.
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
from typing import Any

import pymysql

from benchmarks.shared import agent
from benchmarks.shared.report import Bar, save_raw, status, sum_up
from probes.plans.plan import Guard
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb

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
FILE_BYTES = 64 << 20
GENTLE = agent.reads(1, 4096, QUIET_S, id="gentle", warmup_seconds=0.1)
HEAVY = agent.reads(1024, 65536, LOAD_S, id="heavy", warmup_seconds=0.1)

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


def main() -> int:
    """Try each kind of load in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    options = parser.parse_args()
    agent.build()
    trials: list[Trial] = []
    with private_mariadb(tls=False) as server:
        server.sql("CREATE DATABASE guarded")
        server.sql("CREATE TABLE guarded.t (id INT PRIMARY KEY, c CHAR(120) NOT NULL)")
        rows = f"SELECT seq, SHA2(seq, 256) FROM guarded.seq_1_to_{ROWS}"
        server.sql(f"INSERT INTO guarded.t {rows}")
        while len(trials) < options.trials:
            try:
                trials.append(_trial(server, [*LOADS][len(trials) % len(LOADS)]))
            except Disturbed as disturbed:
                print(f"Again: {disturbed}", flush=True)
            else:
                print(f"{len(trials)}: {trials[-1]}", flush=True)
    times = [trial.stopped_s for trial in trials if trial.stopped_s is not None]
    share = sum(each <= MOST_S for each in times) / len(trials)
    sum_up(
        "guard",
        f"{len(trials)} trials: {share:.0%} stopped within {MOST_S:g} s of the limit (at least "
        f"{LEAST_SHARE:.0%} are wanted)"
        + (f"; median {median(times):.2f} s, at most {max(times):.2f} s." if times else "."),
    )
    bar = Bar("share of trials stopped in time", share, LEAST_SHARE, at_least=True)
    save_raw("guard", {"limit_us": LIMIT_US, "trials": [*map(asdict, trials)]}, [bar])
    return status([bar])


def _plan(server: MariaDB, folder: str, *, heavy: bool) -> dict[str, object]:
    """A gentle point, and then one that nobody would measure on a busy server."""
    table = {"name": "t", "key": "id", "column": "c", "min": 1, "max": ROWS}
    account = {"user": BOSS[0], "password": BOSS[1], "tls": "off", "database": "guarded"}
    limits = {"added_us": LIMIT_US, "threads_running": 0, "row_lock_waits": 0, "step_backs": 1}
    times = {"end_seconds": GUARD.end_s, "recover_seconds": GUARD.recover_s}
    return {
        "file_sets": [agent.files(folder, FILE_BYTES)],
        "mysql": {
            "network": "unix",
            "address": server.socket,
            "tables": {"existing": table},
            **account,
        },
        "guard": {"table": "existing", "every_seconds": 0.1, **limits, **times},
        "points": [GENTLE, HEAVY] if heavy else [GENTLE | {"seconds": LOAD_S}],
    }


def _trial(server: MariaDB, load: str) -> Trial:
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder,
        _observed(server) as observer,
        agent.started(_plan(server, folder, heavy=load == OWN)) as process,
    ):
        beat, began_at, last = LOADS[load](server, map(json.loads, process.stdout or ()))
        stopped_at = time.monotonic()
        observer.kill()
        seen, _ = observer.communicate()
    baseline_us = float(beat["baseline_us"])
    passed_at = _passed_at(seen, began_at, (baseline_us + LIMIT_US) / 1e6, stopped_at)
    by_guard = passed_at is not None and last.get("code") == "guard"
    return Trial(
        load=load,
        baseline_us=baseline_us,
        passed_s=None if passed_at is None else round(passed_at - began_at, 3),
        stopped_s=round(stopped_at - passed_at, 3) if by_guard and passed_at else None,
        said=str(last.get("message", last)),
    )


def _passed_at(seen: str, began_at: float, limit_s: float, stopped_at: float) -> float | None:
    """When reads began to take too long: the first of three among five that are over the limit."""
    pairs = (line.partition(" ") for line in seen.splitlines())
    reads = [(float(first), float(last or stopped_at)) for first, _, last in pairs]
    slow = [ended - begun > limit_s for begun, ended in reads]
    for index, (begun, ended) in enumerate(reads):
        persists = sum(slow[index : index + 5]) >= 3 or ended - begun > 3 * limit_s
        if begun >= began_at and slow[index] and persists:
            return begun + limit_s
    return None


@contextmanager
def _observed(server: MariaDB) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", OBSERVER, server.socket, *BOSS, str(ROWS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as observer:
        try:
            yield observer
        finally:
            observer.kill()


Events = Iterator[dict[str, Any]]
Told = tuple[dict[str, Any], float, dict[str, Any]]
"""A beat of the canary, when the load began, and the agent's last event."""


def _by_own_reads(server: MariaDB, events: Events) -> Told:
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


def _by_another_program(server: MariaDB, events: Events) -> Told:
    """Somebody else floods the drive while the probe is gentle."""
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder,
        # An agent without a guard waits for the sign to read with a thousand threads.
        agent.session(folder, FILE_BYTES, GENTLE | {"seconds": 0.1}) as other,
    ):
        # Nobody hears what it says from here on.
        drain = threading.Thread(target=other.drain)
        drain.start()
        try:
            return _after_sign(events, lambda: other.send({"points": [HEAVY]}))
        finally:
            other.kill()
            drain.join()


def _by_a_lock(server: MariaDB, events: Events) -> Told:
    """Somebody locks the table that the canary reads."""
    user, password = BOSS
    with closing(
        pymysql.connect(unix_socket=server.socket, user=user, password=password)
    ) as holder:
        return _after_sign(events, lambda: holder.query("LOCK TABLES guarded.t WRITE"))


def _after_sign(events: Events, begin: Callable[[], object]) -> Told:
    """Let the load begin once the canary has sung twice, and see how it ends."""
    beats: list[dict[str, Any]] = []
    for event in events:
        if event["event"] == "error":
            raise Disturbed(event["message"])
        beats += [event] if event["event"] == "canary" else []
        if len(beats) == SONGS:
            break
    last, began_at = beats[-1], time.monotonic()
    begin()
    for last in events:
        if _steps_back(last):
            break
    return beats[0], began_at, last


def _steps_back(event: dict[str, Any]) -> bool:
    """Whether the threads of the point have ended; otherwise the agent ends soon."""
    return event["event"] == "error" and not event["fatal"]


OWN = "the probe's own 1024 readers"
LOADS: dict[str, Callable[[MariaDB, Events], Told]] = {
    OWN: _by_own_reads,
    "another program's 1024 readers": _by_another_program,
    "a lock on the table": _by_a_lock,
}
