"""Whether the agent and fio find the same drive: rate and median latency on one file.

In three columns: fio as a user calls it (its buffers by malloc) against the agent with ordinary
pages, both with huge pages, and fio as a user calls it against the agent with huge pages, which is
how the agent was before it had a choice. The third has no bar: it is what the choice is about.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles

import agent
import fio
from outcome import Bar, Measured, Outcome, median_ratio, threads_text
from session import FILE_SET, Session, session

FILE_BYTES = 512 << 20
BLOCK_BYTES = 16384
THREADS = (1, 8, 64)
SECONDS = 2.0
ROUNDS = 7
LIMIT = 0.05

PLAIN = "fio"
FIO_HUGE = "fio, huge pages"
ORDINARY = "agent"
AGENT_HUGE = "agent, huge pages"


@dataclass(frozen=True)
class Column:
    """Two programs that are held against each other; one without a bar is only told."""

    title: str
    ours: str
    theirs: str
    barred: bool = True


COLUMNS = (
    Column("ordinary pages", ORDINARY, PLAIN),
    Column("huge pages", AGENT_HUGE, FIO_HUGE),
    Column("huge pages against fio as it is called", AGENT_HUGE, PLAIN, barred=False),
)


@dataclass(frozen=True)
class Laid(Measured):
    """A run with the pieces of memory that a block lay in on average; 0 is not known."""

    pieces: float = 0.0


def compare(rounds: int = ROUNDS, directory: str = "/var/tmp") -> Outcome:
    """Interleave all four, the order turning with each round; each round has an agent of its own.

    A new agent takes its memory anew, as each run of fio does: how it lies is chance for both.
    """
    rows: list[Laid] = []
    for number in range(rounds):
        with (
            tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=directory) as folder,
            session(Path(folder), FILE_BYTES, _point(1, "ordinary")) as running,
        ):
            for threads in THREADS:
                rows += _round(running, threads, number)
                print(f"  {number + 1}/{rounds}, {threads_text(threads)}", flush=True)
    return outcome(rows, rounds)


def outcome(rows: list[Laid], rounds: int) -> Outcome:
    """What the rows say."""
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
        rows=list(rows),
        bars=[
            bar
            for column in COLUMNS
            if column.barred
            for threads in THREADS
            for bar in _bars(rows, column, threads_text(threads))
        ],
        notes=_notes(rows),
    )


def _bars(rows: list[Laid], column: Column, setting: str) -> list[Bar]:
    bars = []
    for what, figure in FIGURES:
        ratio = median_ratio(list(rows), setting, (column.ours, column.theirs), figure)
        spread = _spread(rows, column.theirs, setting, figure)
        name = f"{column.title}: {what}, {setting} (agent/fio {ratio:.3f}, fio's own ±{spread:.1%})"
        bars.append(Bar(name, abs(ratio - 1), round(max(LIMIT, spread), 3)))
    return bars


def _notes(rows: list[Laid]) -> list[str]:
    notes = ["", f"| agent/fio | {' | '.join(column.title for column in COLUMNS)} |"]
    notes.append(f"| --- |{' ---: |' * len(COLUMNS)}")
    for threads in THREADS:
        for what, figure in FIGURES:
            setting = threads_text(threads)
            found = [
                f"{median_ratio(list(rows), setting, (each.ours, each.theirs), figure):.3f}"
                for each in COLUMNS
            ]
            notes.append(f"| {what}, {setting} | {' | '.join(found)} |")
    notes += ["", *(_pieces(rows, threads_text(threads)) for threads in THREADS)]
    return notes


def _pieces(rows: list[Laid], setting: str) -> str:
    """What explains a difference: a block in more pieces is more to do for the drive."""
    told = []
    for program in (PLAIN, ORDINARY):
        some = [row.pieces for row in rows if (row.program, row.setting) == (program, setting)]
        told.append(
            f"{program}'s blocks lay in {median(some):.1f} pieces of memory "
            f"({min(some):.1f} to {max(some):.1f} from run to run)"
        )
    return f"{setting}: {' and '.join(told)}; in huge pages it is one.\n"


def _spread(
    rows: list[Laid], program: str, setting: str, figure: Callable[[Measured], float]
) -> float:
    """How far a program's own runs lie apart: half of what their middle half spans."""
    found = [figure(row) for row in rows if (row.program, row.setting) == (program, setting)]
    if len(found) < 2:
        return 0.0
    low, middle, high = quantiles(found, n=4)
    return (high - low) / 2 / middle


def _rate(row: Measured) -> float:
    return row.rate_per_s


def _latency(row: Measured) -> float:
    return row.p50_us or 0.0


FIGURES: tuple[tuple[str, Callable[[Measured], float]], ...] = (
    ("rate", _rate),
    ("median latency", _latency),
)


def _round(running: Session, threads: int, number: int) -> list[Laid]:
    runs: list[Callable[[], Laid]] = [
        lambda: _fio(running.file(), PLAIN, threads, number),
        lambda: _agent(running, ORDINARY, threads, number),
        lambda: _fio(running.file(), FIO_HUGE, threads, number),
        lambda: _agent(running, AGENT_HUGE, threads, number),
    ]
    turned = runs[number % 4 :] + runs[: number % 4]
    return [run() for run in (turned if number % 2 else turned[::-1])]


def _point(threads: int, buffers: str) -> dict[str, object]:
    return {
        "probe": "random_read",
        "file_set": FILE_SET,
        "block_size_bytes": BLOCK_BYTES,
        "threads": threads,
        "seconds": SECONDS,
        "warmup_seconds": 0.3,
        "buffers": buffers,
    }


def _agent(running: Session, program: str, threads: int, number: int) -> Laid:
    buffers = "huge" if program == AGENT_HUGE else "ordinary"
    point = running.measure(_point(threads, buffers))
    row = agent.measured(point, setting=threads_text(threads), number=number)
    pieces = point["details"].get("pieces_per_block", 0.0)
    return Laid(**vars(replace(row, program=program)), pieces=pieces)


def _fio(file: Path, program: str, threads: int, number: int) -> Laid:
    laid: list[float] = []
    row = fio.measure(
        file,
        block_bytes=BLOCK_BYTES,
        threads=threads,
        seconds=SECONDS,
        setting=threads_text(threads),
        number=number,
        huge=program == FIO_HUGE,
        laid=laid,
    )
    return Laid(**vars(replace(row, program=program)), pieces=median(laid) if laid else 0.0)
