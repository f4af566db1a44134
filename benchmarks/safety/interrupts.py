"""Stops Leadline in every state and measures how soon it is gone.

The bar is one second for the slowest of all on a quiet machine; the status is 1 when one is slower,
ends with another code than 4, or leaves something.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.shared.report import save_raw, sum_up
from tests.app.cli.running.test_stopping import left_in
from tests.app.cli.stops import STATES, Stage, Stopped, silent_servers, stop
from tests.servers.sshd import private_sshd

BAR_S = 1.0


def main() -> int:
    """Stop it in each state, round by round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    took: dict[str, list[float]] = {state.name: [] for state in STATES}
    failed = []
    with private_sshd() as server, silent_servers() as (silent, full):
        url = f"ssh://{server.user}@127.0.0.1:{server.port}"
        for number, state in ((n, each) for n in range(options.rounds) for each in STATES):
            with tempfile.TemporaryDirectory(prefix="interrupts-", dir="/var/tmp") as folder:
                directory, home = Path(folder) / "probed", Path(folder) / "home"
                directory.mkdir()
                home.mkdir()
                (home / "endless.json").write_text("{}")
                ssh_home = server.write_home(Path(folder) / "ssh")
                stopped = stop(
                    state, Stage(directory, home, silent, full, ssh_home, url), really=True
                )
                fault = _fault(stopped, left_in(directory))
            took[state.name].append(stopped.seconds)
            failed += [f"{state.name}: {fault}"] if fault else []
            print(f"{number + 1} {state.name:32} {stopped.seconds:5.2f} s {fault}", flush=True)
    for name, seconds in took.items():
        print(f"{name:32} median {median(seconds):5.2f} s, most {max(seconds):5.2f} s")
    every = [each for seconds in took.values() for each in seconds]
    save_raw("interrupts", {"seconds": took, "failed": failed})
    sum_up(
        "interrupts",
        f"{len(every)} stops in {len(took)} states: median {median(every):.2f} s, "
        f"most {max(every):.2f} s; {len(failed)} failed.",
    )
    return 1 if failed else 0


def _fault(stopped: Stopped, left: list[str]) -> str:
    if stopped.code != 4:
        return f"code {stopped.code}: {stopped.said[-200:]}"
    if left:
        return f"left {', '.join(left)}"
    return "" if stopped.seconds <= BAR_S else "too slow"
