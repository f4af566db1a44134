"""What a watch costs, how true its latencies are, and what a kill leaves (as root, for the trace).

fio stands for the server. The status is 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.shared import agent
from benchmarks.shared.report import Bar, bars_table, keep, page, save_raw, status, table
from benchmarks.watch.watched import PAGE_BYTES, Server, call_us, server
from probes.statistics.histogram import read_histogram
from tests.tracing import INSTANCES, mount_for_us

RATES = (1_000, 20_000, 200_000)
THREADS = 4
COST_LIMIT = 0.03
AT_PER_S = 20_000
AGREEMENT = 0.03
TIDY_S = 15.0
PARENT = """
import subprocess, sys
agent = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
print(agent.pid, flush=True)
agent.wait()
"""
KINDS = {
    "pread64": ("read", "clat_ns"),
    "pwrite64": ("write", "clat_ns"),
    "fdatasync": ("sync", "lat_ns"),
}
"""Calls, and where fio tells of them."""

Part = tuple[list[str], list[Bar]]


def main() -> int:
    """Measure all four parts, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each window")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    mount_for_us()
    if not INSTANCES.is_dir():
        sys.exit("Nothing can be traced here: it takes root, and a kernel with tracefs.")
    agent.build()
    with (
        tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watch-") as made,
        # Nobody else's requests are among the events of what lies in memory.
        tempfile.TemporaryDirectory(dir="/dev/shm", prefix="watch-") as memory,
    ):
        folder = Path(made)
        parts = [
            _costs(Path(memory), options.seconds, min(5, options.pairs)),
            _throughput(folder, options.seconds / 2, options.pairs),
            _agreement(folder, options.seconds),
            _kills(folder, options.kills, random.Random(options.seed)),
        ]
    bars = [bar for _, some in parts for bar in some]
    lines = [*bars_table(bars), "", *(line for some, _ in parts for line in some)]
    text = page("What a watch costs, and how true it is", "watch", lines)
    keep("WATCH", text)
    save_raw("watch", {"page": text}, bars)
    return status(bars)


def _costs(folder: Path, seconds: float, pairs: int) -> Part:
    # How much longer a call takes in the kernel while it is recorded, pair by pair.
    extra_us = [
        call_us(folder, seconds / 2, "--trace") - call_us(folder, seconds / 2) for _ in range(pairs)
    ]
    event_us = max(0.0, median(extra_us)) / 2
    cells, bars = [], []
    for rate in RATES:
        limit = f"--rate_iops={rate // 2 // THREADS}"
        with server(folder, 3600, "--rw=randread", f"--numjobs={THREADS}", limit) as watched:
            watched.until_at_work()
            seen = [watched.watch(seconds, "--trace") for _ in range(pairs)]
            plain = watched.watch(seconds)
        traces = [each["trace"] for each in seen]
        own = [each["own_cpu_s"] / each["seconds"] for each in seen]
        read = median(float(each["events"]) / float(each["seconds"]) for each in traces)
        kernel = read * event_us / 1e6
        together = median(own) + kernel
        cells.append(
            (
                f"{rate:,}",
                f"{read:,.0f}",
                f"{median(float(each['sampled']) for each in traces):.2f}",
                f"{sum(each['lost'] for each in traces):,}",
                _spread(own, ".2%"),
                f"{kernel:.2%}",
                f"{together:.2%}",
                f"{plain['own_cpu_s'] / plain['seconds']:.2%}",
            )
        )
        if rate <= AT_PER_S:
            bars.append(Bar(f"share of a core at {rate:,} events/s", together, COST_LIMIT))
    header = (
        *("events/s", "of them read/s", "sampled", "lost", "own CPU, share of a core"),
        *("kernel, share of a core", "together", "without a trace"),
    )
    return [
        "## Cost",
        "",
        f"fio reads pages that lie in memory, by {THREADS} threads at a steady rate; each read is "
        "two events, and one of the distances between reads of a page. The agent's own CPU is the "
        "watch's whole process, the trace's and its start (some 30 ms) included: medians of "
        f"{pairs} windows of {seconds:g} s. The kernel's part is what a call that does next to "
        "nothing takes longer while it is recorded, the fastest tenth of bursts with and without: "
        f"{_spread(extra_us, '.2f')} us for its two events.",
        "",
        *table(header, cells, words=0),
        "",
    ], bars


def _spread(values: Sequence[float], form: str) -> str:
    """The median with a 95 % interval by order statistics (the extremes of few values)."""
    ordered = sorted(values)
    out = max(0, int(len(ordered) / 2 - 0.98 * len(ordered) ** 0.5) - 1)
    low, high = ordered[out], ordered[-1 - out]
    return f"{median(ordered):{form}} ({low:{form}} to {high:{form}})"


def _throughput(folder: Path, seconds: float, pairs: int) -> Part:
    ratios = []
    with server(folder, 3600, "--rw=randrw", "--direct=1", f"--numjobs={THREADS}") as watched:
        watched.until_at_work()
        for number in range(pairs):
            orders: list[list[str]] = [[], ["--trace"]]
            found = [
                _moved_per_s(watched.watch(seconds, *options))
                for options in orders[:: -1 if number % 2 else 1]
            ]
            plain, traced = found[:: -1 if number % 2 else 1]
            ratios.append(traced / plain)
    return [
        "## The server's pace with and without",
        "",
        f"fio reads and writes pages past the page cache as fast as it can, by {THREADS} threads; "
        f"windows of {seconds:g} s with and without a trace in turn. With it the server did "
        f"{_spread(ratios, '.3f')} times as much (median of {pairs} pairs, 95 % interval).",
        "",
    ], []


def _moved_per_s(answer: dict[str, Any]) -> float:
    """What the server read and wrote a second."""
    first, last = answer["moments"][0], answer["moments"][-1]
    names = ("read_bytes", "written_bytes")
    total = sum(last["server"][name] - first["server"][name] for name in names)
    return float(total) / float(last["at_s"] - first["at_s"])


def _agreement(folder: Path, seconds: float) -> Part:
    """Fio begins after the watch and ends before it: both saw the same calls."""
    work = ("--rw=randrw", "--direct=1", "--numjobs=8", "--rate_iops=125", "--fdatasync=4")
    with (
        server(folder, seconds, "--startdelay=3", *work) as watched,
        watched.watched("--trace") as answers,
    ):
        fio = watched.report()
    trace = answers[0]["trace"]
    cells, bars = [], []
    for call, (name, latency) in KINDS.items():
        seen = next(one for one in trace["calls"] if (one["call"], one["role"]) == (call, "data"))
        trace_us = _median_us(seen)
        fio_us = fio[name][latency]["percentile"]["50.000000"] / 1000
        # It does not count the syncs that it makes by the way.
        made = f"{fio[name]['total_ios']:,}" if fio[name]["total_ios"] else ""
        medians = (f"{fio_us:,.1f}", f"{trace_us:,.1f}", f"{trace_us / fio_us:.3f}")
        cells.append((call, made, f"{seen['count']:,}", *medians))
        ratio = abs(trace_us / fio_us - 1)
        bars.append(Bar(f"median of {call}, trace against fio", ratio, AGREEMENT))
    # What the drive alone took for requests of a page, whoever made them.
    requests = ", ".join(
        f"{each['operation']} {_median_us(each):,.1f} us ({each['count']:,})"
        for each in trace["blocks"]
        if each["bytes"] == PAGE_BYTES
    )
    header = ("call", "fio: calls", "trace: calls", "fio: median, us", "trace: median, us")
    return [
        "## Latencies",
        "",
        "Medians of the same calls, as fio timed them and as the trace did.",
        "",
        *table((*header, "trace / fio"), cells),
        "",
        f"Requests of {PAGE_BYTES >> 10} KiB, from issue to completion: {requests}.",
        "",
    ], bars


def _median_us(told: dict[str, Any]) -> float:
    return read_histogram(told["histogram"]).at(50) / 1000


def _kills(folder: Path, kills: int, chance: random.Random) -> Part:
    with server(folder, 3600, "--rw=randread", "--numjobs=2", "--rate_iops=500") as watched:
        watched.until_at_work()
        left = sum(_kill(watched, number % 2 == 0, chance) for number in range(kills))
    return [
        "## Kills",
        "",
        f"SIGKILL to the agent and to the program that started it, in turn, {kills} times, up to "
        f"1.5 s after its start: {left} left an instance of tracefs or a process.",
    ], [Bar(f"of {kills} kills those that left something", left, 0)]


def _kill(watched: Server, whom_agent: bool, chance: random.Random) -> bool:
    """Whether something is left."""
    command = [sys.executable, "-c", PARENT, *watched.command(600, "--trace")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(chance.uniform(0, 1.5))
        os.kill(pid if whom_agent else parent.pid, signal.SIGKILL)
    begin = time.monotonic()
    while time.monotonic() - begin < TIDY_S:
        if not list(INSTANCES.glob(f"leadline-{pid}-*")) and not _alive(pid):
            return False
        time.sleep(0.05)
    return True


def _alive(pid: int) -> bool:
    """Whether the agent or its guard still runs."""
    own = f"leadline-{pid}-".encode()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            said = path.read_bytes()
            if own in said or (path.parent.name == str(pid) and said):
                return True
    return False
