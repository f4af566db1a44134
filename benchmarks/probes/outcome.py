"""What a comparison of programs found: rows that were measured, and bars that they have to meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from statistics import median

from benchmarks.shared.report import Bar, bars_table, save_raw, table

Figure = Callable[["Measured"], float]


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


RATE: Figure = lambda row: row.rate_per_s  # noqa: E731 - one of several figures
OWN: Figure = lambda row: row.user_us  # noqa: E731
MEDIAN: Figure = lambda row: row.p50_us or 0.0  # noqa: E731
LATE: Figure = lambda row: row.p95_us or 0.0  # noqa: E731


@dataclass(frozen=True)
class Outcome:
    """One comparison's result."""

    name: str
    title: str
    method: str
    rows: Sequence[Measured]
    bars: list[Bar]
    notes: list[str] = field(default_factory=list)

    def save(self) -> None:
        """Write every figure into build/bench/."""
        found = {"method": self.method, "rows": [asdict(row) for row in self.rows]}
        save_raw(self.name, found | {"notes": self.notes}, self.bars)

    def section(self, on: str = "") -> list[str]:
        """Its part of a page; ``on`` is the machine, where that is not the page's."""
        head = [f"## {self.title}", "", *([f"On {on}.", ""] if on else []), self.method, ""]
        return [*head, *_table(self.rows), "", *bars_table(self.bars), "", *self.notes, ""]


def put_in(page: str, outcome: Outcome, on: str) -> str:
    """A page with one section written anew, or added at its end."""
    head, *sections = page.split("\n## ")
    new = "\n".join(outcome.section(on)).removeprefix("## ").rstrip() + "\n"
    titles = [each.partition("\n")[0] for each in sections]
    at = titles.index(outcome.title) if outcome.title in titles else len(sections)
    sections[at : at + 1] = [new]
    return "\n## ".join([head, *sections])


def of(rows: Iterable[Measured], program: str, setting: str) -> list[Measured]:
    """One program's rows of one setting, round by round."""
    return [row for row in rows if (row.program, row.setting) == (program, setting)]


def paired_ratio(
    rows: Sequence[Measured], setting: str, ours: str, theirs: str, figure: Figure
) -> float:
    """The median, over rounds, of one program's figure divided by another's in the same round.

    Pairs are close in time, so that what else the host does touches both alike.
    """
    pairs = zip(of(rows, ours, setting), of(rows, theirs, setting), strict=True)
    return median(figure(first) / figure(second) for first, second in pairs)


def median_ratio(
    rows: Sequence[Measured], setting: str, ours: str, theirs: str, figure: Figure
) -> float:
    """One program's median figure over all rounds divided by another's.

    A drive that others use too stalls now and then for one run; pairs would count that twice.
    """
    first, second = (median(map(figure, of(rows, each, setting))) for each in (ours, theirs))
    return first / second


def threads_text(threads: int) -> str:
    """How a number of threads names a setting."""
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _table(rows: Sequence[Measured]) -> list[str]:
    settings = dict.fromkeys(row.setting for row in rows)
    cells = []
    for setting, program in product(settings, sorted({row.program for row in rows})):
        some = of(rows, program, setting)
        if some:
            late = "" if some[0].p50_us is None else f"{median(map(MEDIAN, some)):.1f}"
            own, system = median(map(OWN, some)), median(row.system_us for row in some)
            rate = f"{median(map(RATE, some)):,.0f}"
            cells.append((setting, program, rate, late, f"{own:.3f}", f"{system:.3f}"))
    header = ("setting", "program", "rate/s", "median latency, µs", "user, µs/op", "system, µs/op")
    return table(header, cells, words=2)
