"""How much of the gain that a DBA's own lines bring the first plan of Leadline captures.

A server with its defaults, data several times its buffer pool and a load of sysbench: it is checked
while it works, the plan is applied as it was exported (an option file and a restart), and the load
is run again, in turns of seconds with the defaults, with the hand-tuned lines, and with what
MySQLTuner says where that is at hand. It can be run in pieces: checks and rates are kept, and only
what is missing is measured. The status is 1 while anything is missing, or where the plan captures
less than ``LEAST_SHARE`` of the gain, or makes it slower where nothing is gained, or where
forecasts of all measured cases lie beyond the bars of the page.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.advice.alternating import one_round, p95_us, side_by_side
from benchmarks.advice.cases import (
    HAND,
    LEAST_GAIN,
    PLAN,
    TUNER,
    Advised,
    Case,
    Kept,
    Pieces,
)
from benchmarks.advice.mysqltuner import advised_lines
from benchmarks.advice.page import held, summary, write_page
from benchmarks.shared.loaded_server import Place, Tables, build_of, leadline, target
from probes.version import Flavour
from tests.servers.eleven import ServerBuild, servers

SERVERS = ("mysql-8.0.33", "mariadb-installed", "mysql-unstable", "mysql-5.6.14")
"""Of the eleven; mysql-unstable is MySQL 9.7 or newer."""
LOADS = ("read_write", "read_only", "write_only")
TABLES, ROWS = 4, 1_000_000
"""About 1 GB of data: eight times the pool that a server of either family has by default."""

THREADS = 16
WARM_S, TURNS, TURN_S = 15, 4, 2
"""Of each configuration. A larger pool is filled first: the gain is that of a server that has been
running. A round has so many turns of each."""

ROUNDS_OF_A_START = 5
"""Servers differ from start to start by more than their lines: on MySQL 5.6
innodb_flush_neighbors = 0 gave 1.15 and 0.92 times the rate in two starts, and 0.99 (+-0.03) where
it was switched in one server, in turns. So they are started anew after so many rounds, in another
order."""

ROUNDS = 10
LEAST_SHARE = 0.95
CHECK, LOOK = "check --plan quick", "watch --seconds 30"
"""How the advice comes about."""


def main() -> int:
    """Measure what is missing of what was asked for, and write the page from all that is there."""
    chosen = _arguments()
    # Ended politely, it leaves no frozen server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    kept, asked = Kept(), LOOK if chosen.watch else CHECK
    size = (
        f"{TABLES} x {chosen.rows}, read once, warmed {chosen.warm} s, "
        f"rounds of {chosen.turns} x {chosen.seconds} s"
    )
    cases = [Case(name, load, asked, size) for name in chosen.servers for load in chosen.loads]
    ends = time.monotonic() + chosen.minutes * 60
    for name in dict.fromkeys(case.server for case in cases):
        with _place(chosen, name) as place:
            for case in (each for each in cases if each.server == name):
                _Trial(place, case, kept, chosen).run(ends)
                write_page(kept, cases, chosen.rounds)
    shown = write_page(kept, cases, chosen.rounds)
    print("\n".join(summary(shown)))
    passed = all(_passes(each, chosen.rounds) for each in shown if each.case in cases)
    return 0 if passed and not any(each.missed for each in held(shown)) else 1


def _passes(pieces: Pieces, rounds: int) -> bool:
    whole = pieces.advised is not None and not pieces.missing(rounds)
    enough = pieces.captured(PLAN) >= LEAST_SHARE
    return whole and (enough if pieces.gains else pieces.times(PLAN) >= 1 - LEAST_GAIN)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    known = [build.name for build in servers()]
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=f"of {', '.join(known)}")
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=["read_write"])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many there shall be in all")
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="begin nothing after this; go on another time"
    )
    parser.add_argument(
        "--take", action="store_true", help="measure nothing, write the page from what is there"
    )
    parser.add_argument(
        "--watch", action="store_true", help="look at the server's own work alone, with no load"
    )
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    parser.add_argument(
        "--keep-data", action="store_true", help="leave the filled tables there for the next piece"
    )
    parser.add_argument("--rows", type=int, default=ROWS, help="of each table")
    parser.add_argument("--warm", type=int, default=WARM_S, help="seconds before the first turn")
    parser.add_argument("--turns", type=int, default=TURNS, help="of each round")
    parser.add_argument("--seconds", type=int, default=TURN_S, help="of each turn")
    chosen = parser.parse_args()
    chosen.servers = chosen.servers or [name for name in SERVERS if name in known][:2]
    if unknown := set(chosen.servers) - set(known):
        parser.error(f"no such server: {', '.join(sorted(unknown))}")
    return chosen


@contextmanager
def _place(chosen: argparse.Namespace, name: str) -> Iterator[Place]:
    build, tables = build_of(name), Tables(TABLES, chosen.rows)
    if chosen.keep_data:
        folder = Path(chosen.directory) / f"leadline-bench-{name}"
        folder.mkdir(exist_ok=True)
        yield Place(build, folder, tables)
        return
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=chosen.directory) as temporary:
        yield Place(build, Path(temporary), tables)


class _Trial:
    """One case: what is advised, and what each configuration gives."""

    def __init__(self, place: Place, case: Case, kept: Kept, chosen: argparse.Namespace) -> None:
        self._place, self._case, self._kept, self._chosen = place, case, kept, chosen
        self._load = f"oltp_{case.load}"

    def run(self, ends: float) -> None:
        """Measure what is missing, until the time is up."""
        if self._kept.checked(self._case):
            _advise(self._kept, self._case, self._place.build)
        advised = self._kept.pieces(self._case).advised
        if self._chosen.take or (advised is not None and not self._missing):
            return
        self._place.fill()
        if advised is None:
            if time.monotonic() > ends:
                return
            self._check()
            advised = _advise(self._kept, self._case, self._place.build)
        print(f"{self._case.server}, {self._case.load}", flush=True)
        for position, action in enumerate(advised.plan, 1):
            print(f"    {position}. {action}")
        for arm in (PLAN, HAND, TUNER):
            for line in advised.arms.get(arm, []):
                print(f"    {arm}: {line}", flush=True)
        while self._missing and time.monotonic() < ends:
            self._rounds(advised, ends)

    def _rounds(self, advised: Advised, ends: float) -> None:
        """Start all configurations, and measure some of the rounds that are missing."""
        missing = [*self._missing.items()][:ROUNDS_OF_A_START]
        # What starts first may get other memory: each time it is another one.
        arms = {arm: advised.arms[arm] for arm in missing[0][1]}
        with side_by_side(self._place, arms, self._load, THREADS, self._chosen.warm) as working:
            for number, order in missing:
                if time.monotonic() > ends:
                    return
                found = one_round(working, order, self._chosen.turns, self._chosen.seconds)
                for arm, done in found.items():
                    late_us = p95_us(done.queries)
                    figures = {"tps": done.tps, "client_p95_us": late_us}
                    self._kept.add_rate(self._case, number, arm, arms[arm], **figures)
                    print(
                        f"    round {number + 1}, {arm}: {done.tps:.0f} transactions/s, "
                        f"95 of 100 queries within {late_us:.0f} us",
                        flush=True,
                    )

    @property
    def _missing(self) -> dict[int, list[str]]:
        return self._kept.pieces(self._case).missing(self._chosen.rounds)

    def _check(self) -> None:
        """Look at the server with its defaults while it works, and has for a while."""
        home = self._kept.folder(self._case) / "home"
        # What was begun and not ended is no check.
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        with (
            self._place.started_and_read(self._load) as server,
            self._place.running(server, self._load, f"--threads={THREADS}", "--time=7200"),
        ):
            time.sleep(self._chosen.warm)
            name, *options = self._case.asked.split()
            leadline(home, name, *target(server), *options, "--json")
            tuner = advised_lines(server.socket)
        refused = "" if tuner is None else self._place.refusal(tuner)
        told = "\n".join(tuner or ()) if refused else ""
        self._kept.add_check(self._case, None if refused else tuner, told)


def _advise(kept: Kept, case: Case, build: ServerBuild) -> Advised:
    """What this product says of a check; it is asked once."""
    known = kept.pieces(case).advised
    if known is not None:
        return known
    home = kept.folder(case) / "home"
    planned = json.loads(leadline(home, "advise", "1", "--json"))
    lines = leadline(home, "advise", "1", "--cnf").splitlines()
    forecast = json.loads(leadline(home, "forecast", "1", "--plan", "--json"))
    actions = planned["change_plan"]["actions"]
    done = {rule for action in actions for rule in action["rules"]}
    judged = [one for one in planned["recommendations"] if one["verdict"] != "fine"]
    tuner, refused = kept.tuner(case)
    advised = Advised(
        [_said(action) for action in actions if action["group"] != "look"],
        [line for line in lines if line and line[0] not in "#["],
        [f"{one['rule']} ({one['verdict']})" for one in judged if one["rule"] not in done],
        _by_hand(build),
        tuner,
        forecast["times"],
        refused,
        _late(forecast),
    )
    kept.add_advice(case, advised)
    return advised


def _late(forecast: dict[str, Any]) -> dict[str, float]:
    """How many times today's 95th percentile of queries' times the model expects: with its ends."""
    now, then = (forecast[when]["p95_us"] for when in ("now", "then"))
    return {end: then[end] / now["value"] for end in then} if now and then else {}


def _said(action: dict[str, Any]) -> str:
    """One step of the plan: what is set or done, and which rules asked for it."""
    step, rules = action["step"], ", ".join(action["rules"])
    done = f"{step['name']} = {action['shows']}" if action["shows"] else step.get("what", "")
    return f"{done or step['kind']} ({rules})"


def _by_hand(build: ServerBuild) -> list[str]:
    """What a DBA writes: a pool for all data, no second copy of it in memory, more redo."""
    redo = "innodb_log_file_size = 2G"
    if build.version.at_least(Flavour.MYSQL, 8, 0, 30):
        redo = "innodb_redo_log_capacity = 2G"
    return ["innodb_buffer_pool_size = 4G", "innodb_flush_method = O_DIRECT", redo]
