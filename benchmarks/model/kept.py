"""What was measured of servers with pools of all sizes, and how far forecasts lie from it.

Lines of JSON in build/bench-model/, a file for each server and size of data. A piece counts with
those of its own turns: what a shared machine gives changes within minutes. Forecasts are made anew
each time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.shared.report import ROOT, Bar, table

KEPT = ROOT / "build" / "bench-model"

OWN, OTHER = "own", "other"
"""The drive that the server was calibrated on, and the one that it is moved to."""

SHARES = (0.05, 0.10, 0.25, 0.50)
CACHED = 1.3
"""Pools as parts of the data; the last holds all of it, with what an engine keeps beside."""

THREADS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
CALIBRATED = (0.25, 16)
"""Pool and connections at which the processor time of a miss is measured: not counted."""

MOST = {OWN: 0.10, OTHER: 0.12}
"""The median error that forecasts on either drive may have."""


@dataclass(frozen=True)
class Piece:
    """One configuration in one round.

    Of a query: ``misses``, and ``cpu_us`` of the machine's processors.
    """

    drive: str
    share: float
    threads: int
    round: int
    rate_per_s: float
    misses: float
    cpu_us: float


@dataclass(frozen=True)
class Reads:
    """What a drive gives to so many threads that read pages at random, in one round.

    ``user_us`` and ``system_us`` are what a read takes of a processor.
    """

    drive: str
    threads: int
    round: int
    rate_per_s: float
    user_us: float
    system_us: float


@dataclass(frozen=True)
class Forecast:
    """A configuration as it was forecast, and as it was measured in each round."""

    drive: str
    share: float
    threads: int
    value: float
    low: float
    high: float
    measured: tuple[float, ...]

    @property
    def error(self) -> float:
        """How far it lies above the median of all rounds, as a share of it."""
        return self.value / median(self.measured) - 1

    @property
    def inside(self) -> bool:
        """Whether the median lies in its band."""
        return self.low <= median(self.measured) <= self.high

    @property
    def cell(self) -> str:
        """The median that was measured, and the error; * is outside of the band."""
        return f"{median(self.measured):,.0f} {self.error:+.0%}{'' if self.inside else '*'}"


class Kept:
    """All pieces of one server with one size of data, and its drives' reads."""

    def __init__(self, name: str, folder: Path = KEPT) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{name}.jsonl"
        self._pieces: dict[tuple[str, float, int, int], Piece] = {}
        self._reads: dict[tuple[str, int, int], Reads] = {}
        for line in self._file.read_text("utf-8").splitlines() if self._file.is_file() else ():
            self._take(json.loads(line))

    def add(self, turns: Iterable[Piece | Reads]) -> None:
        """Keep what was measured in the turns of one number of connections."""
        with self._file.open("a", encoding="utf-8") as file:
            for each in turns:
                told = {"piece" if isinstance(each, Piece) else "reads": asdict(each)}
                file.write(json.dumps(told) + "\n")
                self._take(told)

    def _take(self, told: Mapping[str, Any]) -> None:
        if "reads" in told:
            reads = Reads(**told["reads"])
            self._reads[reads.drive, reads.threads, reads.round] = reads
        else:
            piece = Piece(**told["piece"])
            self._pieces[piece.drive, piece.share, piece.threads, piece.round] = piece

    def missing(self, drives: Iterable[str], rounds: int) -> list[tuple[int, int]]:
        """The rounds and connections that are still to be measured on one of these drives."""
        return [
            (number, threads)
            for number in range(rounds)
            for threads in THREADS
            if any((drive, threads, number) not in self._reads for drive in drives)
        ]

    @property
    def drives(self) -> list[str]:
        """The drives that were read."""
        return [each for each in (OWN, OTHER) if any(key[0] == each for key in self._reads)]

    def rounds(self, drive: str, share: float, threads: int) -> list[Piece]:
        """One configuration, round by round."""
        wanted = (drive, share, threads)
        return [each for key, each in sorted(self._pieces.items()) if key[:3] == wanted]

    @property
    def cached(self) -> str:
        """The server's curve with all data in its pool, as CSV."""
        return _curve((threads, self.rounds(OWN, CACHED, threads), []) for threads in THREADS)

    def curve(self, drive: str) -> str:
        """A drive's random reads, as CSV."""
        found = sorted(self._reads.items())
        by_threads = (
            (threads, [each for key, each in found if key[:2] == (drive, threads)])
            for threads in THREADS
        )
        return _curve((threads, reads, reads) for threads, reads in by_threads)

    @property
    def read_cpu_us(self) -> float | None:
        """What a miss takes of the processors, at the one point where that is measured."""
        return self._of_a_miss(lambda piece: piece.cpu_us)

    def read_kept_us(self, drive: str, processors: int) -> float | None:
        """What a miss keeps of the processors at that point, at work or idle, on this drive.

        So many connections leave them nothing to be idle for but threads that sleep and wake for
        their reads: a drive whose reads wait half as long leaves them idle for half of that.
        """
        counted = self.read_cpu_us
        kept = self._of_a_miss(lambda piece: 1e6 * processors / piece.rate_per_s)
        waits_us, own_us = self._lone_wait_us(drive), self._lone_wait_us(OWN)
        if counted is None or kept is None or waits_us is None or not own_us:
            return counted
        return counted + max(0.0, kept - counted) * min(1.0, waits_us / own_us)

    def _lone_wait_us(self, drive: str) -> float | None:
        """What a lone read takes besides its processor time."""
        found = [
            1e6 / each.rate_per_s - each.user_us - each.system_us
            for key, each in self._reads.items()
            if key[:2] == (drive, 1)
        ]
        return max(0.0, median(found)) if found else None

    def _of_a_miss(self, taken_us: Callable[[Piece], float]) -> float | None:
        share, threads = CALIBRATED
        both = self.rounds(OWN, share, threads), self.rounds(OWN, CACHED, threads)
        # Of one round, so of the same minute.
        found = [
            (taken_us(small) - taken_us(cached)) / small.misses
            for small, cached in zip(*both, strict=True)
        ]
        return max(0.0, median(found)) if found else None

    def reads(self, drive: str, share: float) -> float | None:
        """Misses of a query: they are counted, where the model is asked what they make of it."""
        found = [each.misses for key, each in self._pieces.items() if key[:2] == (drive, share)]
        return median(found) if found else None

    def held(self, drive: str, share: float, told: Mapping[str, list[float]]) -> Iterator[Forecast]:
        """A forecast's columns beside what was measured; the calibrated point is left out."""
        columns = zip(told["threads"], told["rate_per_s"], told["low"], told["high"], strict=True)
        for threads, value, low, high in columns:
            rounds = self.rounds(drive, share, int(threads))
            if rounds and (drive, share, int(threads)) != (OWN, *CALIBRATED):
                rates = tuple(each.rate_per_s for each in rounds)
                yield Forecast(drive, share, int(threads), value, low, high, rates)


def _curve(columns: Iterable[tuple[int, Sequence[Piece | Reads], Sequence[Reads]]]) -> str:
    """Threads with what each round gave: the median, and from the least to the most."""
    rows = [
        "threads,rate_per_s,ci95_low_per_s,ci95_high_per_s,cpu_user_us_per_op,cpu_system_us_per_op"
    ]
    for threads, rounds, reads in columns:
        rates = [each.rate_per_s for each in rounds]
        if not rates:
            continue
        value = median(rates)
        low, high = min(*rates, 0.99 * value), max(*rates, 1.01 * value)
        taken = ([each.user_us for each in reads], [each.system_us for each in reads])
        said = ",".join(f"{median(each):.2f}" if each else "" for each in taken)
        rows.append(f"{threads},{value:.1f},{low:.1f},{high:.1f},{said}")
    return "\n".join([*rows, ""])


def bars(found: Iterable[Forecast], drives: Iterable[str]) -> list[Bar]:
    """Whether the forecasts on each drive are as near as they have to be."""
    errors = {drive: [abs(each.error) for each in found if each.drive == drive] for drive in drives}
    return [
        Bar(f"median error on the {drive} drive", median(some) if some else 1.0, MOST[drive])
        for drive, some in errors.items()
    ]


def lines(found: Sequence[Forecast], kept: Kept) -> Iterator[str]:
    """What MODEL.md says."""
    yield (
        "sysbench looks up rows by uniformly chosen keys over a unix socket. Forecast from the "
        "server's curve with all data in its pool, the drive's own reads, misses of a query as "
        "counted, and what a miss keeps of the machine's processors, which is measured with a pool "
        f"of {CALIBRATED[0]:.0%} of the data and {CALIBRATED[1]} connections (not counted): their "
        "time at work, and what they idle for it, less of that the shorter a drive's lone read "
        "waits. Each cell has the median of the rounds, and the forecast's error; * is outside of "
        "its band."
    )
    for drive, title in ((OWN, "The same drive"), (OTHER, "Another drive")):
        some = {(each.share, each.threads): each for each in found if each.drive == drive}
        if not some:
            continue
        rows = (
            (
                f"{share:.0%}",
                *(some[share, each].cell if (share, each) in some else "" for each in THREADS),
            )
            for share in SHARES
        )
        yield from ("", f"## {title}", "", *table(("pool", *map(str, THREADS)), rows), "")
        errors = [abs(each.error) for each in some.values()]
        inside = sum(each.inside for each in some.values()) / len(some)
        spread = median(
            (max(each.measured) - min(each.measured)) / median(each.measured)
            for each in some.values()
        )
        yield (
            f"Median error {median(errors):.1%} (bar {MOST[drive]:.0%}), largest "
            f"{max(errors):.0%}, {inside:.0%} within the band; rounds lie {spread:.1%} apart in "
            "the median."
        )
    if kept.read_cpu_us is not None:
        yield from ("", f"A miss takes {kept.read_cpu_us:.0f} µs of the processors.")
