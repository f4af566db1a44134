"""Kills Leadline, its agent or the connection at random moments of a run.

After each kill nothing may be left on the target (no process, no file), and every point that
Leadline had reported must be in its store. The status is 1 when one trial failed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.shared.report import ROOT, save_raw, sum_up
from tests.servers.processes import children
from tests.servers.sshd import Sshd, private_sshd

SIDES = ("leadline", "agent", "connection")
LONGEST_RUN_S = 60.0
TIDY_S = 15.0

RUN = """
import sys
from dataclasses import replace
from pathlib import Path
from advisor.runs.requests import ProbeRequest
from advisor.runs.session import measure
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.events import PointDone
from probes.plans.kinds import Kind
from probes.plans.plan import PlanName
from probes.plans.shapes import MIB, SHAPES, Precision
from probes.targets.address import SshAddress, TargetKind, TargetSpec

class Silent:
    def password(self, account, sentence): return None
    def accept_host_key(self, host, key_type, fingerprint): return False

SHAPES[PlanName.QUICK] = replace(
    SHAPES[PlanName.QUICK], precision=Precision(0.2, 0.05, 0.1, 0.02), file_bytes=32 * MIB,
    many_bytes=32 * MIB, small_bytes=16 * MIB, touch_bytes=16 * MIB)
directory, database, port, user = sys.argv[1:]
spec = TargetSpec(kind=TargetKind.SSH, directory=directory,
                  ssh=SshAddress(host="127.0.0.1", port=int(port), user=user))
kinds = frozenset({Kind.STORAGE, Kind.REDO, Kind.FLUSH})
with Store.open(Path(database)) as store:
    for event in measure(store, ProbeRequest(spec, kinds), Silent(), CancelToken()):
        print(type(event).__name__, event.point.id if isinstance(event, PointDone) else "",
              flush=True)
"""
"""A whole run with small files and short points; tells each event once it has been kept."""


@dataclass(frozen=True)
class Trial:
    """One kill: of how many processes, ``lost`` points, and what was ``left`` on the target."""

    side: str
    after_s: float
    killed: int
    reported: int
    lost: int
    left: list[str]

    @property
    def clean(self) -> bool:
        """Whether nothing was lost or left."""
        return not self.lost and not self.left

    @property
    def told(self) -> str:
        """The trial as one line."""
        what = "clean" if self.clean else f"lost {self.lost} points, left {', '.join(self.left)}"
        when = f"after {self.after_s:.1f} s" if self.killed else "was over before"
        return f"{self.side} {when}, {self.reported} points reported: {what}"


def main() -> int:
    """Kill one side after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    trials: list[Trial] = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        # Others' Leadlines have places of their own on this machine: ours all lie in here.
        places = Path(folder) / "places"
        places.mkdir()
        with private_sshd([f"SetEnv XDG_RUNTIME_DIR={places}"]) as server:
            whole_s = _whole_run_s(server, Path(folder))
            print(f"A run that nobody disturbs takes {whole_s:.1f} s.", flush=True)
            for number in range(options.trials):
                side, after_s = SIDES[number % len(SIDES)], chance.uniform(0.1, whole_s)
                trials.append(_trial(server, Path(folder), side, after_s))
                print(f"{number + 1} of {options.trials}: {trials[-1].told}", flush=True)
    failed = [trial for trial in trials if not trial.clean]
    by_side = Counter(trial.side for trial in trials).items()
    save_raw("kills", {"whole_s": whole_s, "trials": [*map(asdict, trials)]})
    sum_up(
        "kills",
        f"{len(trials)} kills ({', '.join(f'{side} {count}' for side, count in by_side)}) "
        f"within runs of {whole_s:.1f} s, {sum(not trial.killed for trial in trials)} too late: "
        f"{len(failed)} left or lost something; {sum(trial.reported for trial in trials)} points "
        f"had been reported, {sum(trial.lost for trial in trials)} are lost.",
    )
    return 1 if failed else 0


def _start(server: Sshd, folder: Path) -> tuple[subprocess.Popen[str], Path, Path]:
    directory = Path(tempfile.mkdtemp(prefix="probed-", dir=folder))
    home = server.write_home(Path(tempfile.mkdtemp(prefix="home-", dir=folder)))
    database = home / "leadline.sqlite3"
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(directory), str(database), str(server.port), server.user],
        cwd=ROOT,
        env=os.environ | {"HOME": str(home), "SSH_AUTH_SOCK": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return process, directory, database


def _whole_run_s(server: Sshd, folder: Path) -> float:
    begin = time.monotonic()
    process, _, _ = _start(server, folder)
    said, _ = process.communicate(timeout=LONGEST_RUN_S)
    if process.returncode or "Finished" not in said:
        raise SystemExit(f"An undisturbed run failed ({process.returncode}): {said[-400:]}")
    return time.monotonic() - begin


def _trial(server: Sshd, folder: Path, side: str, after_s: float) -> Trial:
    process, directory, database = _start(server, folder)
    time.sleep(after_s)
    ran, killed = _kill(server, process, side)
    said, _ = process.communicate(timeout=LONGEST_RUN_S)
    reported = {int(line.split()[1]) for line in said.splitlines() if line.startswith("PointDone")}
    lost = len(reported - _kept(database))
    left = _left(server, (directory, folder / "places"), ran)
    return Trial(side, round(after_s, 3), killed, len(reported), lost, left)


def _kill(
    server: Sshd, process: subprocess.Popen[str], side: str
) -> tuple[set[tuple[int, str]], int]:
    """Kill one side, as soon as there is one to kill.

    Returns every process that ran on the target, with its start, and how many were killed.
    """
    victims = {
        "leadline": lambda: [process.pid],
        "agent": lambda: [each for each in _below(server) if _measures(each)],
        "connection": server.sessions,
    }
    while not (chosen := victims[side]()) and process.poll() is None:
        time.sleep(0.005)
    ran = {(pid, _start_of(pid)) for pid in _below(server)}
    for pid in chosen:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return ran, len(chosen)


def _below(server: Sshd) -> list[int]:
    """The server's sessions and every process below them."""
    waiting, found = server.sessions(), []
    while waiting:
        found.append(waiting.pop())
        waiting += children(found[-1])
    return found


def _measures(pid: int) -> bool:
    """Whether it is an agent."""
    try:
        return b"leadline-agent" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _start_of(pid: int) -> str:
    """When a process was started, in the kernel's ticks; "" when it is gone or only a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _kept(database: Path) -> set[int]:
    if not database.exists():
        return set()
    with sqlite3.connect(database) as connection, suppress(sqlite3.OperationalError):
        return {row[0] for row in connection.execute("SELECT id FROM points")}
    return set()


def _left(server: Sshd, places: tuple[Path, ...], ran: set[tuple[int, str]]) -> list[str]:
    """What is still there once the target had time to tidy up.

    Who outlives the session is no longer below it, so those that ``ran`` are looked at, too. The
    agent is put into the first place of a session that Leadline tries.
    """
    deadline = time.monotonic() + TIDY_S
    while True:
        left = [f"process {pid}" for pid in _below(server)]
        left += [f"orphan {pid}" for pid, start in ran if start and _start_of(pid) == start]
        left += [str(path) for place in places for path in place.iterdir()]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.1)
