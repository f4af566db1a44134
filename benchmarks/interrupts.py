"""Stops Leadline in every state and measures how soon it is gone: ``make bench-interrupts``.

The bar is one second for the slowest of all on a quiet machine; the status is 1 when one is slower,
ends with another code than 4, or leaves something.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from report import HERE, machine, save_raw, sum_up

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from tests.app.cli.running.test_stopping import left_in  # noqa: E402
from tests.app.cli.stops import STATES, Stage, Stopped, silent_servers, stop  # noqa: E402
from tests.servers.sshd import private_sshd  # noqa: E402

BAR_S = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    took: dict[str, list[float]] = {state.name: [] for state in STATES}
    failed = []
    with private_sshd() as server, silent_servers() as (silent, full):
        for number in range(options.rounds):
            for state in STATES:
                with tempfile.TemporaryDirectory(prefix="interrupts-", dir="/var/tmp") as folder:
                    directory, home = Path(folder) / "probed", Path(folder) / "home"
                    directory.mkdir()
                    home.mkdir()
                    (home / "endless.json").write_text("{}")
                    ssh_home = server.write_home(Path(folder) / "ssh")
                    url = f"ssh://{server.user}@127.0.0.1:{server.port}"
                    stage = Stage(directory, home, silent, full, ssh_home, url)
                    stopped = stop(state, stage, really=True)
                    left = left_in(directory)
                took[state.name].append(stopped.seconds)
                fault = _fault(stopped, left)
                failed += [f"{state.name}: {fault}"] if fault else []
                told = f" {fault}" if fault else ""
                print(f"{number + 1} {state.name:32} {stopped.seconds:5.2f} s{told}", flush=True)
    return _report(took, failed)


def _fault(stopped: Stopped, left: list[str]) -> str:
    if stopped.code != 4:
        return f"code {stopped.code}: {stopped.said[-200:]}"
    if left:
        return f"left {', '.join(left)}"
    return "" if stopped.seconds <= BAR_S else "too slow"


def _report(took: dict[str, list[float]], failed: list[str]) -> int:
    for name, seconds in took.items():
        print(f"{name:32} median {statistics.median(seconds):5.2f} s, most {max(seconds):5.2f} s")
    every = [each for seconds in took.values() for each in seconds]
    facts = machine()
    sentence = (
        f"{len(every)} stops in {len(took)} states: median {statistics.median(every):.2f} s, "
        f"most {max(every):.2f} s; {len(failed)} failed."
    )
    print(sentence)
    result = {"machine": facts, "seconds": took, "failed": failed}
    save_raw("interrupts", result)
    sum_up("make bench-interrupts", sentence, facts)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
