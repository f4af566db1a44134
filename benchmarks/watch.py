"""What a watch costs, how true its latencies are, and what a kill leaves: ``make bench-watch``.

fio stands for the server. The status is 1 when a bar is missed. Needs root, for the trace.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report import HERE, machine, save_raw
from watched import PAGE_BYTES, answer_of, call_us, grown, server, start_watch, until_at_work, watch

sys.path.insert(0, str(HERE.parent))

from probes.histogram import read_histogram
from probes.targets.local import LocalTarget
from tests.tracing import INSTANCES, mount_for_us

PAGE = HERE / "WATCH.md"
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


@dataclass(frozen=True)
class Bar:
    """Something that must hold."""

    name: str
    found: float
    limit: float

    @property
    def met(self) -> bool:
        """Whether it does."""
        return self.found <= self.limit


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each window")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    mount_for_us()
    if not INSTANCES.is_dir():
        sys.exit("Nothing can be traced here: it takes root, and a kernel with tracefs.")
    target = LocalTarget()
    bars: list[Bar] = []
    with (
        tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watch-") as made,
        # Nobody else's requests are among the events of what lies in memory.
        tempfile.TemporaryDirectory(dir="/dev/shm", prefix="watch-") as memory,
    ):
        folder, agent = Path(made), target.agent()
        lines = _costs(agent, Path(memory), options.seconds, min(5, options.pairs), bars)
        lines += _throughput(agent, folder, options.seconds / 2, options.pairs)
        lines += _agreement(agent, folder, options.seconds, bars)
        lines += _kills(agent, folder, options.kills, random.Random(options.seed), bars)
    target.close()
    facts = machine()
    head = ["# What a watch costs, and how true it is", "", "Written by `make bench-watch`.", ""]
    head += [
        f"- {name}: {facts[name]}" for name in ("processor", "memory", "kernel", "fio", "date")
    ]
    met = ["", "| bar | found | limit | met |", "| --- | ---: | ---: | --- |"]
    met += [
        f"| {bar.name} | {bar.found:.3f} | {bar.limit:g} | {'yes' if bar.met else '**no**'} |"
        for bar in bars
    ]
    text = "\n".join([*head, *met, *lines]) + "\n"
    PAGE.write_text(text, encoding="utf-8")
    save_raw("watch", {"machine": facts, "bars": [vars(bar) for bar in bars], "page": text})
    print(text)
    return 0 if all(bar.met for bar in bars) else 1


def _costs(agent: str, folder: Path, seconds: float, pairs: int, bars: list[Bar]) -> list[str]:
    extra_us = _extra_us(agent, folder, seconds / 2, pairs)
    event_us = max(0.0, statistics.median(extra_us)) / 2
    lines = ["", "## Cost", ""]
    lines += [
        f"fio reads pages that lie in memory, by {THREADS} threads at a steady rate; each read is "
        "two events, and one of the distances between reads of a page. The agent's own CPU is the "
        "watch's whole process, the trace's and its start (some 30 ms) included: medians of "
        f"{pairs} windows of {seconds:g} s. The kernel's part is what a call that does next to "
        "nothing takes longer while it is recorded, the fastest tenth of bursts with and without: "
        f"{_spread(extra_us, '.2f')} us for its two events.",
        "",
        "| events/s | of them read/s | sampled | lost | own CPU, share of a core "
        "| kernel, share of a core | together | without a trace |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for rate in RATES:
        limit = f"--rate_iops={rate // 2 // THREADS}"
        work = ("--rw=randread", f"--numjobs={THREADS}", limit)
        with server(folder, 3600, *work) as watched:
            until_at_work(watched)
            seen = [watch(agent, seconds, watched, "--trace") for _ in range(pairs)]
            plain = watch(agent, seconds, watched)
        traces = [each["trace"] for each in seen]
        own = [each["own_cpu_s"] / each["seconds"] for each in seen]
        read = statistics.median(_seen(each) for each in seen)
        kernel = read * event_us / 1e6
        together = statistics.median(own) + kernel
        lines.append(
            f"| {rate:,} | {read:,.0f} | {_middle(traces, 'sampled'):.2f} "
            f"| {sum(each['lost'] for each in traces):,} | {_spread(own, '.2%')} "
            f"| {kernel:.2%} | {together:.2%} | {plain['own_cpu_s'] / plain['seconds']:.2%} |"
        )
        if rate <= AT_PER_S:
            bars.append(Bar(f"share of a core at {rate:,} events/s", together, COST_LIMIT))
    return lines


def _extra_us(agent: str, folder: Path, seconds: float, pairs: int) -> list[float]:
    """How much longer a call takes in the kernel while it is recorded, pair by pair."""
    return [
        call_us(agent, folder, seconds, "--trace") - call_us(agent, folder, seconds)
        for _ in range(pairs)
    ]


def _seen(answer: dict[str, Any]) -> float:
    """Events a second that were read."""
    return float(answer["trace"]["events"]) / float(answer["trace"]["seconds"])


def _middle(reports: Sequence[dict[str, Any]], name: str) -> float:
    return statistics.median(float(each[name]) for each in reports)


def _spread(values: Sequence[float], form: str) -> str:
    """The median with a 95 % interval by order statistics (the extremes of few values)."""
    ordered = sorted(values)
    out = max(0, int(len(ordered) / 2 - 0.98 * len(ordered) ** 0.5) - 1)
    low, high = ordered[out], ordered[-1 - out]
    return f"{statistics.median(ordered):{form}} ({low:{form}} to {high:{form}})"


def _throughput(agent: str, folder: Path, seconds: float, pairs: int) -> list[str]:
    work = ("--rw=randrw", "--direct=1", f"--numjobs={THREADS}")
    ratios = []
    moved = ("read_bytes", "written_bytes")
    with server(folder, 3600, *work) as watched:
        until_at_work(watched)
        for number in range(pairs):
            order = ("--trace", "") if number % 2 else ("", "--trace")
            found = {
                option: grown(watch(agent, seconds, watched, *filter(None, [option])), moved)
                for option in order
            }
            ratios.append(found["--trace"] / found[""])
    return [
        "",
        "## The server's pace with and without",
        "",
        f"fio reads and writes pages past the page cache as fast as it can, by {THREADS} threads; "
        f"windows of {seconds:g} s with and without a trace in turn. With it the server did "
        f"{_spread(ratios, '.3f')} times as much (median of {pairs} pairs, 95 % interval).",
    ]


def _agreement(agent: str, folder: Path, seconds: float, bars: list[Bar]) -> list[str]:
    """Fio begins after the watch and ends before it: both saw the same calls."""
    work = ("--rw=randrw", "--direct=1", "--numjobs=8", "--rate_iops=125", "--fdatasync=4")
    with server(folder, seconds, "--startdelay=3", *work) as watched:
        watching = start_watch(agent, 600, watched, "--trace")
        fio = watched.report()
        answer = answer_of(watching)
    lines = [
        "",
        "## Latencies",
        "",
        "Medians of the same calls, as fio timed them and as the trace did.",
        "",
        "| call | fio: calls | trace: calls | fio: median, us | trace: median, us | trace / fio |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    kinds = {
        "pread64": ("read", "clat_ns"),
        "pwrite64": ("write", "clat_ns"),
        "fdatasync": ("sync", "lat_ns"),
    }
    for call, (name, latency) in kinds.items():
        seen = next(
            each
            for each in answer["trace"]["calls"]
            if each["call"] == call and each["role"] == "data"
        )
        trace_us = _median_us(seen)
        fio_us = fio[name][latency]["percentile"]["50.000000"] / 1000
        ratio = trace_us / fio_us
        # It does not count the syncs that it makes by the way.
        made = f"{fio[name]['total_ios']:,}" if fio[name]["total_ios"] else ""
        bars.append(Bar(f"median of {call}, trace against fio", abs(ratio - 1), AGREEMENT))
        lines.append(
            f"| {call} | {made} | {seen['count']:,} | {fio_us:,.1f} "
            f"| {trace_us:,.1f} | {ratio:.3f} |"
        )
    return [*lines, "", _blocks(answer)]


def _blocks(answer: dict[str, Any]) -> str:
    """What the drive alone took for requests of a page, whoever made them."""
    told = [
        f"{each['operation']} {_median_us(each):,.1f} us ({each['count']:,})"
        for each in answer["trace"]["blocks"]
        if each["bytes"] == PAGE_BYTES
    ]
    return f"Requests of {PAGE_BYTES >> 10} KiB, from issue to completion: {', '.join(told)}."


def _median_us(told: dict[str, Any]) -> float:
    return float(read_histogram(told["histogram"]).get_value_at_percentile(50)) / 1000


def _kills(
    agent: str, folder: Path, kills: int, chance: random.Random, bars: list[Bar]
) -> list[str]:
    left = 0
    with server(folder, 3600, "--rw=randread", "--numjobs=2", "--rate_iops=500") as watched:
        until_at_work(watched)
        for number in range(kills):
            left += _kill(agent, watched.directory, watched.pid_file, number % 2 == 0, chance)
    bars.append(Bar(f"of {kills} kills those that left something", left, 0))
    return [
        "",
        "## Kills",
        "",
        f"SIGKILL to the agent and to the program that started it, in turn, {kills} times, up to "
        f"1.5 s after its start: {left} left an instance of tracefs or a process.",
    ]


def _kill(agent: str, data: Path, pid_file: Path, whom_agent: bool, chance: random.Random) -> bool:
    command = [agent, "watch", "--seconds=600", "--trace", "--path", f"data={data}"]
    command.append(f"--server-pid-file={pid_file}")
    parent = subprocess.Popen([sys.executable, "-c", PARENT, *command], stdout=subprocess.PIPE)
    if parent.stdout is None:
        return True
    pid = int(parent.stdout.readline())
    time.sleep(chance.uniform(0, 1.5))
    os.kill(pid if whom_agent else parent.pid, signal.SIGKILL)
    parent.wait()
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


if __name__ == "__main__":
    sys.exit(main())
