"""Whether short points tell what long ones do: quick ones' intervals, and the standard plan's."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from pathlib import Path
from statistics import mean, median
from typing import Any

from advisor.wording.measured.doubts import sentence
from benchmarks.probes.against_fio import of_commits
from benchmarks.probes.outcome import LATE, Measured, Outcome, of, threads_text
from benchmarks.probes.programs import AGENT, FIO, fio_reads, of_agent, of_fio
from benchmarks.shared import agent
from benchmarks.shared.report import Bar, keep, page, status
from probes.engines.agent.events import AgentReader
from probes.plans.plan import Plan, PlanName, Step
from probes.plans.shapes import SHAPES, Precision, powers
from probes.points import Probe, Setting, Trust

BLOCK_BYTES = 16384
THREADS = (1, 4, 16, 64, 256)
LEVELS = powers(1024)
REFERENCE_S, SHORT_S = 60.0, 8.0
ROUNDS = 3
MEDIAN_LIMIT, WORST_LIMIT, LATENCY_LIMIT, TIME_SHARE = 0.04, 0.10, 0.10, 0.10
STANDARD, QUICK = SHAPES[PlanName.STANDARD], SHAPES[PlanName.QUICK].precision

QUICK_ROUNDS, LONG_S, LEAST_HELD = 100, 1.0, 0.88
QUICK_FILE_BYTES = 512 << 20
PLACES = {"file in memory": ("/dev/shm", 2), "file on a drive": ("/var/tmp", 8)}
"""Where quick points are repeated, by how many threads."""


def main() -> int:
    """Write ACCURACY.md; the status is 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description="Whether short points tell what long ones do.")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_S:.0f} s a point, no page")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of the comparison")
    options = parser.parse_args()
    agent.build()
    seconds = SHORT_S if options.short else REFERENCE_S
    outcomes = [of_commits(), of_standard_points(options.rounds, seconds)]
    title = "Short points against long ones"
    text = page(title, "accuracy", [line for each in outcomes for line in each.section()])
    if options.short:
        print(text)
    else:
        keep("ACCURACY", text)
        for outcome in outcomes:
            outcome.save()
    return status(bar for outcome in outcomes for bar in outcome.bars)


@dataclass(frozen=True)
class Level:
    """What both programs found at one number of threads."""

    threads: int
    short: list[Measured]
    long: list[Measured]

    @property
    def rate(self) -> float:
        """The reference."""
        return median(row.rate_per_s for row in self.long)

    @property
    def spread(self) -> float:
        """How far the reference's own runs lie from their median, as a share of it."""
        return max(abs(row.rate_per_s / self.rate - 1) for row in self.long)

    @property
    def deviations(self) -> list[float]:
        """How far each point of the agent lies from the run of fio that follows it.

        Beside each other, because a shared machine drifts from round to round by more than what is
        looked for here.
        """
        pairs = zip(self.short, self.long, strict=True)
        return [abs(short.rate_per_s / long.rate_per_s - 1) for short, long in pairs]

    @property
    def latency(self) -> float:
        """The ratio of the 95th percentiles."""
        return median(map(LATE, self.short)) / median(map(LATE, self.long))


def of_standard_points(rounds: int, seconds: float) -> Outcome:
    """Interleave agent and fio at each level; a run of fio lies between two points of the agent."""
    rows: list[Measured] = []
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as folder,
        agent.session(folder, STANDARD.file_bytes, _standard(1)) as running,
    ):
        for number in range(rounds):
            for threads in THREADS:
                rows.append(_short(running, threads, number))
                job = fio_reads(running.file(), BLOCK_BYTES, threads, seconds)
                rows.append(of_fio(job, "read", threads_text(threads), number))
                print(f"  {number + 1}/{rounds}, {threads_text(threads)}", flush=True)
        curve_s = sum(running.measure(_standard(threads))["took_s"] for threads in LEVELS)
    levels = [
        Level(each, *(of(rows, program, threads_text(each)) for program in (AGENT, FIO)))
        for each in THREADS
    ]
    over_all = [abs(row.rate_per_s / each.rate - 1) for each in levels for row in each.short]
    return Outcome(
        name="accuracy",
        title="Short points against long ones",
        method=(
            f"Random reads of {BLOCK_BYTES >> 10} KiB past the page cache, one file of "
            f"{STANDARD.file_bytes >> 30} GiB of noise that both programs read, into huge pages of "
            f"memory, where a block is always one piece. The agent measures "
            f"as in its standard plan (until the rate is known to {STANDARD.precision.within:.0%}, "
            f"at most {STANDARD.precision.cap_s} s; a point that it doubts is measured once more, "
            f"as its plans do), fio's psync for {seconds:.0f} s; {rounds} interleaved rounds. A "
            "deviation is that of one point of the agent from the run of fio that follows it; what "
            "fio's own runs spread is allowed beside the limit of the worst. The deviation from "
            "the median of all of fio's runs is told below: it holds the machine's drift, too."
        ),
        rows=rows,
        bars=_bars(levels, curve_s),
        notes=[
            *(
                f"{threads_text(each.threads)}: the agent's points deviate by "
                f"{', '.join(f'{one:.1%}' for one in each.deviations)}; fio's own runs by up to "
                f"{each.spread:.1%}.\n"
                for each in levels
            ),
            "From the median of all of fio's runs at their level the points deviate by "
            f"{median(over_all):.1%} (median of all points).",
        ],
    )


def _bars(levels: Sequence[Level], curve_s: float) -> list[Bar]:
    everything = [deviation for level in levels for deviation in level.deviations]
    worst = max(max(level.deviations) - level.spread for level in levels)
    bars = [
        Bar("median deviation of the rate", median(everything), MEDIAN_LIMIT),
        Bar("worst deviation of the rate beyond fio's own spread", max(0.0, worst), WORST_LIMIT),
    ]
    for level in levels:
        name = f"difference of p95, {threads_text(level.threads)} (agent/fio {level.latency:.3f})"
        bars.append(Bar(name, abs(level.latency - 1), LATENCY_LIMIT))
    share = curve_s / (len(LEVELS) * REFERENCE_S)
    name = f"time of the agent's curve of {len(LEVELS)} levels ({curve_s:.1f} s) / {len(LEVELS)}"
    return [*bars, Bar(f"{name} times {REFERENCE_S:.0f} s", share, TIME_SHARE)]


def _standard(threads: int) -> agent.Event:
    return _within(threads, STANDARD.precision) | {"buffers": "huge"}


def _within(threads: int, precision: Precision) -> agent.Event:
    """A point that ends once it is as sure as a plan's are."""
    asked = {"least_seconds": precision.least_s, "within": precision.within}
    warmup = {"warmup_seconds": precision.warmup_s}
    return agent.reads(threads, BLOCK_BYTES, precision.cap_s) | asked | warmup


def _short(running: agent.Session, threads: int, number: int) -> Measured:
    point = running.measure(_standard(threads))
    if doubts := _doubts(point["said"], threads):
        print(f"  measured once more, because: {' '.join(doubts)}", flush=True)
        point = running.measure(_standard(threads))
    return of_agent(point, threads_text(threads), number)


def _doubts(said: list[agent.Event], threads: int) -> tuple[str, ...]:
    """Why Leadline itself would not trust a point; empty when it would."""
    setting = Setting(Probe.RANDOM_READ, threads, BLOCK_BYTES, 1, "")
    step = Step(setting, STANDARD.precision.cap_s, STANDARD.precision.warmup_s)
    reader = AgentReader(Plan(PlanName.STANDARD, (), (step,), 0.0, sandbox=False))
    for event in said:
        for _ in reader.read(json.dumps(event | {"id": "0"}).encode()):
            continue
    point = reader.points[-1]
    return () if point.trust is Trust.OK else tuple(map(sentence, point.doubts))


@dataclass(frozen=True)
class Quick(Measured):
    """A quick point with its interval, and how long it took."""

    low_per_s: float = 0.0
    high_per_s: float = 0.0
    ended_by: str = ""
    seconds: float = 0.0
    swing: float = 0.0

    @property
    def half_width(self) -> float:
        """Half the interval as a share of the rate; a stalled drive's is unknown, and wide."""
        half = (self.high_per_s - self.low_per_s) / 2
        return half / self.rate_per_s if self.rate_per_s else inf


def of_quick_points(rounds: int) -> Outcome:
    """Repeat quick points in turn, each followed by a stretch of the long run."""
    found = _quick_and_long(rounds)
    rows: list[Quick] = []
    bars, notes = [], []
    for name, (_, threads) in PLACES.items():
        setting = f"{name}, {threads_text(threads)}"
        quick = [_quick(point, setting, number) for number, point in enumerate(found[name])]
        long = [point["rate_per_s"] for point in found[f"long {name}"]]
        held = mean(row.low_per_s <= mean(long) <= row.high_per_s for row in quick)
        said = f"intervals that hold the long run's rate, {setting}"
        bars.append(Bar(said, held, LEAST_HELD, at_least=True))
        notes.append(_note(setting, quick, long))
        rows += quick
    return Outcome(
        name="coverage",
        title="Coverage of the intervals of quick points",
        method=(
            f"{rounds} quick points of {BLOCK_BYTES >> 10} KiB random reads in each place, taken "
            f"in turn by one agent: until the 95 % interval is within {QUICK.within:.0%}, "
            f"{QUICK.least_s:g} s at the earliest and {QUICK.cap_s:g} s at the latest. "
            f"After each, {LONG_S:g} s of the long run on the same file; its rate is the "
            "mean of all its stretches, so that it comes from the same period."
        ),
        rows=rows,
        bars=bars,
        notes=notes,
    )


def _quick_and_long(rounds: int) -> dict[str, list[dict[str, Any]]]:
    """All points by what they are: those of a place, and those of the long run in it."""
    points: list[agent.Event] = []
    for number in range(rounds):
        for name, (_, threads) in PLACES.items():
            quick = _within(threads, QUICK) | {"id": name, "seed": 2 * number + 1}
            long = agent.reads(threads, BLOCK_BYTES, LONG_S, 2 * number + 2)
            long |= {"id": f"long {name}", "warmup_seconds": QUICK.warmup_s}
            points += [quick | {"file_set": name}, long | {"file_set": name}]
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/dev/shm") as memory,
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/var/tmp") as drive,
    ):
        sets = [
            agent.files(Path(folder), QUICK_FILE_BYTES, name)
            for name, folder in zip(PLACES, (memory, drive), strict=True)
        ]
        done, _ = agent.carry_out({"file_sets": sets, "points": points})
    found: dict[str, list[dict[str, Any]]] = {}
    for point in done:
        found.setdefault(point["id"], []).append(point)
    return found


def _quick(point: dict[str, Any], setting: str, number: int) -> Quick:
    low, high = point["ci95_per_s"]
    return Quick(
        **vars(of_agent(point, setting, number)),
        low_per_s=low,
        high_per_s=high,
        ended_by=point["ended_by"],
        seconds=point["seconds"],
        swing=point["details"]["swing"],
    )


def _note(setting: str, rows: Sequence[Quick], long: Sequence[float]) -> str:
    """How hard it was: how the place swung, and what that cost."""
    sure = mean(row.ended_by == "interval" for row in rows)
    step = median(abs(one - next_one) / max(one, next_one, 1.0) for one, next_one in pairwise(long))
    return (
        f"{setting}: the long run's rate is {mean(long):,.0f}/s; two of its stretches one after "
        f"the other differ by {step:.0%} (median). {sure:.0%} of the quick points ended by their "
        f"interval; half of it is {median(row.half_width for row in rows):.1%} wide, a point takes "
        f"{median(row.seconds for row in rows):.2f} s, and the place swings by "
        f"{median(row.swing for row in rows):.1%} (medians).\n"
    )
