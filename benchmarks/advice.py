"""How much of the gain that a DBA's own lines bring the first plan of Leadline captures.

``make bench-advice``. A server with its defaults, data several times its buffer pool and a load of
sysbench: it is checked while it works, the plan is applied as it was exported (an option file and a
restart), and the load is run again, in turn with the defaults and with the hand-tuned lines. The
status is 1 when the plan captures less than ``LEAST_SHARE`` of the gain.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from report import HERE, machine, save_raw

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from probes.version import Flavour  # noqa: E402 - the path comes first
from tests.servers.eleven import RunningServer, ServerBuild, servers  # noqa: E402

SERVERS = ("mysql-8.0.33", "mariadb-installed")
LOADS = ("read_write", "read_only", "write_only")
SCHEMA = "sbtest"
TABLES, ROWS = 4, 1_000_000
"""About 1 GB of data: eight times the pool that a server of either family has by default."""

THREADS = 16
WARM_S, MEASURED_S = 15, 20
"""A larger pool is filled first: the gain is that of a server that has been running."""

CHECK_S = 600
"""The load's longest life while the check looks on; it is ended with the check."""

ROUNDS = 3
LEAST_SHARE = 0.9

DONE, STOPPED = 0, 4
"""The program's exit codes for a run to its end, and for one that its guard stopped: a server at
work may well not tolerate a probe, and has its advice all the same."""

CHECK = ("check", "--plan", "quick")
LOOK = ("watch", "--seconds", "30")
"""How the advice comes about."""

BEFORE, PLAN, HAND = "defaults", "plan", "by hand"

_REPORTED = re.compile(r"^\[ (\d+)s \].* tps: ([\d.]+)", re.MULTILINE)


@dataclass(frozen=True)
class Round:
    """One run of the load: transactions per second by configuration."""

    number: int
    tps: dict[str, float]

    @property
    def captured(self) -> float:
        """The share of the hand-tuned gain that the plan brought in this round."""
        gain = self.tps[HAND] - self.tps[BEFORE]
        return (self.tps[PLAN] - self.tps[BEFORE]) / gain if gain > 0 else float("nan")


@dataclass(frozen=True)
class Trial:
    """What was advised on one server under one load, and what it brought.

    ``command`` is how Leadline was asked. ``advised`` are the settings of the recommendations in
    their order, ``lines`` those of the exported option file.
    """

    server: str
    load: str
    command: str
    advised: list[str]
    lines: list[str]
    by_hand: list[str]
    rounds: list[Round]

    def middle(self, name: str) -> float:
        """The median of one configuration's transactions per second."""
        return median(round_.tps[name] for round_ in self.rounds)

    @property
    def captured(self) -> float:
        """The share of the gain, by the medians."""
        before, plan, hand = (self.middle(name) for name in (BEFORE, PLAN, HAND))
        return (plan - before) / (hand - before)


def main() -> int:
    """Try every server under every load that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    known = {build.name: build for build in servers()}
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=f"of {', '.join(known)}")
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=["read_write"])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument(
        "--watch", action="store_true", help="look at the server's own work alone, with no load"
    )
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    chosen = parser.parse_args()
    if unknown := set(chosen.servers) - set(known):
        parser.error(f"no such server: {', '.join(sorted(unknown))}")
    trials = []
    for name in chosen.servers or SERVERS:
        with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=chosen.directory) as folder:
            place = _Place(known[name], Path(folder))
            place.fill()
            for load in chosen.loads:
                trials.append(_tried(place, load, chosen.rounds, LOOK if chosen.watch else CHECK))
                _keep(trials)
    return 0 if all(trial.captured >= LEAST_SHARE for trial in trials) else 1


@dataclass(frozen=True)
class _Place:
    """A server's data directory, which every configuration is started on in turn."""

    build: ServerBuild
    directory: Path

    @contextmanager
    def started(self, lines: Sequence[str], temporary: Path) -> Iterator[RunningServer]:
        """Start it with an option file of these lines."""
        file = temporary / "my.cnf"
        file.write_text("\n".join(["[mysqld]", f"tmpdir={temporary}", *lines, ""]))
        with self.build.start_in(self.directory, cnf_path=file) as server:
            yield server

    def fill(self) -> None:
        """Make the tables."""
        with (
            tempfile.TemporaryDirectory() as temporary,
            self.started(_FILLING, Path(temporary)) as server,
        ):
            server.sql(f"CREATE DATABASE {SCHEMA}")
            _sysbench(server.socket, "read_write", "--threads=2", "prepare").communicate()

    def by_hand(self) -> list[str]:
        """What a DBA writes: a pool for all data, no second copy of it in memory, more redo."""
        redo = "innodb_log_file_size = 2G"
        if self.build.version.at_least(Flavour.MYSQL, 8, 0, 30):
            redo = "innodb_redo_log_capacity = 2G"
        return ["innodb_buffer_pool_size = 4G", "innodb_flush_method = O_DIRECT", redo]


_FILLING = ("innodb_buffer_pool_size = 1G", "innodb_flush_log_at_trx_commit = 2")


def _tried(place: _Place, load: str, rounds: int, command: Sequence[str]) -> Trial:
    advised, lines = _advice(place, load, command)
    ways = {BEFORE: [], PLAN: lines, HAND: place.by_hand()}
    print(f"{place.build.name}, {load}: {', '.join(advised)}", flush=True)
    for line in lines:
        print(f"    {line}", flush=True)
    found = []
    for number in range(rounds):
        names = list(ways)[number % 3 :] + list(ways)[: number % 3]
        tps = {name: _measured(place, load, ways[name]) for name in names}
        found.append(Round(number, {name: tps[name] for name in ways}))
        print(f"    round {number + 1}: {found[-1].tps}", flush=True)
    how = " ".join(command)
    trial = Trial(place.build.name, load, how, advised, lines, ways[HAND], found)
    print(f"    captured: {trial.captured:.0%}", flush=True)
    return trial


def _advice(place: _Place, load: str, command: Sequence[str]) -> tuple[list[str], list[str]]:
    """Check the server with its defaults while it works; what is recommended, and the lines."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        place.started([], Path(temporary)) as server,
        _running(server.socket, load),
    ):
        home = Path(temporary) / "leadline"
        target = ["local", "--mysql", f"socket={server.socket},user=root"]
        name, *options = command
        document = json.loads(_leadline(home, name, *target, *options, "--json"))
        lines = _leadline(home, "advise", "1", "--cnf")
    judged = document["recommendations"]
    advised = [f"{one['rule']} ({one['verdict']})" for one in judged if one["verdict"] != "fine"]
    settings = [line for line in lines.splitlines() if line and line[0] not in "#["]
    return advised, settings


def _measured(place: _Place, load: str, lines: Sequence[str]) -> float:
    """The mean of transactions per second once the pool is filled."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        place.started(lines, Path(temporary)) as server,
    ):
        seconds = f"--time={WARM_S + MEASURED_S}"
        running = _sysbench(server.socket, load, seconds, "--report-interval=1", "run")
        said, _ = running.communicate()
    rates = [float(tps) for second, tps in _REPORTED.findall(said) if int(second) > WARM_S]
    if len(rates) < MEASURED_S / 2:
        sys.exit(f"sysbench told too little of {place.build.name}: {said[-1000:]}")
    return sum(rates) / len(rates)


@contextmanager
def _running(socket: str, load: str) -> Iterator[None]:
    load_process = _sysbench(socket, load, f"--time={CHECK_S}", "run")
    try:
        yield
    finally:
        load_process.terminate()
        load_process.communicate()


def _sysbench(socket: str, load: str, *arguments: str) -> subprocess.Popen[str]:
    threads = () if any(one.startswith("--threads") for one in arguments) else (f"{THREADS}",)
    argv = [
        "sysbench",
        f"oltp_{load}",
        f"--mysql-socket={socket}",
        "--mysql-user=root",
        f"--mysql-db={SCHEMA}",
        f"--tables={TABLES}",
        f"--table-size={ROWS}",
        *(f"--threads={count}" for count in threads),
        *arguments,
    ]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)


def _leadline(home: Path, *args: str) -> str:
    """The program as users start it; what it printed."""
    environment = os.environ | {"LEADLINE_HOME": str(home)}
    argv = [sys.executable, "-m", "app", *args]
    done = subprocess.run(
        argv, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in (DONE, STOPPED):
        sys.exit(f"leadline {args[0]} ended with {done.returncode}.")
    return done.stdout


def _keep(trials: Sequence[Trial]) -> None:
    facts = machine()
    document = {
        "machine": facts,
        "trials": [
            asdict(trial)
            | {
                "medians": {name: trial.middle(name) for name in (BEFORE, PLAN, HAND)},
                "captured": trial.captured,
                "captured_by_round": [round_.captured for round_ in trial.rounds],
            }
            for trial in trials
        ],
    }
    save_raw("advice", document)
    (HERE / "ADVICE.md").write_text(_page(trials, facts), encoding="utf-8")


def _page(trials: Sequence[Trial], facts: dict[str, str]) -> str:
    lines = [
        "# What the first plan brings on a loaded server",
        "",
        "Written by `make bench-advice`; it leaves every round in build/bench/advice.json.",
        "",
        *(f"- {name}: {value}" for name, value in facts.items()),
        "",
        f"A server with its defaults, {TABLES} tables of {ROWS:,} rows, {THREADS} connections of "
        "sysbench. Beside that load Leadline is asked, the plan is "
        "exported as an option file, and the load is run again after a restart: defaults, plan and "
        f"hand-tuned lines in turn, {MEASURED_S} s each after {WARM_S} s in which the pool fills. "
        "Changes of the machine itself are left out. Transactions per second are medians over the "
        "rounds, with their lowest and highest; captured is the plan's share of the hand-tuned "
        "gain.",
        "",
        "| server | load | asked by | defaults | plan | by hand | captured | in the rounds |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for trial in trials:
        shares = sorted(round_.captured for round_ in trial.rounds)
        cells = [trial.server, trial.load, f"`leadline {trial.command}`"]
        cells += [*(_spread(trial, n) for n in (BEFORE, PLAN, HAND))]
        cells += [f"{trial.captured:.0%}", f"{shares[0]:.0%} to {shares[-1]:.0%}"]
        lines.append(f"| {' | '.join(cells)} |")
    for trial in trials:
        lines += ["", f"## {trial.server}, {trial.load}", "", "Advised, in this order:", ""]
        lines += [f"- {one}" for one in trial.advised]
        lines += ["", "```ini", *trial.lines, "```", "", "By hand:", ""]
        lines += ["```ini", *trial.by_hand, "```"]
    return "\n".join(lines) + "\n"


def _spread(trial: Trial, name: str) -> str:
    rates = [round_.tps[name] for round_ in trial.rounds]
    return f"{trial.middle(name):.0f} ({min(rates):.0f} to {max(rates):.0f})"


if __name__ == "__main__":
    sys.exit(main())
