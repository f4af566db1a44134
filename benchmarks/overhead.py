"""What a read costs the measuring program itself: agent, fio, sysbench on a file in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import agent
import fio
import sysbench
from noise import noise_file
from outcome import Bar, Measured, Outcome, paired_ratio, threads_text

FILE_BYTES = 256 << 20
OWN_TIME_BYTES = 4096
# The kernel's part of a read, which nobody can spare, is smallest here.
PEAK_BYTES = 512
THREADS = (1, 2)
SECONDS = 2.0
ROUNDS = 7


def compare(rounds: int = ROUNDS) -> Outcome:
    """Interleave the three programs, the order turning with each round."""
    rows: list[Measured] = []
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/dev/shm") as folder,
        # The name is the one that sysbench looks for.
        noise_file(Path(folder) / "test_file.0", FILE_BYTES) as file,
    ):
        for number in range(rounds):
            programs = [_agent, _fio, _sysbench]
            turned = programs[number % 3 :] + programs[: number % 3]
            for block_bytes, threads in product((OWN_TIME_BYTES, PEAK_BYTES), THREADS):
                rows += [program(file, block_bytes, threads, number) for program in turned]
    return Outcome(
        name="overhead",
        title="Own processor time per read, and peak rate, on a file in memory",
        method=(
            f"Random reads, O_DIRECT flag set, one file of {FILE_BYTES >> 20} MiB of noise in "
            f"/dev/shm, {SECONDS:.0f} s per run, {rounds} interleaved rounds; ratios are medians "
            "of those within a round. Own time is user time: the read itself is the kernel's. The "
            "agent reports its own; fio its jobs'; sysbench's is that of its process less that of "
            f"a run with one event. The peak rate is that of {PEAK_BYTES} B, where the kernel "
            "copies least."
        ),
        rows=rows,
        bars=_bars(rows),
        notes=_notes(rows),
    )


def _bars(rows: list[Measured]) -> list[Bar]:
    def ratio(setting: str, other: str, figure: Callable[[Measured], float]) -> float:
        return paired_ratio(rows, setting, (agent.NAME, other), figure)

    bars = []
    for threads in THREADS:
        setting = _setting(OWN_TIME_BYTES, threads)
        own_fio = ratio(setting, fio.NAME, lambda row: row.user_us)
        own_sysbench = ratio(setting, sysbench.NAME, lambda row: row.user_us)
        peak = _setting(PEAK_BYTES, threads)
        rate = ratio(peak, fio.NAME, lambda row: row.rate_per_s)
        bars += [
            Bar(f"own time per read / fio, {setting}", own_fio, 0.4),
            Bar(f"own time per read / sysbench, {setting}", own_sysbench, 0.7),
            Bar(f"peak rate / fio, {peak}", rate, 1.2, at_least=True),
        ]
    return bars


def _notes(rows: list[Measured]) -> list[str]:
    ratios = [
        paired_ratio(
            rows,
            _setting(OWN_TIME_BYTES, threads),
            (agent.NAME, fio.NAME),
            lambda row: row.rate_per_s,
        )
        for threads in THREADS
    ]
    found = " and ".join(f"{ratio:.2f}" for ratio in ratios)
    return [f"With {OWN_TIME_BYTES} B the rate was {found} times fio's, at 1 and 2 threads."]


def _setting(block_bytes: int, threads: int) -> str:
    return f"{block_bytes} B, {threads_text(threads)}"


def _agent(file: Path, block_bytes: int, threads: int, number: int) -> Measured:
    return agent.read_at_random(
        file.parent,
        file_bytes=FILE_BYTES,
        block_bytes=block_bytes,
        threads=threads,
        seconds=SECONDS,
        setting=_setting(block_bytes, threads),
        number=number,
    )


def _fio(file: Path, block_bytes: int, threads: int, number: int) -> Measured:
    return fio.measure(
        file,
        block_bytes=block_bytes,
        threads=threads,
        seconds=SECONDS,
        setting=_setting(block_bytes, threads),
        number=number,
    )


def _sysbench(file: Path, block_bytes: int, threads: int, number: int) -> Measured:
    arguments = [
        "fileio",
        "--file-num=1",
        f"--file-total-size={FILE_BYTES}",
        "--file-test-mode=rndrd",
        "--file-io-mode=sync",
        "--file-extra-flags=direct",
        f"--file-block-size={block_bytes}",
        "--rand-type=uniform",
        f"--threads={threads}",
    ]
    return sysbench.measure(
        arguments,
        seconds=SECONDS,
        setting=_setting(block_bytes, threads),
        number=number,
        cwd=file.parent,
    )
