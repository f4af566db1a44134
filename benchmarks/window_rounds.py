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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

SETTLED_S = 0.45
"""What is asked for within this after an action is part of it: views gather news for 0.4 s."""

LONGEST_ROUND_S = 1800.0

Figures = dict[str, float]
"""CPU milliseconds of the window's thread, where it says nothing else, by action."""

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
) -> Iterator[float]:
    """CPU milliseconds of ``act`` and of each turn of the event loop that follows.

    They end ``SETTLED_S`` after ``until`` first holds: what came last has its followers, too.
    """
    end = math.inf
    before = time.thread_time()
    act()
    yield 1000 * (time.thread_time() - before)
    while time.monotonic() < end:
        before = time.thread_time()
        application.processEvents()
        yield 1000 * (time.thread_time() - before)
        if end == math.inf and until():
            end = time.monotonic() + SETTLED_S
        time.sleep(pause_s)


def places(found: list[list[Figures]]) -> tuple[str, ...]:
    """What the checkouts are called in a table."""
    return ("here", "against")[: len(found)]


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
