"""Which mixtures of reads, flushes and redo are worth measuring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from probes.plans import bend
from probes.plans.patterns import ALL_FLUSHED, NOTHING_FLUSHED
from probes.plans.plan import Plan
from probes.points import Point, Probe, Setting

MOST_RATES = 5
"""So many rates of flushing below the highest: with none and all, a curve of seven."""

BELOW_HIGHEST = 0.95
"""A rate nearer to the highest than this is the highest."""

USUAL_READERS = 16
USUAL_RATE_PER_S = 4000.0
"""Where reads or flushes alone gave no figure."""


class Mixture:
    """Picks mixed steps by what reads and flushes did alone.

    Of the readers' levels it takes the highest that is not past the reads' knee; of the flush rates
    none, all, and those next below the highest rate that flushing alone reached.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._steps: dict[int, dict[int, dict[str, int]]] = {}
        for index, step in enumerate(plan.steps):
            setting = step.setting
            if setting.probe is Probe.MIXED:
                by_size = self._steps.setdefault(setting.block_size_bytes, {})
                rates = by_size.setdefault(setting.threads, {})
                rates[setting.options["flush_per_s"]] = index

    def next(self, points: Sequence[Point], tried: Mapping[int, int]) -> int | None:
        """The next mixed step; None when there is none to learn from."""
        for steps in self.wanted(points, tried):
            for index in steps:
                if not tried.get(index):
                    return index
        return None

    def wanted(self, points: Sequence[Point], tried: Mapping[int, int]) -> Iterator[list[int]]:
        """The steps to learn from, for each mixture: none flushed, all, then the ladder."""
        for size, by_readers in self._steps.items():
            for level in self._readers(size, sorted(by_readers), points, tried):
                steps = by_readers[level]
                rates = wanted_rates(list(steps), _highest_flush(points, size))
                yield [steps[rate] for rate in rates]

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
    return min(len(mixed), len(levels) * (MOST_RATES + 2))


def _reading_alone(plan: Plan, size: int) -> bool:
    return any(_is_reading(step.setting, size) for step in plan.steps)


def wanted_rates(rates: Sequence[str], highest_per_s: float | None) -> list[str]:
    """Those of ``rates`` to measure: none first, then all, then the ladder from below.

    ``highest_per_s`` is what flushing alone reached, None where that is not known.
    """
    top = USUAL_RATE_PER_S if highest_per_s is None else highest_per_s
    ladder = sorted(float(rate) for rate in rates if rate not in (NOTHING_FLUSHED, ALL_FLUSHED))
    fitting = [rate for rate in ladder if rate < BELOW_HIGHEST * top][-MOST_RATES:]
    chosen = [NOTHING_FLUSHED, ALL_FLUSHED, *(f"{rate:.0f}" for rate in fitting)]
    return [rate for rate in chosen if rate in rates]


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
