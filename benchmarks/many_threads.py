"""What a thousand threads cost the agent: memory, and time until all of them are there."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from statistics import median

import agent
from outcome import Bar, Measured, Outcome, threads_text

THREADS = 1024
BLOCK_BYTES = 16384
FILE_BYTES = 256 << 20
SECONDS = 1.0
ROUNDS = 7
DIRECTORIES = {"on a drive": "/var/tmp", "in memory": "/dev/shm"}
MOST_RESIDENT_MIB = 128.0
LONGEST_LAUNCH_MS = 300.0


@dataclass(frozen=True)
class Crowd(Measured):
    """One run of many threads; ``resident_mib`` is the process at its largest."""

    launch_ms: float = 0.0
    resident_mib: float = 0.0


def compare(rounds: int = ROUNDS) -> Outcome:
    """Start an agent anew for each run, in turn on a drive and in memory."""
    rows = [
        _run(where, directory, number)
        for number in range(rounds)
        for where, directory in DIRECTORIES.items()
    ]
    return Outcome(
        name="many_threads",
        title="A thousand threads",
        method=(
            f"{BLOCK_BYTES >> 10} KiB random reads by {threads_text(THREADS)} on one file of "
            f"{FILE_BYTES >> 20} MiB, {SECONDS:g} s per run, {rounds} runs on a drive and in "
            "memory, each by a new agent. The time to start is its own reading, from before the "
            "first thread until the last is there; the memory is the kernel's, of the process at "
            f"its largest, with {THREADS * BLOCK_BYTES >> 20} MiB of buffers. Medians count."
        ),
        rows=list(rows),
        bars=[bar for where in DIRECTORIES for bar in _bars(where, rows)],
    )


def _run(where: str, directory: str, number: int) -> Crowd:
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=directory) as folder:
        files = {"id": "f", "directory": folder, "files": 1, "bytes_per_file": FILE_BYTES}
        point = {
            "id": "p",
            "probe": "random_read",
            "file_set": "f",
            "block_size_bytes": BLOCK_BYTES,
            "threads": THREADS,
            "seconds": SECONDS,
            "warmup_seconds": 0.3,
            "seed": number,
        }
        plan: dict[str, object] = {"ignore_floor": True, "file_sets": [files], "points": [point]}
        report = agent.carry_out(plan)
    row = agent.measured(report.points[0], setting=where, number=number)
    return Crowd(
        **vars(row),
        launch_ms=report.points[0]["details"]["launch_s"] * 1000,
        resident_mib=report.resident_bytes / 2**20,
    )


def _bars(where: str, rows: list[Crowd]) -> list[Bar]:
    some = [row for row in rows if row.setting == where]
    return [
        Bar(
            f"resident memory in MiB, {where}",
            median(row.resident_mib for row in some),
            MOST_RESIDENT_MIB,
        ),
        Bar(
            f"time to start all threads in ms, {where}",
            median(row.launch_ms for row in some),
            LONGEST_LAUNCH_MS,
        ),
    ]
