"""Which mixtures of reads, flushes and redo are worth measuring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from probes.kinds.flush import ALL_FLUSHED, NOTHING_FLUSHED
from probes.plans.plan import Plan
from probes.plans.spend import bend
from probes.points import Point, Probe, Setting

MOST_RATES = 5
"""This many rates of the ladder below the highest: with none and all, a curve of seven."""

BELOW_HIGHEST = 0.95
"""A rate nearer to the highest than this is the highest."""

USUAL_READERS = 16
USUAL_RATE_PER_S = 4000.0
"""Where reads or flushes alone gave no figure."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The steps of one mixture, at one level of readers.

    ``ends`` come first, and together: without flushing, at the server's own rate where that is
    known, and with all that the drive can flush. ``between`` are the rates of the ladder.
    """

    ends: tuple[int, ...]
    between: tuple[int, ...]


class Mixture:
    """Picks mixed steps by what reads and flushes did alone.

    Of the readers' levels it takes the highest that is not past the reads' knee; of the flush rates
    none, the server's own, all, and those next below the highest rate that flushing alone reached.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._own = f"{plan.server_flush_per_s:.0f}"
        self._steps: dict[int, dict[int, dict[str, int]]] = {}
        for index, step in enumerate(plan.steps):
            setting = step.setting
            if setting.probe is Probe.MIXED:
                by_size = self._steps.setdefault(setting.block_size_bytes, {})
                rates = by_size.setdefault(setting.threads, {})
                rates[setting.options["flush_per_s"]] = index

    def next(self, points: Sequence[Point], tried: Mapping[int, int]) -> int | None:
        """The next mixed step; None when there is none to learn from."""
        for wanted in self.wanted(points, tried):
            for index in (*wanted.ends, *wanted.between):
                if not tried.get(index):
                    return index
        return None

    def wanted(self, points: Sequence[Point], tried: Mapping[int, int]) -> Iterator[Wanted]:
        """The steps to learn from, for each mixture."""
        for size, by_readers in self._steps.items():
            for level in self._readers(size, sorted(by_readers), points, tried):
                steps = by_readers[level]
                highest_per_s = _highest_flush(points, size)
                ends = wanted_ends(list(steps), highest_per_s, self._own)
                between = wanted_ladder([each for each in steps if each not in ends], highest_per_s)
                yield Wanted(
                    tuple(steps[rate] for rate in ends), tuple(steps[rate] for rate in between)
                )

    def _readers(
        self, size: int, levels: list[int], points: Sequence[Point], tried: Mapping[int, int]
    ) -> list[int]:
        """One level at the knee; all of them where no reads are in the plan to have a knee."""
        if not _reading_alone(self._plan, size):
            return levels
        started = [
            level
            for level in levels
            if any(tried.get(index) for index in self._steps[size][level].values())
        ]
        if started:
            return started
        bend_at = bend.knee(
            {
                point.setting.threads: (point.rate_per_s, point.rate_per_s)
                for point in points
                if _is_reading(point.setting, size)
            }
        )
        highest = USUAL_READERS if bend_at is None else bend_at
        return [max((level for level in levels if level <= highest), default=levels[0])]


def most_mixed(plan: Plan) -> int:
    """How many of its mixed steps a plan takes at most."""
    mixed = [step.setting for step in plan.steps if step.setting.probe is Probe.MIXED]
    if not plan.adaptive:
        return len(mixed)
    levels = {
        # Where reads have a knee, one level of readers is taken.
        (size, 0 if _reading_alone(plan, size) else setting.threads)
        for setting in mixed
        for size in (setting.block_size_bytes,)
    }
    ends = 3 if plan.server_flush_per_s else 2
    return min(len(mixed), len(levels) * (MOST_RATES + ends))


def _reading_alone(plan: Plan, size: int) -> bool:
    return any(_is_reading(step.setting, size) for step in plan.steps)


def wanted_ends(
    rates: Sequence[str], highest_per_s: float | None, own: str = NOTHING_FLUSHED
) -> list[str]:
    """Those of ``rates`` to begin with: none, the server's ``own`` where it has one, then all.

    ``highest_per_s`` is what flushing alone reached, None where that is not known. An own rate that
    is as high as that is all.
    """
    chosen = [NOTHING_FLUSHED, *_below([own], highest_per_s), ALL_FLUSHED]
    return [rate for rate in chosen if rate in rates]


def wanted_ladder(rates: Sequence[str], highest_per_s: float | None) -> list[str]:
    """Those of the other ``rates`` to measure, from below."""
    return _below(rates, highest_per_s)[-MOST_RATES:]


def _below(rates: Sequence[str], highest_per_s: float | None) -> list[str]:
    """The rates of flushing that a drive gives without being asked for all, in their order."""
    top = BELOW_HIGHEST * (USUAL_RATE_PER_S if highest_per_s is None else highest_per_s)
    numbers = set(rates) - {NOTHING_FLUSHED, ALL_FLUSHED}
    return sorted((rate for rate in numbers if float(rate) < top), key=float)


def _is_reading(setting: Setting, size: int) -> bool:
    return (
        setting.probe is Probe.RANDOM_READ
        and setting.block_size_bytes == size
        and not setting.options
    )


def _highest_flush(points: Sequence[Point], size: int) -> float | None:
    flushed = [
        point.rate_per_s
        for point in points
        if point.setting.probe is Probe.PAGE_FLUSH
        and point.setting.block_size_bytes == size
        and point.setting.options.get("doublewrite") == "on"
    ]
    return max(flushed, default=None)
