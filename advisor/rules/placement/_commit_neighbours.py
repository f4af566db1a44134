"""How commits bear the flushing beside them, at the rate that the server really flushes."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.placement import COMMITS
from advisor.model.interference import NOTICEABLE, Figure, Interference, Level
from advisor.model.ratio import Ratio
from probes import figures

WORDS = {Figure.REDO_P50: "median", Figure.REDO_P99: "p99"}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A mixture, and the rate of flushing that the server has (None: unknown)."""

    mixture: Interference
    written_per_s: float | None

    @property
    def level(self) -> Level:
        """The highest measured rate of flushing that the server reaches, else the lowest."""
        most = float("inf") if self.written_per_s is None else self.written_per_s
        levels = self.mixture.levels
        return next((each for each in reversed(levels) if each.flushed_per_s <= most), levels[0])

    @property
    def slower(self) -> tuple[Figure, Ratio] | None:
        """The commits' figure that suffers most at a rate that the server reaches.

        None where none does for sure, or the server flushes less than was measured.
        """
        reached = self.written_per_s is None or self.written_per_s >= self.level.flushed_per_s
        return _worst(self.level) if reached else None

    @property
    def harmful_per_s(self) -> float | None:
        """The lowest measured rate of flushing that commits suffer from; None where none does."""
        rates = (each.flushed_per_s for each in self.mixture.levels if _worst(each) is not None)
        return next(rates, None)

    @property
    def formula(self) -> str:
        """The slowing with its numbers put in."""
        level, quiet = self.level, self.mixture.quiet.parts["redo"]
        busy = level.parts["redo"]
        found = self.slower
        if found is None or found[0] is Figure.REDO_P50:
            name, over, under = "median", busy.latency.p50_us, quiet.latency.p50_us
        else:
            name, over, under = "p99", busy.latency.p99_us, quiet.latency.p99_us
        return (
            f"{name} beside {figures.rate(level.flushed_per_s, 'flushed pages')} "
            f"{figures.duration_us(over)} / {figures.duration_us(under)} without = "
            f"{figures.times(over / under)}; it counts from {figures.times(NOTICEABLE)}"
        )


def _worst(level: Level) -> tuple[Figure, Ratio] | None:
    """The figure of commits that is noticeably slower and not by chance."""
    found = [
        (figure, ratio)
        for figure, ratio in level.slower.items()
        if figure in COMMITS and ratio.value >= NOTICEABLE and not ratio.low <= 1
    ]
    return max(found, key=lambda pair: pair[1].value, default=None)
