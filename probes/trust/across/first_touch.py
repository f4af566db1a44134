"""A cache that O_DIRECT does not reach: the host's memory behind a virtual disk, or a controller's.

Every block of a fresh set is read once, then all are read once more in the same order. Where the
second pass is half as fast again and the intervals do not overlap, something below the filesystem
kept the blocks. Seen on a virtual machine: 3,000 reads/s at the first touch, 9,800 at the second,
by one thread with O_DIRECT.

Which of the two is the drive's is no question; which one InnoDB will meet is one. It reads a page
because the page is not in its buffer pool, that is, has not been read for long, out of data that is
larger than the pool. The cache below belongs to somebody else, who guarantees nothing of it. So the
first touch feeds the rules: it is what can be relied on. All reads of files that were read before
are doubted then, whatever their block size. Only where the usual set is no faster than the first
touch is it kept: then it is larger than that cache. And where first touches were measured at one
thread count alone there is no curve to give advice by; then the usual points stay, and the finding
says that they are an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probes.doubts import DoubtKind, doubt
from probes.points import Point, Probe, Trust
from probes.trust import thresholds
from probes.trust.across.beside import clearly_faster, identity, of_set, pairs
from probes.trust.doubt import Remark
from probes.trust.surroundings import Surroundings

SET = "first_touch"
FEWEST_LEVELS = 2


@dataclass(frozen=True, slots=True)
class HiddenCache:
    """A cache below O_DIRECT, as one engine met it in one directory.

    ``first`` and ``again`` are the pair of points that shows it best; ``usual`` is the usual set's
    point beside ``first``, None where none was measured. ``usual_is_cached`` says whether the
    usual set is clearly faster than the first touch, ``first_feeds`` whether first touches were
    measured at enough thread counts to stand in for it.
    """

    first: Point
    again: Point
    usual: Point | None
    usual_is_cached: bool
    first_feeds: bool


def first_touch(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Remark]]:
    """Doubt reads that a hidden cache answers."""
    for cache in hidden_caches(points):
        found = doubt(
            DoubtKind.CACHE_BELOW,
            again_per_s=cache.again.rate_per_s,
            first_per_s=cache.first.rate_per_s,
        )
        least = cache.first.rate_per_s / cache.again.rate_per_s
        for index, point in enumerate(points):
            if _is_answered(point, cache):
                yield index, Remark(found, least=least)


def hidden_caches(points: Sequence[Point]) -> list[HiddenCache]:
    """The caches that first and second touches show, one for each engine and directory.

    A first touch that is doubtful on its own (others used the drive) shows none.
    """
    best: dict[tuple[str, str], tuple[float, Point, Point]] = {}
    for _, again, first in pairs(points, SET, "again", beside=(SET, "first")):
        ratio = again.rate_per_s / first.rate_per_s
        key = (first.engine, first.setting.directory)
        shown = first.trust is Trust.OK and clearly_faster(again, first, thresholds.TOUCH_FACTOR)
        if shown and ratio > best.get(key, (0.0,))[0]:
            best[key] = (ratio, first, again)
    return [_cache(points, first, again) for _, first, again in best.values()]


def first_touch_instead(points: Sequence[Point]) -> list[Point]:
    """The points as rules shall see them: first touches take the place of reads from a cache.

    Where a hidden cache answers the usual reads and first touches can feed the rules, these appear
    as usual points, with their ids; the points that they replace are left out. All else stays.
    """
    caches = [c for c in hidden_caches(points) if c.usual_is_cached and c.first_feeds]
    replaced = {
        index for cache in caches for index, one in enumerate(points) if _is_answered(one, cache)
    }
    standing_in = {index for cache in caches for index in _curve(points, cache.first)}
    return [
        _as_usual(point) if index in standing_in else point
        for index, point in enumerate(points)
        if index not in replaced
    ]


def _cache(points: Sequence[Point], first: Point, again: Point) -> HiddenCache:
    beside = [
        (usual, touched)
        for _, touched, usual in pairs(points, SET, "first")
        if _home(touched) == _home(first)
    ]
    usual = next((usual for usual, touched in beside if touched is first), None)
    return HiddenCache(
        first=first,
        again=again,
        usual=usual,
        usual_is_cached=any(
            clearly_faster(usual, touched, thresholds.TOUCH_FACTOR) for usual, touched in beside
        ),
        first_feeds=len({points[at].setting.threads for at in _curve(points, first)})
        >= FEWEST_LEVELS,
    )


def _curve(points: Sequence[Point], first: Point) -> list[int]:
    """The indexes of the trusted first touches that make up one curve with ``first``."""
    curve = identity(first, threads=False)
    return [
        index
        for index, point in of_set(points, SET, "first")
        if point.trust is Trust.OK and identity(point, threads=False) == curve
    ]


def _is_answered(point: Point, cache: HiddenCache) -> bool:
    """Whether a point's reads are the cache's: second touches, and usual ones it stands behind."""
    if point.setting.probe is not Probe.RANDOM_READ or _home(point) != _home(cache.first):
        return False
    options = point.setting.options
    if options.get("touch") == "again":
        return True
    return "set" not in options and cache.usual_is_cached and cache.first_feeds


def _home(point: Point) -> tuple[str, str]:
    return point.engine, point.setting.directory


def _as_usual(point: Point) -> Point:
    options = {
        name: value for name, value in point.setting.options.items() if name not in ("set", "touch")
    }
    return replace(point, setting=replace(point.setting, options=options))
