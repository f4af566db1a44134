"""How much of the gain that a DBA's own lines bring the first plan of Leadline captures.

``make bench-advice``. A server with its defaults, data several times its buffer pool and a load of
sysbench: it is checked while it works, the plan is applied as it was exported (an option file and a
restart), and the load is run again, in turn with the defaults, with the hand-tuned lines, and with
what MySQLTuner says where that is at hand. It can be run in pieces: each rate is kept as soon as it
is there, and only what is missing is measured. The status is 1 while anything is missing, or where
the plan captures less than ``LEAST_SHARE`` of the gain, or makes it slower where nothing is gained.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from advice_kept import HAND, PLAN, TUNER, Advised, Case, Kept, Pieces
from advice_page import write_page
from loaded_server import Place, Tables, leadline, target
from mysqltuner import advised_lines
from query_times import QueryTimes

from probes.version import Flavour
from tests.servers.eleven import servers

SERVERS = ("mysql-8.0.33", "mariadb-installed", "mysql-unstable", "mysql-5.6.14")
"""Of the eleven; mysql-unstable is MySQL 9.7 or newer."""
LOADS = ("read_write", "read_only", "write_only")
TABLES, ROWS = 4, 1_000_000
"""About 1 GB of data: eight times the pool that a server of either family has by default."""

THREADS = 16
WARM_S, MEASURED_S = 15, 20
"""A larger pool is filled first: the gain is that of a server that has been running."""

CHECK_S = 600
"""The load's longest life while the check looks on; it is ended with the check."""

ROUNDS = 3
LEAST_SHARE = 0.9

CHECK = ("check", "--plan", "quick")
LOOK = ("watch", "--seconds", "30")
"""How the advice comes about."""

_REPORTED = re.compile(r"^\[ (\d+)s \].* tps: ([\d.]+)", re.MULTILINE)


def main() -> int:
    """Measure what is missing of what was asked for, and write the page from all that is there."""
    chosen = _arguments()
    kept, asked = Kept(), " ".join(LOOK if chosen.watch else CHECK)
    size = f"{TABLES} x {chosen.rows}, warmed, {chosen.warm} + {chosen.seconds} s"
    cases = [Case(name, load, asked, size) for name in chosen.servers for load in chosen.loads]
    ends = time.monotonic() + chosen.minutes * 60
    if not chosen.take:
        for name in dict.fromkeys(case.server for case in cases):
            with _place(chosen, name) as place:
                for case in (each for each in cases if each.server == name):
                    _Trial(place, case, kept, chosen).run(ends)
                    write_page(kept, cases, chosen.rounds)
    found = write_page(kept, cases, chosen.rounds)
    return 0 if all(_passes(each, chosen.rounds) for each in found) else 1


def _passes(pieces: Pieces, rounds: int) -> bool:
    whole = pieces.advised is not None and not pieces.missing(rounds)
    enough = pieces.captured(PLAN) >= LEAST_SHARE if pieces.gains else pieces.keeps(PLAN)
    return whole and enough


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
    parser.add_argument("--warm", type=int, default=WARM_S, help="seconds before each measurement")
    parser.add_argument("--seconds", type=int, default=MEASURED_S, help="of each measurement")
    chosen = parser.parse_args()
    chosen.servers = chosen.servers or [name for name in SERVERS if name in known][:2]
    if unknown := set(chosen.servers) - set(known):
        parser.error(f"no such server: {', '.join(sorted(unknown))}")
    return chosen


@contextmanager
def _place(chosen: argparse.Namespace, name: str) -> Iterator[Place]:
    build = next(build for build in servers() if build.name == name)
    tables = Tables(TABLES, chosen.rows)
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

    def run(self, ends: float) -> None:
        """Measure what is missing, until the time is up."""
        pieces = self._pieces()
        if pieces.advised is not None and not pieces.missing(self._chosen.rounds):
            return
        self._place.fill()
        if pieces.advised is None:
            if time.monotonic() > ends:
                return
            self._kept.add_advice(self._case, self._asked())
            pieces = self._pieces()
        advised = pieces.advised
        assert advised is not None
        self._say(advised)
        for number, arm in pieces.missing(self._chosen.rounds):
            if time.monotonic() > ends:
                return
            tps, p95_us = self._measured(advised.arms[arm])
            self._kept.add_rate(self._case, number, arm, tps, p95_us)
            late = "" if p95_us is None else f", 95 of 100 queries within {p95_us:.0f} us"
            print(f"    round {number + 1}, {arm}: {tps:.0f} transactions/s{late}", flush=True)

    def _pieces(self) -> Pieces:
        return self._kept.pieces().get(self._case, Pieces(self._case))

    def _say(self, advised: Advised) -> None:
        print(f"{self._case.server}, {self._case.load}", flush=True)
        for position, action in enumerate(advised.plan, 1):
            print(f"    {position}. {action}")
        for arm in (PLAN, HAND, TUNER):
            for line in advised.arms.get(arm, []):
                print(f"    {arm}: {line}", flush=True)

    def _asked(self) -> Advised:
        """Ask about the server with its defaults while it works."""
        with (
            tempfile.TemporaryDirectory() as temporary,
            self._place.started() as server,
            self._place.running(server, self._script, *self._options(CHECK_S)),
        ):
            home = Path(temporary)
            name, *options = self._case.asked.split()
            leadline(home, name, *target(server), *options, "--json")
            planned = json.loads(leadline(home, "advise", "1", "--json"))
            lines = leadline(home, "advise", "1", "--cnf")
            forecast = json.loads(leadline(home, "forecast", "1", "--plan", "--json"))
            tuner = advised_lines(server.socket)
        refused = "" if tuner is None else self._place.refusal(tuner)
        actions = planned["change_plan"]["actions"]
        done = {rule for action in actions for rule in action["rules"]}
        judged = [one for one in planned["recommendations"] if one["verdict"] != "fine"]
        return Advised(
            [_said(action) for action in actions if action["group"] != "look"],
            [line for line in lines.splitlines() if line and line[0] not in "#["],
            [f"{one['rule']} ({one['verdict']})" for one in judged if one["rule"] not in done],
            _by_hand(self._place),
            None if refused else tuner,
            forecast["times"],
            "\n".join(tuner or ()) if refused else "",
            _late(forecast),
        )

    @property
    def _script(self) -> str:
        return f"oltp_{self._case.load}"

    def _options(self, seconds: int) -> tuple[str, ...]:
        return (f"--threads={THREADS}", f"--time={seconds}")

    def _measured(self, lines: Sequence[str]) -> tuple[float, float | None]:
        """Once the pool is filled: the mean of transactions per second, and queries' p95."""
        warm_s, seconds = self._chosen.warm, self._chosen.seconds
        options = (*self._options(warm_s + seconds), "--report-interval=1", "run")
        # What the configuration before had in its pool is not to be found in this one's.
        self._place.forget_pool()
        with self._place.started(lines) as server:
            self._place.sysbench(server, self._script, "prewarm").communicate()
            histogram = QueryTimes(server)
            working = self._place.sysbench(server, self._script, *options)
            time.sleep(warm_s)
            histogram.begin()
            said, _ = working.communicate()
            p95_us = histogram.p95_us()
        rates = [float(tps) for second, tps in _REPORTED.findall(said) if int(second) > warm_s]
        if len(rates) < seconds / 2:
            sys.exit(f"sysbench told too little of {self._case.server}: {said[-1000:]}")
        return sum(rates) / len(rates), p95_us


def _late(forecast: dict[str, Any]) -> dict[str, float]:
    """How many times today's 95th percentile of queries' times the model expects: with its ends."""
    now, then = (forecast[when]["p95_us"] for when in ("now", "then"))
    return {end: then[end] / now["value"] for end in then} if now and then else {}


def _said(action: dict[str, Any]) -> str:
    """One step of the plan: what is set or done, and which rules asked for it."""
    step, rules = action["step"], ", ".join(action["rules"])
    done = f"{step['name']} = {action['shows']}" if action["shows"] else step.get("what", "")
    return f"{done or step['kind']} ({rules})"


def _by_hand(place: Place) -> list[str]:
    """What a DBA writes: a pool for all data, no second copy of it in memory, more redo."""
    redo = "innodb_log_file_size = 2G"
    if place.build.version.at_least(Flavour.MYSQL, 8, 0, 30):
        redo = "innodb_redo_log_capacity = 2G"
    return ["innodb_buffer_pool_size = 4G", "innodb_flush_method = O_DIRECT", redo]


if __name__ == "__main__":
    sys.exit(main())
