"""Finding the point that another one is held against, and telling a difference from chance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from probes.points import Point

EXPLAINING = ("set", "touch")
"""Options of settings that were measured to judge others by."""


def without(options: dict[str, str], *names: str) -> tuple[tuple[str, str], ...]:
    """Options but for some, in a form that can be compared."""
    return tuple(sorted((key, value) for key, value in options.items() if key not in names))


def identity(point: Point, *, threads: bool = True) -> tuple[object, ...]:
    """What a point shares with its counterparts in other file sets; with or without threads.

    An idle drive's point and one beside the server's own load are no counterparts.
    """
    setting = point.setting
    return (
        point.engine,
        setting.probe,
        setting.block_size_bytes,
        setting.files,
        setting.directory,
        without(dict(setting.options), *EXPLAINING),
        setting.threads if threads else 0,
        point.beside_server,
    )


def of_set(points: Sequence[Point], name: str, touch: str = "") -> Iterator[tuple[int, Point]]:
    """The points of one file set ("" is the usual one), with their index."""
    for index, point in enumerate(points):
        options = point.setting.options
        if options.get("set", "") == name and options.get("touch", "") == touch:
            yield index, point


def pairs(
    points: Sequence[Point], name: str, touch: str = "", *, beside: tuple[str, str] = ("", "")
) -> Iterator[tuple[int, Point, Point]]:
    """Each point of one set with its latest counterpart of another; by index, point, counterpart.

    Points without a rate are left out: nothing can be held against them.
    """
    others = {identity(other): other for _, other in of_set(points, *beside)}
    for index, point in of_set(points, name, touch):
        other = others.get(identity(point))
        if other is not None and point.rate_per_s > 0 and other.rate_per_s > 0:
            yield index, point, other


def clearly_faster(fast: Point, slow: Point, factor: float) -> bool:
    """Whether one rate is ``factor`` times the other and their intervals do not overlap.

    Where an interval is unknown (imports), the rates alone decide.
    """
    if not fast.rate_per_s >= factor * slow.rate_per_s:
        return False
    low, high = fast.ci95_per_s[0], slow.ci95_per_s[1]
    return low > high or math.isnan(low) or math.isnan(high)
