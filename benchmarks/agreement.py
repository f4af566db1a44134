"""Whether the agent and fio find the same drive: rate and median latency on a plain file."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from statistics import quantiles

import agent
import fio
from noise import noise_file
from outcome import Bar, Measured, Outcome, median_ratio, threads_text

FILE_BYTES = 512 << 20
BLOCK_BYTES = 16384
THREADS = (1, 8, 64)
SECONDS = 2.0
ROUNDS = 7
LIMIT = 0.05


def compare(rounds: int = ROUNDS, directory: str = "/var/tmp") -> Outcome:
    """Interleave the two programs, the first one turning with each round."""
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=directory) as folder:
        for number in range(rounds):
            programs = [_agent, _fio] if number % 2 else [_fio, _agent]
            for threads in THREADS:
                rows += [program(Path(folder), threads, number) for program in programs]
    bars = []
    for threads in THREADS:
        setting = threads_text(threads)
        rate = median_ratio(rows, setting, (agent.NAME, fio.NAME), lambda row: row.rate_per_s)
        latency = median_ratio(rows, setting, (agent.NAME, fio.NAME), lambda row: row.p50_us or 0)
        bars += [
            Bar(f"difference of the rate, {setting} (agent/fio {rate:.3f})", abs(rate - 1), LIMIT),
            Bar(
                f"difference of the median latency, {setting} (agent/fio {latency:.3f})",
                abs(latency - 1),
                LIMIT,
            ),
        ]
    return Outcome(
        name="agreement",
        title="Agreement with fio on a drive",
        method=(
            f"{BLOCK_BYTES >> 10} KiB random reads, O_DIRECT, one file of "
            f"{FILE_BYTES >> 20} MiB of noise, written anew and read once before each run of "
            f"{SECONDS:.0f} s, which a warm-up of 0.3 s precedes; {rounds} interleaved pairs; the "
            "medians over all runs are compared."
        ),
        rows=rows,
        bars=bars,
        notes=[_uncertainty(rows, threads_text(threads)) for threads in THREADS],
    )


def _uncertainty(rows: list[Measured], setting: str) -> str:
    """How far two medians may differ on this drive although both programs do the same.

    The notch of a box plot (McGill, Tukey, Larsen 1978): 1.57 interquartile ranges over the root of
    the number of runs, here for the difference of two medians of fio's own runs.
    """
    rates = [row.rate_per_s for row in rows if (row.program, row.setting) == (fio.NAME, setting)]
    low, middle, high = quantiles(rates, n=4)
    spread = (high - low) / middle
    notch = 1.57 * spread / math.sqrt(len(rates)) * math.sqrt(2)
    return (
        f"{setting}: the middle half of fio's own runs spans {spread:.0%} of its median rate, so "
        f"two medians of {len(rates)} runs may differ by {notch:.0%} by chance."
    )


def _agent(directory: Path, threads: int, number: int) -> Measured:
    return agent.read_at_random(
        directory,
        file_bytes=FILE_BYTES,
        block_bytes=BLOCK_BYTES,
        threads=threads,
        seconds=SECONDS,
        setting=threads_text(threads),
        number=number,
    )


def _fio(directory: Path, threads: int, number: int) -> Measured:
    # The agent's files are new in each run: what lies below a file system may still be busy with
    # what was written.
    with noise_file(directory / "noise", FILE_BYTES) as file:
        return fio.measure(
            file,
            block_bytes=BLOCK_BYTES,
            threads=threads,
            seconds=SECONDS,
            setting=threads_text(threads),
            number=number,
        )
