"""What the window costs: its start, what users do in it, a tick in its list of a thousand runs.

CPU time holds on a busy computer too, within a third. Each round is a process of its own, off
screen; a round before the first start compiles what is new. ``--against TREE`` measures another
checkout in turn with this one, in the same rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import NamedTuple

from PySide6.QtCore import QSettings

from advisor.fleet.server_row import ServerRow
from advisor.runs.requests import CheckRequest
from advisor.store.store import Store
from benchmarks.shared.report import PAGES, ROOT, Bar, machine, status, table
from benchmarks.window.first_frame import ALL_PAGES, FIRST, LISTED
from benchmarks.window.reading import GROWN, HELP, PREVIEW
from probes.cancel import CancelToken
from probes.plans.plan import PlanName
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.app.window.replay import Replay
from tests.fleets import kept_rows

RUNS = 1000
CURVES = 50
"""Beside each other in one chart, far more than a comparison has."""

SERVERS = 12
"""That are listed where a window was left with all servers."""

START_BARS = {FIRST: 800.0, LISTED: 800.0, ALL_PAGES: 2000.0}
USE_BARS = {
    "page change": 60.0,
    "a run of 100 points and more opened": 80.0,
    f"the sidebar filled with {RUNS:,} runs": 150.0,
    f"Compare opened with {RUNS:,} runs": 150.0,
    "theme switched": 300.0,
    "longest turn when a rule is chosen": 16.0,
    "longest turn of a page change": 16.0,
    "longest turn of a run ticked in Compare": 16.0,
    f"{CURVES} curves drawn": 20.0,
    "an update of What if, all threads": 1000 / 30,
    "live run, % of a core": 10.0,
    "resident, MiB": 200.0,
    HELP: 16.0,
    PREVIEW: 200.0,
    GROWN: 10.0,
}
WORDS_BEFORE = {
    "Home": 294,
    "Watch": 305,
    "Measure": 333,
    "Measure, before a run": 681,
    "Advice": 887,
    "Change plan": 731,
    "Another version": 194,
    "Compare, before a choice": 522,
    "Compare": 357,
    "What if": 106,
}
"""What the pages had before they were cut, by the same counter."""

WORDS_BARS = {name: 2 / 3 * count for name, count in WORDS_BEFORE.items()}
COMPARE_BARS = {"tick the first run": 50.0}
"""The most that each may take, in milliseconds where it says nothing else."""


class Part(NamedTuple):
    """A part of it: its rounds and bars, what its figures are, its section of the page."""

    rounds: int
    bars: Mapping[str, float]
    said: str
    title: str = ""


THREAD = "CPU ms of the window's thread, median of {}"
PARTS = {
    "start": Part(9, START_BARS, "Median of {} starts; CPU is that of all threads", "Its start"),
    "use": Part(5, USE_BARS, THREAD, "What users do in it"),
    "compare": Part(9, COMPARE_BARS, THREAD),
    "words": Part(
        1,
        WORDS_BARS,
        "Words on a page of the sample; the bar is two thirds of what it had",
        "Its words",
    ),
}

COMMANDS = {"leadline --help": ["--help"], "leadline runs": ["runs"]}
"""Those that must not become slower for the window's sake."""

CHILDREN = ("raw_answers", "conditions", "points")
_SECTION = "\n## "
_CHILD = """
import sys
here, tree, module, *given = sys.argv[1:]
sys.path.insert(0, here)
called = __import__(module, fromlist=["main"])
sys.path.insert(0, tree)
called.main(*given)
"""
"""Runs a module of this tree's benchmarks over the window of another."""

Figures = dict[str, float]
"""CPU milliseconds of the window's thread, where it says nothing else, by action."""


def main() -> int:
    """Write WINDOW.md, or print one part; the status is 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--against", type=Path, default=None, metavar="TREE")
    parser.add_argument("--runs", type=int, default=RUNS, help="that the store holds")
    parser.add_argument("--part", choices=PARTS, help="default: start, use, then words")
    asked = parser.parse_args()
    names = [asked.part] if asked.part else ["start", "use", "words"]
    return status(bar for name in names for bar in _measure(name, PARTS[name], asked))


def _measure(name: str, part: Part, asked: argparse.Namespace) -> list[Bar]:
    """Measure, print, and write a section of the page; the bars of this tree."""
    # Words are counted, and not measured: once is enough.
    rounds = part.rounds if name == "words" else asked.rounds or part.rounds
    starts = name == "start"
    trees = [ROOT, *([asked.against.resolve()] if asked.against else [])]
    found: list[list[Figures]] = [[] for _ in trees]
    with tempfile.TemporaryDirectory(prefix="leadline-window-") as folder:
        # A home each: another checkout may know an older database alone.
        homes = [Path(folder) / str(number) for number, _ in enumerate(trees)]
        for home in homes:
            home.mkdir()
            if name in ("use", "compare"):
                fill(home / "runs.sqlite3", asked.runs, longer=name == "use")
        for at in range(rounds + starts):
            for tree, home, figures in zip(trees, homes, found, strict=True):
                one = _round(name, tree, home)
                if at or not starts:
                    figures.append(one)
    lines = [part.said.format(rounds), "", *_rows(found, part.bars, 0 if starts else 1)]
    print("\n".join(lines))
    if asked.against is None and part.title:
        _write_section(part.title, lines)
    medians = {name: median(one[name] for one in found[0]) for name in found[0][0]}
    return [Bar(name, medians[name], most) for name, most in part.bars.items() if name in medians]


def _round(part: str, tree: Path, home: Path) -> Figures:
    if part == "words":
        return _child(tree, home, "benchmarks.window.words")
    return _start(tree, home) if part == "start" else _walk(tree, home, part)


def _start(tree: Path, home: Path) -> Figures:
    """One start of the window of ``tree``, and CPU milliseconds of some commands."""
    found = _child(tree, home, "benchmarks.window.first_frame")
    servers = home / "servers"
    if not servers.is_dir():
        servers.mkdir()
        fill_servers(servers)
    listed = _child(tree, servers, "benchmarks.window.first_frame")
    found |= {LISTED: listed[LISTED]} if LISTED in listed else {}
    for name, given in COMMANDS.items():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _run(tree, home, ["-m", "app", *given])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found[f"{name}, CPU ms"] = 1000 * spent
    return found


def _walk(tree: Path, home: Path, part: str) -> Figures:
    return _child(tree, home, "benchmarks.window.walk", str(home / "runs.sqlite3"), part)


def _child(tree: Path, home: Path, module: str, *given: str) -> Figures:
    said = _run(tree, home, ["-c", _CHILD, str(ROOT), str(tree), module, *given])
    figures: Figures = json.loads(said.splitlines()[-1])
    return figures


def _run(tree: Path, home: Path, given: Sequence[str]) -> str:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    here = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(tree), "LEADLINE_HOME": str(home)}
    return subprocess.run(
        [sys.executable, *given],
        env=kept | here,
        cwd=tree,
        check=True,
        stdout=subprocess.PIPE,
        timeout=1800,
        text=True,
    ).stdout


def _rows(found: list[list[Figures]], bars: Mapping[str, float], decimals: int) -> Iterator[str]:
    """For each figure the most that it may be, and its median in each checkout."""
    cells = (
        (
            name,
            f"{bars[name]:g}" if name in bars else "",
            *(f"{median(one[name] for one in rounds):.{decimals}f}" for rounds in found),
        )
        for name in found[0][0]
    )
    yield from table(("what", "bar", *("here", "against")[: len(found)]), cells)


def _write_section(title: str, lines: Sequence[str]) -> None:
    """Put ``lines`` under a title of WINDOW.md, in place of what stood there."""
    page = PAGES / "WINDOW.md"
    head, *kept = page.read_text("utf-8").split(_SECTION)
    load = f"{os.getloadavg()[0]:.0f} on {os.cpu_count()} processors"
    said = (machine() | {"load average": load}).items()
    new = "\n".join([title, "", *(f"- {name}: {value}" for name, value in said), "", *lines])
    names = [each.partition("\n")[0] for each in kept]
    at = names.index(title) if title in names else len(kept)
    kept[at : at + 1] = [new]
    sections = (each.rstrip("\n") + "\n" for each in (head, *kept))
    page.write_text(_SECTION.join(sections), encoding="utf-8")


def fill(path: Path, number: int, *, longer: bool) -> None:
    """A store with one real run of the tests' replay and copies of it, an hour apart.

    With ``longer`` the last one is of a plan with more than a hundred points.
    """
    plans = [PlanName.QUICK, *([PlanName.THOROUGH] if longer else [])]
    with Store.open(path) as store:
        _replayed(store, path, plans[0])
    with sqlite3.connect(path) as database:
        for at in range(1, number + 1 - len(plans)):
            _copy(database, datetime.now(UTC) - timedelta(hours=number - at))
    database.close()
    with Store.open(path) as store:
        for plan in plans[1:]:
            _replayed(store, path, plan)


def fill_servers(home: Path) -> None:
    """A store with as many servers, and a window that was left with all of them in front."""
    row = ServerRow("", 0, "2026-11-28T12:00:00+00:00", server="MySQL 8.0.36", gain=0.1)
    names = [f"shop-{number}" for number in range(SERVERS)]
    with Store.open(home / "leadline.sqlite3") as store:
        kept_rows(store, {name: replace(row, target=name) for name in names})
    left = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    left.setValue("window/place", "servers")
    left.sync()


def _replayed(store: Store, path: Path, plan: PlanName) -> None:
    asked = CheckRequest(TargetSpec(), plan=plan)
    list(Replay(path).measure(store, asked, Silent(), CancelToken()))


def _copy(database: sqlite3.Connection, started: datetime) -> None:
    listed = _columns(database, "runs", "state")
    run = database.execute(
        f"INSERT INTO runs ({listed}, state) SELECT {listed}, 'running' FROM runs WHERE id = 1"
    ).lastrowid
    for name in CHILDREN:
        listed = _columns(database, name, "run_id")
        database.execute(
            f"INSERT INTO {name} (run_id, {listed})"
            f" SELECT ?, {listed} FROM {name} WHERE run_id = 1",
            (run,),
        )
    database.execute(
        "UPDATE runs SET state = 'done', started_at = ? WHERE id = ?", (started.isoformat(), run)
    )


def _columns(database: sqlite3.Connection, name: str, but: str) -> str:
    rows = database.execute(f"PRAGMA table_info({name})")
    return ", ".join(row[1] for row in rows if row[1] not in ("id", but))
