"""Whether short points tell what long ones do: ``make bench-accuracy``.

The agent's standard plan against fio for 60 s a point, both on one file; and its redo appends
against fio's. ``--short`` takes 8 s a point to try the script itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import agent
import fio
import redo_agreement
import report
from agent import ROOT
from hdrh.histogram import HdrHistogram
from outcome import Bar, Measured, Outcome, threads_text
from process import BenchmarkError
from session import FILE_SET, Session, session

sys.path.insert(0, str(ROOT))

from advisor.wording.measured.doubts import sentence
from probes.engines.agent.events import AgentReader
from probes.plans.plan import Plan, PlanName, Step
from probes.plans.shapes import SHAPES, powers
from probes.points import Probe, Setting, Trust

BLOCK_BYTES = 16384
THREADS = (1, 4, 16, 64, 256)
LEVELS = powers(1024)
REFERENCE_S = 60.0
SHORT_S = 8.0
ROUNDS = 3

MEDIAN_LIMIT = 0.04
WORST_LIMIT = 0.10
LATENCY_LIMIT = 0.10
TIME_SHARE = 0.10

STANDARD = SHAPES[PlanName.STANDARD]


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
    def deviations_over_all(self) -> list[float]:
        """How far each point of the agent lies from the median of all runs of fio."""
        return [abs(row.rate_per_s / self.rate - 1) for row in self.short]

    @property
    def latency(self) -> float:
        """The ratio of the 95th percentiles."""
        return median(row.p95_us or 0 for row in self.short) / median(
            row.p95_us or 0 for row in self.long
        )


def compare(rounds: int, seconds: float, directory: str = "/var/tmp") -> Outcome:
    """Interleave both programs at each level; a run of fio lies between two points of the agent."""
    rows: list[Measured] = []
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=directory) as folder,
        session(Path(folder), STANDARD.file_bytes, _point(1)) as running,
    ):
        for number in range(rounds):
            for threads in THREADS:
                rows.append(_short(running, threads, number))
                rows.append(_long(running.file(), threads, number, seconds))
                print(f"  {number + 1}/{rounds}, {threads_text(threads)}", flush=True)
        curve_s = sum(running.measure(_point(threads))["took_s"] for threads in LEVELS)
    return outcome(rows, curve_s, rounds, seconds)


def outcome(rows: list[Measured], curve_s: float, rounds: int, seconds: float) -> Outcome:
    """What the rows say; ``curve_s`` is how long the agent took for all its levels."""
    levels = [
        Level(threads, *(_of(rows, program, threads) for program in (agent.NAME, fio.NAME)))
        for threads in THREADS
    ]
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
        notes=[*(_note(level) for level in levels), _note_over_all(levels)],
    )


def _bars(levels: list[Level], curve_s: float) -> list[Bar]:
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


def _note(level: Level) -> str:
    found = ", ".join(f"{deviation:.1%}" for deviation in level.deviations)
    return (
        f"{threads_text(level.threads)}: the agent's points deviate by {found}; fio's own runs by "
        f"up to {level.spread:.1%}.\n"
    )


def _note_over_all(levels: list[Level]) -> str:
    everything = [deviation for level in levels for deviation in level.deviations_over_all]
    return (
        f"From the median of all of fio's runs at their level the points deviate by "
        f"{median(everything):.1%} (median of all points).\n"
    )


def _of(rows: list[Measured], program: str, threads: int) -> list[Measured]:
    setting = threads_text(threads)
    return [row for row in rows if (row.program, row.setting) == (program, setting)]


def _point(threads: int) -> dict[str, object]:
    precision = STANDARD.precision
    return {
        "probe": "random_read",
        "file_set": FILE_SET,
        "block_size_bytes": BLOCK_BYTES,
        "threads": threads,
        "seconds": precision.cap_s,
        "least_seconds": precision.least_s,
        "within": precision.within,
        "warmup_seconds": precision.warmup_s,
        "buffers": "huge",
    }


def _short(running: Session, threads: int, number: int) -> Measured:
    point = running.measure(_point(threads))
    if doubts := _doubts(point["said"], threads):
        print(f"  measured once more, because: {' '.join(doubts)}", flush=True)
        point = running.measure(_point(threads))
    histogram = HdrHistogram.decode(point["histogram"])
    return Measured(
        program=agent.NAME,
        setting=threads_text(threads),
        round=number,
        rate_per_s=point["rate_per_s"],
        user_us=point["cpu_user_us_per_op"],
        system_us=point["cpu_system_us_per_op"],
        p50_us=histogram.get_value_at_percentile(50) / 1000,
        p95_us=histogram.get_value_at_percentile(95) / 1000,
    )


def _doubts(said: list[dict[str, object]], threads: int) -> tuple[str, ...]:
    """Why Leadline itself would not trust a point; empty when it would."""
    setting = Setting(Probe.RANDOM_READ, threads, BLOCK_BYTES, 1, "")
    step = Step(setting, STANDARD.precision.cap_s, STANDARD.precision.warmup_s)
    reader = AgentReader(Plan(PlanName.STANDARD, (), (step,), 0.0, sandbox=False))
    for event in said:
        for _ in reader.read(json.dumps(event | {"id": "0"}).encode()):
            continue
    point = reader.points[-1]
    return () if point.trust is Trust.OK else tuple(map(sentence, point.doubts))


def _long(file: Path, threads: int, number: int, seconds: float) -> Measured:
    return fio.measure(
        file,
        block_bytes=BLOCK_BYTES,
        threads=threads,
        seconds=seconds,
        setting=threads_text(threads),
        number=number,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help=f"{SHORT_S:.0f} s a point, no page")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of the comparison")
    options = parser.parse_args()
    # What is compared is the agent of this source tree.
    subprocess.run([sys.executable, str(ROOT / "packaging" / "build_agent.py")], check=True)
    facts = report.machine()
    try:
        outcomes = [
            redo_agreement.compare(),
            compare(options.rounds, SHORT_S if options.short else REFERENCE_S),
        ]
    except BenchmarkError as failure:
        print(f"The comparison failed: {failure}", file=sys.stderr)
        return 1
    text = report.page(
        outcomes, facts, title="Short points against long ones", command="make bench-accuracy"
    )
    print(text)
    if not options.short:
        for outcome in outcomes:
            report.save(outcome, facts)
        (report.HERE / "ACCURACY.md").write_text(text, encoding="utf-8")
    return 0 if all(bar.met for outcome in outcomes for bar in outcome.bars) else 1


if __name__ == "__main__":
    sys.exit(main())
