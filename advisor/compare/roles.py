"""What a drive must be good at for InnoDB, role by role: who is best, and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from advisor.compare.groups import RankGroup, grouped
from advisor.compare.matching import CurveKind, figure
from advisor.compare.ratio import Estimate, Ratio, ratio
from probes.figures import counted, size
from probes.kinds.table import PROBES
from probes.kinds.words import capital, option
from probes.points import PAGE_BYTES, Curve, Point, Probe, Trust

REDO_BYTES = 4096
"""What a small commit writes, rounded up to a block of most drives."""

TEMP_BYTES, TEMP_THREADS = 1 << 20, 4
"""Temporary files of sorts and joins are written in order, in long writes (our choice)."""

SYNCS = ("fdatasync", "fsync", "o_dsync")
DOUBLEWRITES = ("on", "off", "legacy")

NEAR = 2.0
"""A level stands for another up to this ratio of threads; nothing is interpolated."""


class Unit(StrEnum):
    """What a role's figure is in: the more per second, or the fewer microseconds, the better."""

    PER_S = "per_s"
    US = "us"


class Purpose(StrEnum):
    """Which of a server's files a role is about."""

    DATA = "data"
    REDO = "redo log"
    TEMPORARY = "temporary files"


_PURPOSES = {"redo_latency": Purpose.REDO, "temporary_write": Purpose.TEMPORARY}


class RoleOutcome(StrEnum):
    """How a role ended; ``alone`` where fewer than two contenders have an entry.

    ``loads_differ`` where some of them are of an idle drive and others beside a server's own load.
    """

    WON = "won"
    TOO_CLOSE = "too_close"
    LEVELS_DIFFER = "levels_differ"
    LOADS_DIFFER = "loads_differ"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Entry:
    """A contender's figure in a role, with the point that it comes from."""

    figure: Estimate
    point: Point

    @property
    def doubtful(self) -> bool:
        """Whether the point is to be taken with doubt."""
        return self.point.trust is Trust.DOUBTFUL


@dataclass(frozen=True, slots=True)
class RoleComparison:
    """One row of the table: an entry for each contender, None where nothing was measured.

    ``winner`` is the index of the best, ``ahead`` how many times better it is than the second
    best. ``winner`` is None where fewer than two have an entry, where the best is too close to
    some other (then ``ahead`` is over that one), where the levels differ (``levels_differ``),
    or where some are of an idle drive and others not (``loads_differ``). With ``at_best`` each
    entry is a curve's highest, at whatever level it is. ``groups`` are those who tie, the best
    first; () where nothing is compared.
    """

    name: str
    title: str
    unit: Unit
    entries: tuple[Entry | None, ...]
    winner: int | None = None
    ahead: Ratio | None = None
    levels_differ: bool = False
    loads_differ: bool = False
    at_best: bool = False
    groups: tuple[RankGroup, ...] = ()

    @property
    def purpose(self) -> Purpose:
        """Which files it is about: data, unless it is one of the others' few."""
        return _PURPOSES.get(self.name, Purpose.DATA)

    @property
    def outcome(self) -> RoleOutcome:
        """Which of them it is."""
        if self.winner is not None:
            return RoleOutcome.WON
        if self.loads_differ:
            return RoleOutcome.LOADS_DIFFER
        if self.levels_differ:
            return RoleOutcome.LEVELS_DIFFER
        return RoleOutcome.ALONE if self.ahead is None else RoleOutcome.TOO_CLOSE

    @property
    def judged(self) -> bool:
        """Whether contenders were set against each other."""
        return self.outcome in (RoleOutcome.WON, RoleOutcome.TOO_CLOSE)

    @property
    def sure(self) -> bool:
        """Whether the winner's lead is known with its interval, and rests on no doubtful point."""
        known = self.winner is not None and self.ahead is not None and self.ahead.known
        return known and not any(entry is not None and entry.doubtful for entry in self.entries)

    @property
    def several(self) -> bool:
        """Whether more than two stand in more than one group: who ties has to be said."""
        return len(self.groups) > 1 and sum(len(group.members) for group in self.groups) > 2

    @property
    def subject(self) -> str:
        """The title as it stands within a sentence."""
        return self.title[:1].lower() + self.title[1:]


def of_other_points(found: Sequence[RoleComparison]) -> Iterator[RoleComparison]:
    """Those roles whose points none before has: what points alone have is said once."""
    seen: set[tuple[int, ...]] = set()
    for role in found:
        points = tuple(id(entry.point) if entry else 0 for entry in role.entries)
        if points not in seen:
            seen.add(points)
            yield role


Side = Mapping[CurveKind, Curve]


def roles(sides: Sequence[Side]) -> tuple[RoleComparison, ...]:
    """The roles in which at least one contender has an entry."""
    found = [
        *(_pages(Probe.RANDOM_READ, sides, threads) for threads in (1, 8, 64)),
        *(_pages(Probe.RANDOM_WRITE, sides, threads) for threads in (1, 64)),
        _single_read(sides),
        _redo(sides),
        _flush(sides),
        _temporary(sides),
    ]
    return tuple(role for role in found if role is not None)


def _pages(probe: Probe, sides: Sequence[Side], threads: int) -> RoleComparison | None:
    points = _at_level(_page_curves(sides, probe), threads)
    return _judged(
        f"{probe.value}_{threads}",
        f"{capital(PROBES[probe].operations)} of 16 KiB, {_levels_text(points)}",
        points,
        Unit.PER_S,
    )


def _levels_text(points: Sequence[Point | None]) -> str:
    """``4 threads``, ``4 or 8 threads``: where they were measured, not what was asked for."""
    levels = sorted({point.setting.threads for point in points if point is not None})
    if not levels:
        return ""
    return " or ".join([*map(str, levels[:-1]), counted(levels[-1], "thread")])


def _single_read(sides: Sequence[Side]) -> RoleComparison | None:
    """One thread waits for each read before it asks for the next: the rate gives the mean."""
    found = _page_curves(sides, Probe.RANDOM_READ)
    points = [None if curve is None else _level(curve, 1) for curve in found]
    return _judged("read_latency", "One read of 16 KiB, mean time", points, Unit.US)


def _redo(sides: Sequence[Side]) -> RoleComparison | None:
    """One committer, the same size and way of syncing for all."""

    def wanted(kind: CurveKind) -> bool:
        return kind.probe is Probe.REDO_SYNC and dict(kind.options).keys() == {"sync"}

    def order(kind: CurveKind) -> tuple[float, int]:
        return (_distance(kind.block_size_bytes, REDO_BYTES), _rank(SYNCS, kind))

    kind = _shared(sides, wanted, order)
    if kind is None:
        return None
    points = [_level(side[kind], 1) if kind in side else None for side in sides]
    title = f"One commit of {size(kind.block_size_bytes)}, mean time ({kind.options[0][1]})"
    return _judged("redo_latency", title, points, Unit.US)


def _flush(sides: Sequence[Side]) -> RoleComparison | None:
    """The highest rate of pages at any number of cleaners."""

    def wanted(kind: CurveKind) -> bool:
        return (
            kind.probe is Probe.PAGE_FLUSH
            and kind.block_size_bytes == PAGE_BYTES
            and dict(kind.options).keys() == {"doublewrite"}
        )

    def order(kind: CurveKind) -> tuple[float, int]:
        return (0.0, _rank(DOUBLEWRITES, kind))

    kind = _shared(sides, wanted, order)
    if kind is None:
        return None
    points = [side[kind].peak if kind in side else None for side in sides]
    title = f"Flushed pages of 16 KiB, {option(*kind.options[0])}, at best"
    return _judged("flush_rate", title, points, Unit.PER_S, at_best=True)


def _temporary(sides: Sequence[Side]) -> RoleComparison | None:
    """What a long write in order comes to, once caches are full.

    One that wrote less than half of what the longest did, in less than half of its time, says
    nothing beside it: it may have ended within a cache.
    """

    def wanted(kind: CurveKind) -> bool:
        return (kind.probe, kind.options) == (Probe.STEADY_WRITE, ())

    def order(kind: CurveKind) -> tuple[float, int]:
        return (_distance(kind.block_size_bytes, TEMP_BYTES), int(kind.many_files))

    kind = _shared(sides, wanted, order)
    if kind is None:
        return None
    points = _at_level([side.get(kind) for side in sides], TEMP_THREADS)
    longest = max(filter(None, points), key=lambda point: point.operations, default=None)
    alike = [point if longest and point and _as_long(point, longest) else None for point in points]
    title = f"Temporary files: long writes of {size(kind.block_size_bytes)} in order"
    return _judged("temporary_write", title, alike, Unit.PER_S)


def _as_long(point: Point, longest: Point) -> bool:
    return point.operations * NEAR >= longest.operations or point.seconds * NEAR >= longest.seconds


def _page_curves(sides: Sequence[Side], probe: Probe) -> list[Curve | None]:
    """The plain curves of whole pages; many files where most have that, as servers do.

    Reads of one file stand for reads of many where only those are there; writes never do.
    """

    def wanted(kind: CurveKind) -> bool:
        return (kind.probe, kind.block_size_bytes, kind.options) == (probe, PAGE_BYTES, ())

    kind = _shared(sides, wanted, lambda kind: (0.0, int(not kind.many_files)))
    if kind is None:
        return [None for _ in sides]
    if probe is Probe.RANDOM_WRITE:
        return [side.get(kind) for side in sides]
    other = replace(kind, many_files=not kind.many_files)
    return [side.get(kind) or side.get(other) for side in sides]


def _shared(
    sides: Sequence[Side],
    wanted: Callable[[CurveKind], bool],
    order: Callable[[CurveKind], tuple[float, int]],
) -> CurveKind | None:
    """Of the wanted kinds the one that most contenders have; among those the first in order."""
    counts: dict[CurveKind, int] = {}
    for side in sides:
        for kind in filter(wanted, side):
            counts[kind] = counts.get(kind, 0) + 1
    return min(counts, key=lambda kind: (-counts[kind], *order(kind)), default=None)


def _at_level(found: Sequence[Curve | None], threads: int) -> list[Point | None]:
    """The points of the level that all have nearest to ``threads``; else each one's nearest."""
    present = [curve for curve in found if curve is not None]
    levels = [{point.setting.threads for point in curve.points} for curve in present]
    common = _near(set.intersection(*levels), threads) if levels else None
    return [
        None if curve is None else _level(curve, threads if common is None else common)
        for curve in found
    ]


def _level(curve: Curve, threads: int) -> Point | None:
    nearest = _near((point.setting.threads for point in curve.points), threads)
    return next((point for point in curve.points if point.setting.threads == nearest), None)


def _near(levels: Iterable[int], threads: int) -> int | None:
    """The nearest level, the lower of two; one thread is like no other number of threads."""
    reach = NEAR if threads > 1 else 1.0
    close = [level for level in levels if _distance(level, threads) <= math.log2(reach)]
    return min(close, key=lambda level: (_distance(level, threads), level), default=None)


def _distance(value: float, other: float) -> float:
    """In doublings; an import may not know a size and say 0."""
    return abs(math.log2(max(value, 1) / other))


def _rank(words: Sequence[str], kind: CurveKind) -> int:
    """Where the kind's only option stands among ``words``; an import may say others."""
    word = kind.options[0][1]
    return words.index(word) if word in words else len(words)


def _judged(
    name: str,
    title: str,
    points: Sequence[Point | None],
    unit: Unit,
    *,
    at_best: bool = False,
) -> RoleComparison | None:
    entries = tuple(None if point is None else _entry(point, unit) for point in points)
    role = RoleComparison(name, title, unit, entries, at_best=at_best)
    present = [index for index, entry in enumerate(entries) if entry is not None]
    if len(present) < 2:
        return role if present else None
    return _won(role, present)


def _won(role: RoleComparison, present: Sequence[int]) -> RoleComparison:
    entries = [(index, role.entries[index]) for index in present]
    ranked = sorted(
        ((index, entry) for index, entry in entries if entry is not None),
        key=lambda pair: pair[1].figure.value,
        reverse=role.unit is Unit.PER_S,
    )
    if len({entry.point.beside_server for _, entry in ranked}) > 1:
        return replace(role, loads_differ=True)
    if not role.at_best and len({entry.point.setting.threads for _, entry in ranked}) > 1:
        return replace(role, levels_differ=True)
    (best, first), *others = ranked
    ratios = [_ahead(role, first, other) for _, other in others]
    alike = [each for each in ratios if each.too_close]
    ahead = min(alike or ratios, key=lambda each: (each.value, each.low if each.known else 0.0))
    known = dict(ranked)
    groups = grouped([at for at, _ in ranked], lambda a, b: _ahead(role, known[a], known[b]))
    return replace(role, winner=None if alike else best, ahead=ahead, groups=groups)


def _ahead(role: RoleComparison, first: Entry, other: Entry) -> Ratio:
    """How many times better the first is."""
    if role.unit is Unit.PER_S:
        return ratio(first.figure, other.figure)
    return ratio(other.figure, first.figure)


def _entry(point: Point, unit: Unit) -> Entry:
    rate = figure(point)
    if unit is Unit.PER_S:
        return Entry(rate, point)
    return Entry(
        Estimate(*(_microseconds(each) for each in (rate.value, rate.high, rate.low))), point
    )


def _microseconds(per_s: float) -> float:
    """The mean time of an operation where one follows the other."""
    return 1e6 / per_s if per_s > 0 else math.nan
