"""Named statements about a whole run: what was found out about the drive on the way, as values."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from probes.doubts import Doubt
from probes.points import Curve, LimitedBy, Point, Probe, Trust
from probes.statistics.repeats import curves
from probes.trust import thresholds
from probes.trust.across.beside import clearly_faster, pairs
from probes.trust.across.caches import beside_random
from probes.trust.across.first_touch import HiddenCache, hidden_caches
from probes.trust.across.mixtures import mixtures
from probes.trust.arrival.neighbours import foreign
from probes.trust.change_points import FACTOR, Phase, read_phases
from probes.trust.server_load import server_load
from probes.trust.surroundings import Surroundings
from probes.trust.throttle import Throttle, sold_at, throttles


class FindingName(StrEnum):
    """The kinds of statements, stable: other programs may look for them."""

    NOT_A_DRIVE = "not_a_drive"
    THROTTLED = "throttled"
    HIDDEN_CACHE = "hidden_cache"
    SMALL_SET_CACHE = "small_set_cache"
    COMPRESSION = "compression"
    CLIFF = "cliff"
    FOREIGN_IO = "foreign_io"
    BESIDE_SERVER = "beside_server"
    LIMITED_BY_CPU = "limited_by_cpu"
    LIMITED_BY_PROBER = "limited_by_prober"


@dataclass(frozen=True, slots=True)
class NotADrive:
    """How many points were ``rejected``, ``alike`` of them for a doubt of the kind of ``doubt``.

    ``same`` is whether that doubt's figures are the same for all of these.
    """

    rejected: int
    doubt: Doubt
    alike: int
    same: bool


@dataclass(frozen=True, slots=True)
class FasterSet:
    """A set of blocks that needs no drive, beside the one that does."""

    fast: Point
    slow: Point


@dataclass(frozen=True, slots=True)
class Cliff:
    """A long write that fell from one rate to another; ``sold`` are limits of the lower one."""

    block_size_bytes: int
    before: Phase
    after: Phase
    sold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OthersIo:
    """The largest share (0..1) of the I/O of ``device`` that others did, in some of all points.

    ``device`` is "" where it has no name, or where others are the server itself.
    """

    share: float
    points: int
    of: int
    device: str = ""


@dataclass(frozen=True, slots=True)
class Limited:
    """Curves on which something other than the drive decided from some threads on."""

    curves: tuple[Curve, ...]
    limit: LimitedBy


Found = NotADrive | Throttle | HiddenCache | FasterSet | Cliff | OthersIo | Limited


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement with its figures, and the points that it rests on."""

    name: FindingName
    found: Found
    points: tuple[Point, ...]


def findings(points: Sequence[Point], surroundings: Surroundings) -> list[Finding]:
    """What the points of a run say beyond their curves; the gravest first, [] where nothing."""
    return [
        *_not_a_drive(points),
        *_throttled(points, surroundings),
        *_hidden_cache(points),
        *_faster_sets(points),
        *_cliffs(points, surroundings),
        *_foreign_io(points),
        *_beside_server(points),
        *_limited([point for point in points if not _is_hole(point)]),
    ]


def _is_hole(point: Point) -> bool:
    """Whether it read a file that was never written: of these it is known what is wrong."""
    return point.setting.options.get("set") == "sparse"


def _not_a_drive(points: Sequence[Point]) -> Iterator[Finding]:
    """How many points were rejected, and the reason that most of those with a rate share."""
    rejected = tuple(point for point in points if point.trust is Trust.REJECTED)
    telling = [point for point in rejected if point.rate_per_s > 0 and not _is_hole(point)]
    # A review's reasons come last, and say more of the drive than those of the arrival.
    reasons = [_by_kind(point) for point in telling]
    shared = Counter(kind for by_kind in reasons for kind in by_kind).most_common(1)
    if not shared:
        return
    kind, times = shared[0]
    alike = [by_kind[kind] for by_kind in reasons if kind in by_kind]
    same = all(each == alike[0] for each in alike)
    found = NotADrive(len(rejected), alike[0], times, same)
    yield Finding(FindingName.NOT_A_DRIVE, found, rejected)


def _by_kind(point: Point) -> dict[str, Doubt]:
    """Why a point was rejected, by the kind of doubt; the last one comes first."""
    return {each.key: each for each in reversed(point.rejected_for)}


def _throttled(points: Sequence[Point], surroundings: Surroundings) -> Iterator[Finding]:
    reported: set[tuple[float, bool]] = set()
    for throttle in throttles(points, surroundings):
        key = (round(throttle.figure, -1), throttle.in_bytes)
        if key in reported:
            continue
        reported.add(key)
        for other in throttle.others:
            figure = other.bytes_per_s if throttle.in_bytes else other.rate_per_s
            reported.add((round(figure, -1), throttle.in_bytes))
        yield Finding(FindingName.THROTTLED, throttle, throttle.plateau.points)


def _hidden_cache(points: Sequence[Point]) -> Iterator[Finding]:
    for cache in hidden_caches(points):
        shown = [cache.first, cache.again]
        if cache.usual is not None:
            shown.append(cache.usual)
        yield Finding(FindingName.HIDDEN_CACHE, cache, tuple(shown))


def _faster_sets(points: Sequence[Point]) -> Iterator[Finding]:
    """The clearest case of a set that a cache holds, and of one that needs no drive."""
    small, zeros = pairs(points, "small"), beside_random(points, "zeros")
    kinds = (
        (small, thresholds.SMALL_SET_FACTOR, FindingName.SMALL_SET_CACHE),
        (zeros, thresholds.ZEROS_FACTOR, FindingName.COMPRESSION),
    )
    for beside, factor, finding in kinds:
        found = [(fast, slow) for _, fast, slow in beside if clearly_faster(fast, slow, factor)]
        if found:
            fast, slow = max(found, key=lambda pair: pair[0].rate_per_s / pair[1].rate_per_s)
            yield Finding(finding, FasterSet(fast, slow), (fast, slow))


def _cliffs(points: Sequence[Point], surroundings: Surroundings) -> Iterator[Finding]:
    for point in points:
        phases = read_phases(point.details)
        steps = list(itertools.pairwise(phases))
        drops = [(a, b) for a, b in steps if a.rate_per_s >= FACTOR * b.rate_per_s]
        if point.setting.probe is Probe.STEADY_WRITE and drops:
            # The largest fall is the cliff; smaller ones may be its foot.
            deepest = max(drops, key=lambda pair: pair[0].rate_per_s / max(pair[1].rate_per_s, 1))
            yield Finding(FindingName.CLIFF, _cliff(*deepest, point, surroundings), (point,))


def _cliff(before: Phase, after: Phase, point: Point, surroundings: Surroundings) -> Cliff:
    setting = point.setting
    slow = after.rate_per_s * setting.block_size_bytes
    sold = sold_at(slow, surroundings, setting.directory, in_bytes=True)
    names = tuple(limit.name for limit, _ in sold)
    return Cliff(setting.block_size_bytes, before, after, names)


def _foreign_io(points: Sequence[Point]) -> Iterator[Finding]:
    """How many points somebody else took part in, with the worst of them."""
    seen = [(found, point) for point in points if (found := foreign(point))]
    seen += [(found, points[at]) for indexes, found in mixtures(points) for at in indexes]
    disturbed = [(found, point) for found, point in seen if found.is_much]
    if not disturbed:
        return
    worst, _ = max(disturbed, key=lambda pair: pair[0].share)
    most = OthersIo(worst.share, len(disturbed), len(points), worst.device)
    yield Finding(FindingName.FOREIGN_IO, most, tuple(point for _, point in disturbed))


def _beside_server(points: Sequence[Point]) -> Iterator[Finding]:
    """How many points show what the drive gives beside the server's own load."""
    seen = [(load.share, point) for point in points if (load := server_load(point)) is not None]
    if not seen:
        return
    found = OthersIo(max(share for share, _ in seen), len(seen), len(points))
    yield Finding(FindingName.BESIDE_SERVER, found, tuple(point for _, point in seen))


def _limited(points: Sequence[Point]) -> Iterator[Finding]:
    """From which thread count on something other than the drive decided, by kind of limit."""
    for limit, name in (
        (LimitedBy.CPU, FindingName.LIMITED_BY_CPU),
        (LimitedBy.PROBER, FindingName.LIMITED_BY_PROBER),
    ):
        found = [
            curve
            for curve in curves(points)
            if any(point.limited_by is limit for point in curve.points)
        ]
        limited = tuple(
            point for curve in found for point in curve.points if point.limited_by is limit
        )
        if limited:
            yield Finding(name, Limited(tuple(found), limit), limited)
