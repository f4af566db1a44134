"""How fast and how true the model is: its solver, published tables, and a server of this machine.

What a context switch costs is what `advisor.model.network.server_curve` reckons with for a blocking
read. With ``--sandbox`` forecasts are held against a server of this machine with pools of all
sizes, on its drive and on another, in pieces: what is kept is not measured again.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.closed_network import solve
from advisor.model.network.forecast import DRAWS, forecast
from advisor.model.network.scenario import Scenario
from benchmarks.model import published, server
from benchmarks.shared.report import Bar, bars_table, status, sum_up
from probes.statistics.ranges import Range
from tests.advisor.model.network.simulated_network import play
from tests.advisor.model.network.test_closed_network import ROUNDS, cores, some_network

REPEATS = 15
THREADS = tuple(1 << step for step in range(11))
MOST_MS, MOST_DIFFERENCE = 20.0, 0.01
FOLLOWED, BAND_MS = 256, 33.0
"""A scenario of so many connections has to follow a hand, 30 times a second."""


def main() -> int:
    """Print all figures and keep the solver's; the status is 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=50, help="that are simulated")
    parser.add_argument(
        "--store", type=Path, default=Path(), help="a database of your own runs, to replay them"
    )
    parser.add_argument(
        "--sandbox", action="store_true", help="hold forecasts against a server on this machine"
    )
    server.arguments(parser)
    chosen = parser.parse_args()
    if chosen.sandbox:
        return server.measure(chosen)
    times = {most: _least_ms(_solving(most)) for most in (1024, 4096)}
    drawn = {draws: _least_ms(_forecasting(draws)) for draws in (0, DRAWS)}
    switch = _switch_us()
    differences = [_difference(seed) for seed in range(chosen.networks)]
    lines, bars = published.lines(chosen.store)
    print(*lines, "", sep="\n")
    sum_up(
        "model",
        f"four stations are solved for 1 to 1,024 customers in {times[1024]:.0f} ms, for 1 to "
        f"4,096 in {times[4096]:.0f} ms; a forecast of four stations for up to {FOLLOWED} takes "
        f"{drawn[0]:.1f} ms, with its band {drawn[DRAWS]:.0f} ms (processor time); "
        f"{chosen.networks} simulated networks differ by {100 * median(differences):.2f} % in the "
        f"median and {100 * max(differences):.2f} % at most; a context switch takes {switch:.2f} "
        f"µs of processor time; of five published curves the median error is {bars[0].found:.1%}, "
        f"{bars[1].found:.1%} at the 90th percentile, {bars[2].found:.1%} within the band",
    )
    bars += [
        Bar("1 to 1,024 customers, ms", times[1024], MOST_MS),
        Bar("a forecast with its band, ms", drawn[DRAWS], BAND_MS),
        Bar("difference from a simulated network", max(differences), MOST_DIFFERENCE),
    ]
    print(*bars_table(bars[-3:]), sep="\n")
    return status(bars)


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
    commits = Range.exact(0.1)
    scenario = Scenario(
        memory, drive, Range.exact(1), network_us=300.0, redo=redo, commits_per_query=commits
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
        source = str(Path(__file__).with_name("context_switch.c"))
        subprocess.run(["gcc", "-O2", "-o", program, source, "-lpthread"], check=True)
        command = ["taskset", "-c", "0", program]
        return median(
            float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5)
        )
