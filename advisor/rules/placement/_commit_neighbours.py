"""How much flushing slows commits down, at the rate that the server really flushes."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.watched.placement import COMMITS
from advisor.model.curves.interference import NOTICEABLE, Figure, FlushLevel, Interference
from advisor.model.curves.ratio import Ratio
from advisor.rulekit import At
from advisor.rules.placement._log import FAST_US
from probes.figures import duration_us, rate, times

WORDS = {Figure.REDO_P50: "median", Figure.REDO_P99: "p99"}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A mixture, and the rate of flushing that the server has (None: unknown)."""

    mixture: Interference
    written_per_s: float | None

    @property
    def level(self) -> FlushLevel:
        """The highest measured rate of flushing that the server reaches, else the lowest."""
        most = float("inf") if self.written_per_s is None else self.written_per_s
        levels = self.mixture.levels
        return next((each for each in reversed(levels) if each.flushed_per_s <= most), levels[0])

    @property
    def slower(self) -> tuple[Figure, Ratio] | None:
        """The commits' figure that is slowed most at a rate that the server reaches.

        None where none surely is, or the server flushes less than was measured.
        """
        reached = self.written_per_s is None or self.written_per_s >= self.level.flushed_per_s
        return self._worst(self.level) if reached else None

    @property
    def harmful_per_s(self) -> float | None:
        """The lowest measured rate of flushing that slows commits; None where none does."""
        rates = (each.flushed_per_s for each in self.mixture.levels if self._worst(each))
        return next(rates, None)

    @property
    def slowing(self) -> At:
        """The latency beside flushing over that without; chance is not in it."""
        quiet, busy = self.mixture.quiet.parts["redo"].latency, self.level.parts["redo"].latency
        found = self.slower
        median = found is None or found[0] is Figure.REDO_P50
        over, under = (busy.p50_us, quiet.p50_us) if median else (busy.p99_us, quiet.p99_us)
        name = WORDS[Figure.REDO_P50 if median else Figure.REDO_P99]
        return At(
            f"{name} beside {rate(self.level.flushed_per_s, 'flushed pages')}",
            over / under,
            of=f"{duration_us(over)} / {duration_us(under)} without",
            least=NOTICEABLE,
            say=times,
        )

    def _worst(self, level: FlushLevel) -> tuple[Figure, Ratio] | None:
        """The figure of commits that is noticeably slower, by time that counts, not by chance."""
        found = [
            (figure, ratio)
            for figure, ratio in level.slower.items()
            if figure in COMMITS
            and ratio.value >= NOTICEABLE
            and not ratio.low <= 1
            and self._added_us(figure, level) >= FAST_US
        ]
        return max(found, key=lambda pair: pair[1].value, default=None)

    def _added_us(self, figure: Figure, level: FlushLevel) -> float:
        """How much longer a commit takes beside this flushing."""
        busy, quiet = (each.parts["redo"].latency for each in (level, self.mixture.quiet))
        if figure is Figure.REDO_P50:
            return busy.p50_us - quiet.p50_us
        return busy.p99_us - quiet.p99_us
