"""What a benchmark found: measured rows, and bars that they have to meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from statistics import median


@dataclass(frozen=True)
class Measured:
    """One program's run of one setting in one round; times per operation in microseconds."""

    program: str
    setting: str
    round: int
    rate_per_s: float
    user_us: float
    system_us: float
    p50_us: float | None = None
    p95_us: float | None = None


@dataclass(frozen=True)
class Bar:
    """A ratio that has to stay at or below (or at or above) a limit."""

    name: str
    ratio: float
    limit: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the bar is met."""
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit


@dataclass(frozen=True)
class Outcome:
    """One benchmark's result."""

    name: str
    title: str
    method: str
    rows: list[Measured]
    bars: list[Bar]
    notes: list[str] = field(default_factory=list)

    def document(self) -> dict[str, object]:
        """As JSON, bars with whether they are met."""
        return {
            "name": self.name,
            "method": self.method,
            "bars": [asdict(bar) | {"met": bar.met} for bar in self.bars],
            "rows": [asdict(row) for row in self.rows],
            "notes": self.notes,
        }


def middle(rows: Iterable[Measured], figure: Callable[[Measured], float]) -> float:
    """The median of a figure over rounds."""
    return median(figure(row) for row in rows)


def paired_ratio(
    rows: list[Measured],
    setting: str,
    programs: tuple[str, str],
    figure: Callable[[Measured], float],
) -> float:
    """The median, over rounds, of one program's figure divided by another's in the same round.

    Pairs are close in time, so that what else the host does touches both alike.
    """
    ratios = []
    for number in sorted({row.round for row in rows}):
        first, second = (
            next(
                row
                for row in rows
                if (row.program, row.setting, row.round) == (program, setting, number)
            )
            for program in programs
        )
        ratios.append(figure(first) / figure(second))
    return median(ratios)


def median_ratio(
    rows: list[Measured],
    setting: str,
    programs: tuple[str, str],
    figure: Callable[[Measured], float],
) -> float:
    """One program's median figure over all rounds divided by another's.

    A drive that others use too stalls now and then for one run; pairs would count that twice.
    """
    first, second = (
        middle([row for row in rows if (row.program, row.setting) == (program, setting)], figure)
        for program in programs
    )
    return first / second


def threads_text(threads: int) -> str:
    """How a number of threads names a setting."""
    return f"{threads} thread{'s' if threads > 1 else ''}"
