"""How much reads and commits suffer while pages are flushed, and up to which rate they do not.

innodb_io_capacity is how many pages InnoDB may flush each second in the background. What the
drive could flush alone is no measure for it: long before, a foreground read waits behind a batch of
pages. So flushing is measured at a ladder of rates beside reads and a redo log, and the ceiling is
the highest rate at which neither of them is noticeably slower than without flushing. Any
io_capacity above it is paid for by queries. (MySQL manual, "Configuring InnoDB I/O Capacity": keep
it as low as practical; Percona, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!", 2019.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from advisor.model.curves.quantiles import percentile_interval
from advisor.model.curves.ratio import Ratio
from probes.points import Point, Probe

NOTICEABLE = 1.25
"""From this factor on a latency counts as suffering: a quarter more is about the smallest change of
a percentile that short points tell from chance (our choice)."""


class Figure(StrEnum):
    """What may suffer."""

    READ_P50 = "read_p50"
    READ_P99 = "read_p99"
    REDO_P50 = "redo_p50"
    REDO_P99 = "redo_p99"


_PERCENTILES = {
    Figure.READ_P50: ("reads", 50.0),
    Figure.READ_P99: ("reads", 99.0),
    Figure.REDO_P50: ("redo", 50.0),
    Figure.REDO_P99: ("redo", 99.0),
}


@dataclass(frozen=True, slots=True)
class FlushLevel:
    """One rate of flushing beside reads and redo.

    ``parts`` are the points of reads, redo and flush, as far as they were measured. ``slower`` is
    how many times its latency without flushing each figure has.
    """

    parts: Mapping[str, Point]
    slower: Mapping[Figure, Ratio]

    @property
    def flushed_per_s(self) -> float:
        """Pages/s that were really flushed: less than asked for where the drive gave no more."""
        flush = self.parts.get("flush")
        return 0.0 if flush is None else flush.rate_per_s

    @property
    def worst(self) -> tuple[Figure, Ratio] | None:
        """The figure that is affected most, None where none can be compared."""
        return max(self.slower.items(), key=lambda pair: pair[1].value, default=None)

    @property
    def suffers(self) -> bool:
        """Whether any figure is noticeably slower, and not by chance."""
        return any(map(_is_slower, self.slower.values()))

    @property
    def surely_suffers(self) -> bool:
        """Whether one is, whatever chance did."""
        return any(ratio.low >= NOTICEABLE for ratio in self.slower.values())

    @property
    def surely_does_not(self) -> bool:
        """Whether none is, whatever chance did."""
        return bool(self.slower) and all(r.high < NOTICEABLE for r in self.slower.values())


@dataclass(frozen=True, slots=True)
class FlushCeiling:
    """The flush rate up to which reads and commits do not suffer, in pages/s.

    It lies in ``interval``: ``low`` surely does no harm, at ``high`` something surely slows, or
    it is the highest rate that was measured. ``reached`` is False where nothing slowed up to it.
    ``last_good`` and ``first_bad`` are the levels it comes from (None: none was measured).
    ``begins_per_s`` lies between these, where the first figure would be noticeably slower if it
    grew evenly: latencies grow faster and faster, so it is no higher than where they truly do.
    """

    rate_per_s: float
    begins_per_s: float
    interval: tuple[float, float]
    reached: bool
    last_good: FlushLevel | None
    first_bad: FlushLevel | None


@dataclass(frozen=True, slots=True)
class Interference:
    """All rates of flushing beside one number of readers; ``levels`` ascend by what was flushed.

    ``quiet`` is the level without flushing, which the others are held against.
    """

    threads: int
    quiet: FlushLevel
    levels: tuple[FlushLevel, ...]

    @property
    def ceiling(self) -> FlushCeiling:
        """The upper bound of any io_capacity on this drive under these reads."""
        bad = next((at for at, level in enumerate(self.levels) if level.suffers), None)
        good = self.levels[:bad]
        last_good = good[-1] if good else None
        first_bad = None if bad is None else self.levels[bad]
        return FlushCeiling(
            rate_per_s=0.0 if last_good is None else last_good.flushed_per_s,
            begins_per_s=_begins(last_good, first_bad),
            interval=(self._harmless, self._harmful),
            reached=first_bad is not None,
            last_good=last_good,
            first_bad=first_bad,
        )

    @property
    def _harmless(self) -> float:
        """The highest rate before the first one that may do harm."""
        highest = 0.0
        for level in self.levels:
            if not level.surely_does_not:
                break
            highest = level.flushed_per_s
        return highest

    @property
    def _harmful(self) -> float:
        """The lowest rate that surely does harm, else the highest that was measured."""
        sure = (level.flushed_per_s for level in self.levels if level.surely_suffers)
        return next(sure, self.levels[-1].flushed_per_s)


def _is_slower(ratio: Ratio) -> bool:
    return ratio.value >= NOTICEABLE and not ratio.low <= 1


def _begins(good: FlushLevel | None, bad: FlushLevel | None) -> float:
    """The rate between two levels at which the first figure reaches what is noticeable.

    Below the lowest level is the one without flushing.
    """
    low = 0.0 if good is None else good.flushed_per_s
    if bad is None:
        return low
    parts = []
    for figure, over in bad.slower.items():
        if not _is_slower(over):
            continue
        under = None if good is None else good.slower.get(figure)
        begun = 1.0 if under is None else under.value
        parts.append(0.0 if begun >= NOTICEABLE else (NOTICEABLE - begun) / (over.value - begun))
    return low + min(parts, default=0.0) * (bad.flushed_per_s - low)


def interferences(points: Iterable[Point]) -> list[Interference]:
    """What mixed points say, for each mixture and number of readers, in the order of arrival.

    A mixture needs its reads without flushing (``flush_per_s`` 0) and one rate beside them at
    least. ``points`` hold each setting once (see
    ``probes.statistics.repeats``). Rejected points are left out.
    """
    mixtures: dict[object, dict[str, dict[str, Point]]] = {}
    for point in points:
        setting = point.setting
        if setting.probe is Probe.MIXED and point.usable and "part" in setting.options:
            rates = mixtures.setdefault(_alike(point), {})
            parts = rates.setdefault(setting.options.get("flush_per_s", "0"), {})
            parts[setting.options["part"]] = point
    found = (_interference(rates) for rates in mixtures.values())
    return [one for one in found if one is not None]


def _alike(point: Point) -> tuple[object, ...]:
    setting = point.setting
    options = {k: v for k, v in setting.options.items() if k not in ("part", "flush_per_s")}
    return (
        point.engine,
        setting.directory,
        setting.block_size_bytes,
        setting.files,
        setting.threads,
        tuple(sorted(options.items())),
    )


def _interference(rates: Mapping[str, Mapping[str, Point]]) -> Interference | None:
    quiet = rates.get("0", {})
    busy = [parts for target, parts in rates.items() if target != "0" and "flush" in parts]
    if "reads" not in quiet or not busy:
        return None
    levels = [FlushLevel(parts, _slower(parts, quiet)) for parts in busy]
    ordered = sorted(levels, key=lambda level: level.flushed_per_s)
    return Interference(quiet["reads"].setting.threads, FlushLevel(quiet, {}), tuple(ordered))


def _slower(parts: Mapping[str, Point], quiet: Mapping[str, Point]) -> dict[Figure, Ratio]:
    ratios = {}
    for figure, (part, percentile) in _PERCENTILES.items():
        if part in parts and part in quiet:
            ratio = _latency_ratio(parts[part], quiet[part], percentile)
            if ratio is not None:
                ratios[figure] = ratio
    return ratios


def _latency_ratio(over: Point, under: Point, percentile: float) -> Ratio | None:
    """How many times the latency of ``under`` that of ``over`` is; None where one is unknown."""
    values = _at((over, under), percentile)
    if not all(value > 0 for value in values):
        return None
    (over_low, over_high), (under_low, under_high) = (
        percentile_interval(point, percentile) for point in (over, under)
    )
    low = over_low / under_high if under_high > 0 else float("nan")
    high = over_high / under_low if under_low > 0 else float("nan")
    return Ratio(values[0] / values[1], low, high)


def _at(points: Sequence[Point], percentile: float) -> list[float]:
    if percentile == 50.0:
        return [point.latency.p50_us for point in points]
    return [point.latency.p99_us for point in points]
