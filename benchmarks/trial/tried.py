"""Trials of no effect, planted effects and harmful values: simulated, and on real servers."""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.shared.loaded_server import build_of
from benchmarks.trial import real, real_page
from benchmarks.trial.simulated import Cell, cells
from tests.servers.eleven import RunningServer

FILE = Path("benchmarks/trial/tried.jsonl")
PARTS = ("nothing", "planted", "worse", "harmful", "killed")
MOST_KEPT = 0.02
"""Of simulated trials without any effect."""

FOUND = 0.95
"""Of effects of 10 %, within the minutes that were named."""


def main() -> int:
    """1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100, help="simulated ones of each cell")
    parser.add_argument("--server", help="try on this real server instead, as mysql-8.0.33")
    parser.add_argument("--part", choices=PARTS, default="nothing", help="what, on a real server")
    parser.add_argument("--minutes", type=float, default=30.0, help="how long, on a real server")
    parser.add_argument("--rate", type=float, default=0.0, help="transactions/s; 0: as they come")
    parser.add_argument("--budget", default="5min", help="of each trial")
    parser.add_argument("--delay-us", type=int, default=2000, help="of a commit, where planted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, default=FILE, help="where results are appended")
    parser.add_argument("--page", action="store_true", help="write what the file holds into TRY.md")
    given = parser.parse_args()
    if given.page:
        real_page.written(given.file)
        return 0
    return _on_server(given) if given.server else _simulated(given.trials)


def _simulated(trials: int) -> int:
    print("| world | effect | kept | median pairs | of it within the minutes named | ends |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    missed, idle = [], [0, 0]
    for cell in cells(trials):
        ends = ", ".join(f"{name} {number}" for name, number in cell.ends.most_common())
        in_time = f"{cell.in_time / cell.trials:.0%}" if cell.gain > 0 else ""
        print(
            f"| {cell.world} | {cell.gain:+.0%} | {cell.kept / cell.trials:.0%} | "
            f"{cell.pairs:.0f} | {in_time} | {ends} |",
            flush=True,
        )
        missed += _missed(cell)
        if cell.gain == 0:
            idle = [idle[0] + cell.kept, idle[1] + cell.trials]
    if idle[0] > MOST_KEPT * idle[1]:
        missed.append(f"without any effect {idle[0]} of {idle[1]} were kept")
    for sentence in missed:
        print(f"Missed: {sentence}")
    return 1 if missed else 0


def _missed(cell: Cell) -> list[str]:
    where = f"{cell.world}, {cell.gain:+.0%}"
    if cell.gain < 0 and cell.kept:
        return [f"{where}: {cell.kept} kept"]
    if cell.gain >= 0.1 and cell.in_time / cell.trials < FOUND:
        return [f"{where}: {cell.in_time / cell.trials:.0%} found in time"]
    return []


def _on_server(given: argparse.Namespace) -> int:
    """Trials one after the other until the minutes are over; what came is kept at once."""
    chance = random.Random(given.seed)
    ends_s = time.monotonic() + 60 * given.minutes
    bad = 0
    with tempfile.TemporaryDirectory(prefix="leadline-try-") as home:
        os.environ["LEADLINE_HOME"] = home
        while time.monotonic() < ends_s:
            one = _chosen(given, chance)
            with real.at_work(build_of(given.server), one, given.rate) as server:
                for _ in range(5):
                    if time.monotonic() > ends_s:
                        break
                    result = _one(given, server, one, chance)
                    real.appended(given.file, [result | {"server": given.server}])
                    print(json.dumps(result), flush=True)
                    bad += not result.get("server_agrees", result.get("back"))
                    if result.get("verdict") == "kept":
                        break
    print(f"{bad} trials left the server other than they said; all are in {given.file}.")
    return 1 if bad else 0


def _one(
    given: argparse.Namespace, server: RunningServer, one: real.Try, chance: random.Random
) -> dict[str, object]:
    if given.part == "killed":
        return real.killed(server, one, chance)
    return real.carried_out(server, one, given.budget, chance.randrange(10_000))


def _chosen(given: argparse.Namespace, chance: random.Random) -> real.Try:
    family = "mariadb" if given.server.startswith("mariadb") else "mysql"
    chosen: dict[str, Callable[[], real.Try]] = {
        "nothing": lambda: real.NOTHING,
        "planted": lambda: real.planted(family, given.delay_us),
        "worse": lambda: real.worse(family, given.delay_us),
        "harmful": lambda: real.harmful(family, chance),
        "killed": lambda: real.NOTHING,
    }
    return chosen[given.part]()
