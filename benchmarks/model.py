"""The solver's speed and truth, and what a context switch costs: ``make bench-model``.

What a switch costs is what `advisor.model.network.server_curve` reckons with for a blocking read.
With ``--sandbox`` forecasts are held against a server of this machine with pools of all sizes, on
its drive and on another, in pieces: what is kept is not measured again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import model_server
import numpy as np
from report import HERE, machine, sum_up

ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from advisor.model.curves.measured_rates import MeasuredRates  # noqa: E402
from advisor.model.network.closed_network import solve  # noqa: E402 - the path comes first
from advisor.model.network.forecast import DRAWS, forecast  # noqa: E402
from advisor.model.network.scenario import Scenario  # noqa: E402
from probes.ranges import Range  # noqa: E402
from tests.advisor.model.network.simulated_network import play  # noqa: E402
from tests.advisor.model.network.test_closed_network import ROUNDS, cores, some_network  # noqa: E402

REPEATS = 15
THREADS = tuple(1 << step for step in range(11))
MOST_MS, MOST_DIFFERENCE = 20.0, 0.01
FOLLOWED, BAND_MS = 256, 33.0
"""A scenario of so many connections has to follow a hand, 30 times a second."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=50)
    parser.add_argument(
        "--sandbox", action="store_true", help="hold forecasts against a server on this machine"
    )
    model_server.arguments(parser)
    chosen = parser.parse_args()
    if chosen.sandbox:
        return model_server.measure(chosen)
    networks = chosen.networks
    times = {most: _least_ms(_solving(most)) for most in (1024, 4096)}
    drawn = {draws: _least_ms(_forecasting(draws)) for draws in (0, DRAWS)}
    switch = _switch_us()
    differences = [_difference(seed) for seed in range(networks)]
    sentence = (
        f"four stations are solved for 1 to 1,024 customers in {times[1024]:.0f} ms, for 1 to "
        f"4,096 in {times[4096]:.0f} ms; a forecast of four stations for up to {FOLLOWED} takes "
        f"{drawn[0]:.1f} ms, with its band {drawn[DRAWS]:.0f} ms (processor time); {networks} "
        f"simulated networks differ by {100 * median(differences):.2f} % in the median and "
        f"{100 * max(differences):.2f} % at most; a context switch takes {switch:.2f} µs of "
        "processor time"
    )
    print(sentence)
    sum_up("make bench-model", sentence, machine())
    slow = times[1024] > MOST_MS or drawn[DRAWS] > BAND_MS
    return int(slow or max(differences) > MOST_DIFFERENCE)


def _least_ms(work: Callable[[], object]) -> float:
    """Processor time of the quickest of some repeats: what others do can only add to it."""
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        times.append(1000 * (time.process_time() - began))
    return min(times)


def _solving(most: int) -> Callable[[], object]:
    random = np.random.default_rng(1)
    stations = [
        cores(16, 100e-6, most),
        np.sort(random.uniform(1_000, 40_000, most)),
        cores(most, 1e-3, most),
        np.sort(random.uniform(1_000, 90_000, most)),
    ]
    return lambda: solve(stations)


def _forecasting(draws: int) -> Callable[[], object]:
    """Four stations: a server, a drive, a redo log and a network, up to 256 connections."""
    threads = tuple(each for each in THREADS if each <= FOLLOWED)
    memory, drive, redo = (
        MeasuredRates(threads, tuple(Range.exact(min(n, most) * rate) for n in threads))
        for most, rate in ((32, 1_000.0), (64, 500.0), (16, 800.0))
    )
    scenario = Scenario(
        memory,
        drive,
        Range.exact(1),
        network_us=300.0,
        redo=redo,
        commits_per_query=Range.exact(0.1),
    )
    return lambda: forecast(scenario, threads, draws)


def _difference(seed: int) -> float:
    """How far a network's solved throughput lies from its simulated one, as a share."""
    stations, customers = some_network(seed)
    rate, _ = play(stations, customers, seed, ROUNDS)
    return abs(float(solve([rates for rates, _ in stations]).rate_per_s[-1]) / rate - 1)


def _switch_us() -> float:
    """Processor time of one switch between two threads of one processor."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "context_switch")
        source = str(HERE / "context_switch.c")
        subprocess.run(["gcc", "-O2", "-o", program, source, "-lpthread"], check=True)
        command = ["taskset", "-c", "0", program]
        return median(
            float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5)
        )


if __name__ == "__main__":
    sys.exit(main())
