"""Whether the agent and fio find the same drive: reads in memory of either kind, and commits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles

from benchmarks.probes.outcome import (
    MEDIAN,
    RATE,
    Figure,
    Measured,
    Outcome,
    median_ratio,
    of,
    threads_text,
)
from benchmarks.probes.programs import AGENT, FIO, fio_job, fio_reads, of_agent, of_fio
from benchmarks.shared import agent
from benchmarks.shared.report import Bar, table

ROUNDS = 7
DIRECTORY = "/var/tmp"
FILE_BYTES = 512 << 20
BLOCK_BYTES = 16384
THREADS = (1, 8, 64)
SECONDS = 2.0
LIMIT = 0.05

FIO_HUGE, AGENT_HUGE = "fio, huge pages", "agent, huge pages"
COLUMNS = {
    "ordinary pages": (AGENT, FIO),
    "huge pages": (AGENT_HUGE, FIO_HUGE),
    "huge pages against fio as it is called": (AGENT_HUGE, FIO),
}
"""What is held against what. The last has no bar: it is what the agent's choice is about."""

BARRED = tuple(COLUMNS)[:2]
FIGURES: dict[str, Figure] = {"rate": RATE, "median latency": MEDIAN}

LOG_BLOCK_BYTES, LOG_BYTES, LOG_ROUNDS = 4096, 64 << 20, 9
COMMIT = f"{LOG_BLOCK_BYTES} B, fdatasync"


@dataclass(frozen=True)
class Laid(Measured):
    """A run with the pieces of memory that a block lay in on average; 0 is not known."""

    pieces: float = 0.0


def of_reads(rounds: int) -> Outcome:
    """Interleave all four, the order turning with each round; each round has an agent of its own.

    A new agent takes its memory anew, as each run of fio does: how it lies is chance for both.
    """
    rows: list[Laid] = []
    for number in range(rounds):
        with (
            tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=DIRECTORY) as folder,
            agent.session(folder, FILE_BYTES, _point(1, AGENT)) as running,
        ):
            for threads in THREADS:
                rows += _round(running, threads, number)
                print(f"  {number + 1}/{rounds}, {threads_text(threads)}", flush=True)
    compared = [
        (title, *programs, what, figure, threads_text(threads))
        for title, programs in COLUMNS.items()
        for threads in THREADS
        for what, figure in FIGURES.items()
    ]
    ratios = {
        (title, what, setting): median_ratio(rows, setting, ours, theirs, figure)
        for title, ours, theirs, what, figure, setting in compared
    }
    bars = []
    for title, _, theirs, what, figure, setting in compared:
        ratio, spread = ratios[title, what, setting], _spread(rows, theirs, setting, figure)
        name = f"{title}: {what}, {setting} (agent/fio {ratio:.3f}, fio's own ±{spread:.1%})"
        if title in BARRED:
            bars.append(Bar(name, abs(ratio - 1), round(max(LIMIT, spread), 3)))
    cells = [
        (
            f"{what}, {threads_text(threads)}",
            *(f"{ratios[title, what, threads_text(threads)]:.3f}" for title in COLUMNS),
        )
        for threads in THREADS
        for what in FIGURES
    ]
    return Outcome(
        name="agreement",
        title="Agreement with fio on a drive",
        method=(
            f"{BLOCK_BYTES >> 10} KiB random reads, O_DIRECT, one file of "
            f"{FILE_BYTES >> 20} MiB of noise that all programs read, written anew and read once "
            f"in each round; runs of {SECONDS:.0f} s, which a warm-up of 0.3 s precedes; {rounds} "
            'interleaved rounds; the medians over all runs are compared. "fio" is fio\'s psync as '
            'a user calls it, with buffers by malloc; "agent" has ordinary pages. The limit is '
            f"{LIMIT:.0%}, or how far apart fio's own runs of the setting lie (half of what their "
            "middle half spans, as a share of their median) where that is more."
        ),
        rows=rows,
        bars=bars,
        notes=[
            *table(("agent/fio", *COLUMNS), cells),
            "",
            *(_pieces(rows, threads_text(threads)) for threads in THREADS),
        ],
    )


def _pieces(rows: Sequence[Laid], setting: str) -> str:
    """What explains a difference: a block in more pieces is more to do for the drive."""
    told = []
    for program in (FIO, AGENT):
        some = [row.pieces for row in rows if (row.program, row.setting) == (program, setting)]
        told.append(
            f"{program}'s blocks lay in {median(some):.1f} pieces of memory "
            f"({min(some):.1f} to {max(some):.1f} from run to run)"
        )
    return f"{setting}: {' and '.join(told)}; in huge pages it is one.\n"


def _spread(rows: Sequence[Measured], program: str, setting: str, figure: Figure) -> float:
    """How far a program's own runs lie apart: half of what their middle half spans."""
    found = [figure(row) for row in of(rows, program, setting)]
    if len(found) < 2:
        return 0.0
    low, middle, high = quantiles(found, n=4)
    return (high - low) / 2 / middle


def _round(running: agent.Session, threads: int, number: int) -> list[Laid]:
    runs = [
        (program, measure)
        for programs in ((FIO, AGENT), (FIO_HUGE, AGENT_HUGE))
        for program, measure in zip(programs, (_fio, _agent), strict=True)
    ]
    turned = runs[number % 4 :] + runs[: number % 4]
    order = turned if number % 2 else turned[::-1]
    return [measure(running, program, threads, number) for program, measure in order]


def _point(threads: int, program: str) -> agent.Event:
    buffers = "huge" if program == AGENT_HUGE else "ordinary"
    return agent.reads(threads, BLOCK_BYTES, SECONDS, buffers=buffers)


def _agent(running: agent.Session, program: str, threads: int, number: int) -> Laid:
    point = running.measure(_point(threads, program))
    row = of_agent(point, threads_text(threads), number, program)
    return Laid(**vars(row), pieces=point["details"].get("pieces_per_block", 0.0))


def _fio(running: agent.Session, program: str, threads: int, number: int) -> Laid:
    laid: list[float] = []
    huge = program == FIO_HUGE
    job = fio_reads(running.file(), BLOCK_BYTES, threads, SECONDS, huge=huge, laid=laid)
    row = replace(of_fio(job, "read", threads_text(threads), number), program=program)
    return Laid(**vars(row), pieces=median(laid) if laid else 0.0)


def of_commits(rounds: int = LOG_ROUNDS) -> Outcome:
    """Interleave the two programs on appends that are synced, the first one turning."""
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=DIRECTORY) as folder:
        log = Path(folder) / "log"
        fio_job(*_appends(log), "--bs=1M", "--end_fsync=1", "--refill_buffers")
        for number in range(rounds):
            programs: list[Callable[[Path, int], Measured]] = [_fio_commits, _agent_commits]
            rows += [each(log, number) for each in programs[:: -1 if number % 2 else 1]]
    latency = median_ratio(rows, COMMIT, AGENT, FIO, MEDIAN)
    rate = median_ratio(rows, COMMIT, AGENT, FIO, RATE)
    name = f"difference of the median latency of a commit (agent/fio {latency:.3f})"
    return Outcome(
        name="redo_agreement",
        title="Agreement with fio on a commit",
        method=(
            f"One writer, {LOG_BLOCK_BYTES} B in order through the page cache into a file of "
            f"{LOG_BYTES >> 20} MiB that is there, fdatasync after each, {SECONDS:.0f} s per run; "
            f"{rounds} interleaved pairs; the medians over all runs are compared. fio measures "
            "write and sync apart: its median here is that of the sync and the mean of the write."
        ),
        rows=rows,
        bars=[Bar(name, abs(latency - 1), LIMIT)],
        notes=[f"The rate of commits was {rate:.3f} times fio's."],
    )


def _agent_commits(log: Path, number: int) -> Measured:
    where = {"directory": str(log.parent), "block_size_bytes": LOG_BLOCK_BYTES, "sync": "fdatasync"}
    point = agent.point("redo_sync", 1, SECONDS, number, **where)
    (found,), _ = agent.carry_out({"file_sets": [], "points": [point]})
    return of_agent(found, COMMIT, number)


def _fio_commits(log: Path, number: int) -> Measured:
    timed = ("--fdatasync=1", "--time_based", f"--runtime={SECONDS:.0f}s", "--ramp_time=300ms")
    job = fio_job(*_appends(log), f"--bs={LOG_BLOCK_BYTES}", *timed)
    sync_ns = job["sync"]["lat_ns"]["percentile"]["50.000000"]
    both_us = (sync_ns + job["write"]["clat_ns"]["mean"]) / 1000
    return replace(of_fio(job, "write", COMMIT, number), p50_us=both_us, p95_us=None)


def _appends(log: Path) -> list[str]:
    return [f"--filename={log}", f"--size={LOG_BYTES}", "--rw=write"]
