"""A lab of the command line that something kills at a random moment."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from probes.sandbox.leftovers import clean_leftovers
from probes.targets.local import LocalTarget
from tests.app.cli.forked import ForkServer, Program, ended, fork_server
from tests.waiting import HANG_S, alive, all_ended, wait_until

BRIEF = """
from dataclasses import replace
import app.fields.lab as fields
import advisor.runs.lab.working as working
working.WARM_LIMIT_S = 2.0
fields.LEAST_BUDGET_S = 1.0
usual = fields.LabForm._asked
fields.LabForm._asked = lambda self, *asked: replace(
    usual(self, *asked), turn_s=0.3, settle_s=0.1
)
"""
"""Makes a lab's turns shorter, and allows a small budget."""

VICTIMS = ("command", "guard", "load", "server", "shell")
ABOUT_S = 30.0
"""How long such a lab takes on a machine that others use."""


@dataclass(frozen=True)
class Ended:
    """What came of a lab of which something was killed; ``late``: folders that stayed at first."""

    who: str
    after_s: float
    killed: bool
    code: int
    state: str
    rounds: int
    late: tuple[str, ...]
    said: str


def lab_below(home: Path, *, of: ForkServer | None = None) -> Program:
    """A small lab whose servers live below a folder."""
    return (of or fork_server()).start(
        *("lab", "--vary", "innodb_doublewrite=ON,OFF", "--load", "update", "--connections", "2"),
        *("--dir", str(home), "--data", "16M", "--pool", "24M", "--redo", "16M"),
        *("--budget", "6s", "--start-anyway"),
        before=BRIEF,
    )


def children_of(pid: int) -> dict[int, list[str]]:
    """All processes below one, by number, with their command lines."""
    parents: dict[int, int] = {}
    commands: dict[int, list[str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            number = int(folder.name)
            parents[number] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            commands[number] = (
                (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            )
    found: set[int] = set()
    wanted = {pid}
    while wanted:
        wanted = {each for each, parent in parents.items() if parent in wanted} - found
        found |= wanted
    return {each: commands[each] for each in found if each in commands}


def _is(who: str) -> Callable[[list[str]], bool]:
    return {
        "guard": lambda words: "guard" in words[1:2],
        "load": lambda words: "leadline-load" in words[0],
        "server": lambda words: (
            any(word.startswith("--datadir=") for word in words) and "guard" not in words[1:2]
        ),
        "shell": lambda words: words[0] == "sh",
    }[who]


def killed_at(home: Path, who: str, after_s: float, chance: random.Random) -> Ended:
    """Start a lab, kill one of its processes after some seconds, and see it end."""
    program = lab_below(home)
    with program:
        time.sleep(after_s)
        below = children_of(program.pid)
        victims = [program.pid] if who == "command" else list(_of(who, below))
        killed = bool(victims) and program.poll() is None
        if killed:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(victims), signal.SIGKILL)
        said, told = program.communicate(HANG_S)
        below |= children_of(program.pid)
    assert all_ended(below), [line for pid, line in below.items() if alive(pid)]
    state, rounds = kept()
    return Ended(
        who, after_s, killed, program.wait(), state, rounds, left_below(home), f"{said}\n{told}"
    )


def _of(who: str, below: dict[int, list[str]]) -> Iterator[int]:
    wanted = _is(who)
    return (pid for pid, words in below.items() if words and wanted(words))


def left_below(home: Path) -> tuple[str, ...]:
    """What stays in a lab's folder until the next start, which removes it."""
    wait_until(lambda: not list(home.iterdir()))
    late = tuple(each.name for each in home.iterdir())
    # A folder of which nobody can tell whether somebody still makes it waits for its time.
    for each in home.iterdir():
        os.utime(each, (0, 0))
    clean_leftovers(LocalTarget(), str(home))
    assert not list(home.iterdir())
    return late


def kept() -> tuple[str, int]:
    """The state of the last run, and how many rounds it has; "" where there is none."""
    runs = json.loads(ended(fork_server(), "runs", "--json").stdout)
    if not runs:
        return "", 0
    shown = ended(fork_server(), "runs", "show", str(runs[0]["id"]))
    assert shown.code == 0, shown.stderr
    document = json.loads(ended(fork_server(), "runs", "show", str(runs[0]["id"]), "--json").stdout)
    return str(runs[0]["state"]), int(document["rounds"])
