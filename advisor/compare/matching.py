"""Which curves of several contenders are of one kind, and their ratios level by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.compare.contender import Contender
from advisor.compare.ratio import Estimate, Ratio, ratio
from probes.points import Curve, Point, Probe, Setting
from probes.statistics.repeats import curves

USUAL = {("protocol", "prepared")}
"""Options that say nothing: their absence means the same."""


@dataclass(frozen=True, slots=True)
class CurveKind:
    """What curves must have in common to be laid over each other.

    One file and many are two kinds: direct writes to one file may come one after the other. How
    many "many" are, and where they lie, may differ.
    """

    probe: Probe
    block_size_bytes: int
    many_files: bool
    options: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, setting: Setting) -> CurveKind:
        """The kind of a setting's curve."""
        options = sorted(set(setting.options.items()) - USUAL)
        return cls(setting.probe, setting.block_size_bytes, setting.files > 1, tuple(options))


@dataclass(frozen=True, slots=True)
class MatchedLevel:
    """One thread count. ``ratios`` are each contender's rate over that of the first that has one.

    Both are None where a contender did not measure this level. A ratio is None, too, where one of
    both was measured beside the server's own load: they answer different questions.
    """

    threads: int
    points: tuple[Point | None, ...]
    ratios: tuple[Ratio | None, ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """The curves of one kind, a place for each contender (None where it has none).

    ``levels`` are those that at least two contenders measured.
    """

    kind: CurveKind
    curves: tuple[Curve | None, ...]
    levels: tuple[MatchedLevel, ...]

    @property
    def setting(self) -> Setting:
        """The setting of the first curve: what its title is made of."""
        return next(curve.setting for curve in self.curves if curve is not None)


def by_kind(contender: Contender) -> dict[CurveKind, Curve]:
    """A contender's curves; of several of one kind, the one with the most levels.

    Of equally many the idle drive's goes before the one beside the server's own load.
    """
    found: dict[CurveKind, Curve] = {}
    for curve in curves(contender.usable):
        kind = CurveKind.of(curve.setting)
        if kind not in found or _worth(curve) > _worth(found[kind]):
            found[kind] = curve
    return found


def _worth(curve: Curve) -> tuple[int, bool]:
    return len(curve.points), not curve.beside_server


def matched(sides: Sequence[Mapping[CurveKind, Curve]]) -> tuple[Matched, ...]:
    """The kinds that at least two contenders have, in the order in which they first come."""
    kinds = dict.fromkeys(kind for side in sides for kind in side)
    found = {kind: tuple(side.get(kind) for side in sides) for kind in kinds}
    return tuple(
        Matched(kind, each, _levels(each))
        for kind, each in found.items()
        if sum(curve is not None for curve in each) > 1
    )


def figure(point: Point) -> Estimate:
    """A point's rate with its interval."""
    return Estimate(point.rate_per_s, *point.ci95_per_s)


def _levels(found: Sequence[Curve | None]) -> tuple[MatchedLevel, ...]:
    by_threads = [
        {point.setting.threads: point for point in curve.points} if curve is not None else {}
        for curve in found
    ]
    levels = sorted({threads for points in by_threads for threads in points})
    rows = [(threads, tuple(points.get(threads) for points in by_threads)) for threads in levels]
    return tuple(
        MatchedLevel(threads, points, _ratios(points))
        for threads, points in rows
        if sum(point is not None for point in points) > 1
    )


def _ratios(points: Sequence[Point | None]) -> tuple[Ratio | None, ...]:
    base = next(point for point in points if point is not None)
    alike = [p if p is not None and p.beside_server == base.beside_server else None for p in points]
    return tuple(None if point is None else _against(point, base) for point in alike)


def _against(point: Point, base: Point) -> Ratio:
    return Ratio(1.0, 1.0, 1.0) if point is base else ratio(figure(point), figure(base))
