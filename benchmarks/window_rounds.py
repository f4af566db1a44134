"""What a window's thread costs, in rounds: each in a process of its own, two checkouts in turn."""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "benchmarks" / "WINDOW.md"
HEAD = (
    "# What the window takes\n\n"
    "Written by `make bench-window`. Where other programs share the processors' cores, the same "
    "work takes up to half as long again.\n"
)
_SECTION = "\n## "

SETTLED_S = 0.45
"""What is asked for within this after an action is part of it: views gather news for 0.4 s."""

LONGEST_ROUND_S = 1800.0

Figures = dict[str, float]
"""CPU milliseconds of the window's thread, where it says nothing else, by action."""


class Turn(NamedTuple):
    """One turn of the event loop: CPU milliseconds of its thread, and those of the clock."""

    cpu: float
    clock: float


Measure = Callable[[Path, Path], Figures]
"""Measures the window of a checkout over a store."""


def arguments(description: str | None, rounds: int) -> argparse.ArgumentParser:
    """What each of these programs may be asked."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--against", type=Path, default=None)
    parser.add_argument("--child", nargs=2, metavar=("TREE", "STORE"), help=argparse.SUPPRESS)
    return parser


def measured_in_turn(
    program: str, asked: argparse.Namespace, measure: Measure, fill: Callable[[Path], None]
) -> list[list[Figures]]:
    """By checkout, this one first, the figures of each round, over a store that ``fill`` makes.

    A round of ``program`` does not come back from here: it tells its own figures.
    """
    if asked.child:
        print(json.dumps(measure(Path(asked.child[0]), Path(asked.child[1]))), flush=True)
        # The window's jobs need not end in order.
        os._exit(0)
    trees = [ROOT, *([asked.against.resolve()] if asked.against else [])]
    found: list[list[Figures]] = [[] for _ in trees]
    with tempfile.TemporaryDirectory(prefix="leadline-window-") as folder:
        store = Path(folder) / "runs.sqlite3"
        fill(store)
        for _ in range(asked.rounds):
            for tree, rounds in zip(trees, found, strict=True):
                rounds.append(_round(program, tree, store))
    return found


def turns(
    application: Any, act: Callable[[], object], until: Callable[[], bool], pause_s: float
) -> Iterator[Turn]:
    """What ``act`` takes, and each turn of the event loop that follows.

    They end ``SETTLED_S`` after ``until`` first holds: what came last has its followers, too.
    """
    end = math.inf
    yield _timed(act)
    while time.monotonic() < end:
        yield _timed(application.processEvents)
        if end == math.inf and until():
            end = time.monotonic() + SETTLED_S
        time.sleep(pause_s)


def _timed(act: Callable[[], object]) -> Turn:
    clock, cpu = time.perf_counter(), time.thread_time()
    act()
    return Turn(1000 * (time.thread_time() - cpu), 1000 * (time.perf_counter() - clock))


def write_section(title: str, lines: Sequence[str]) -> None:
    """Put ``lines`` under a title of the page of figures, in place of what stood there."""
    from report import machine  # noqa: PLC0415 - a child of another tree has none

    kept = PAGE.read_text("utf-8").split(_SECTION)[1:] if PAGE.exists() else []
    load = f"{os.getloadavg()[0]:.0f} on {os.cpu_count()} processors"
    said = (machine() | {"load average": load}).items()
    new = "\n".join([title, "", *(f"- {name}: {value}" for name, value in said), "", *lines])
    names = [each.partition("\n")[0] for each in kept]
    if title in names:
        kept[names.index(title)] = new
    else:
        kept.append(new)
    sections = (each.rstrip("\n") + "\n" for each in kept)
    PAGE.write_text(_SECTION.join([HEAD, *sections]), encoding="utf-8")


def places(found: list[list[Figures]]) -> tuple[str, ...]:
    """What the checkouts are called in a table."""
    return ("here", "against")[: len(found)]


def rows(found: list[list[Figures]], bars: Mapping[str, float], *, decimals: int) -> Iterator[str]:
    """A table: for each figure the most that it may be, and its median in each checkout."""
    yield "| what | bar |" + "".join(f" {place} |" for place in places(found))
    yield "| --- | ---: |" + " ---: |" * len(found)
    for name in found[0][0]:
        cells = [f"{bars[name]:g}" if name in bars else ""]
        cells += [f"{median(one[name] for one in each):.{decimals}f}" for each in found]
        yield f"| {name} | {' | '.join(cells)} |"


def _round(program: str, tree: Path, store: Path) -> Figures:
    here = {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(tree),
        "LEADLINE_HOME": str(store.parent),
    }
    done = subprocess.run(
        [sys.executable, program, "--child", str(tree), str(store)],
        env=os.environ | here,
        cwd=tree,
        check=True,
        stdout=subprocess.PIPE,
        timeout=LONGEST_ROUND_S,
    )
    told: Figures = json.loads(done.stdout.splitlines()[-1])
    return told
