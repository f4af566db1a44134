"""What a curve runs along: its threads, or of mixed what is flushed while reads and commits run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from probes.kinds.flush import NOTHING_FLUSHED, MixedOptions
from probes.kinds.words import BESIDE_SERVER, title, worker, workers
from probes.points import Point, Probe, Setting
from probes.statistics.repeats import combined

FLUSHED = "pages/s flushed"
LEAST_PER_S = 125.0
MOST_PER_S = 128_000.0
"""Where no flushing and flushing at full speed stand on a scale of doublings."""


@dataclass(frozen=True, slots=True, order=True)
class AxisLevel:
    """A place on that axis, in doublings, and what stands there."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class AxisRow:
    """Points that belong together, with their levels, ascending."""

    name: str
    axis: str
    points: dict[AxisLevel, Point]


def axis(probe: Probe) -> str:
    """What the levels count: ``threads``, ``committers``, ``pages/s flushed``."""
    return FLUSHED if probe is Probe.MIXED else f"{worker(probe)}s"


def level(setting: Setting) -> AxisLevel:
    """Where a setting stands."""
    if setting.probe is not Probe.MIXED:
        return AxisLevel(math.log2(setting.threads), str(setting.threads))
    asked = MixedOptions.of(setting)
    flushed = asked.target_per_s
    per_s = MOST_PER_S if flushed == math.inf else max(LEAST_PER_S, flushed)
    return AxisLevel(math.log2(per_s), asked.flush_per_s or NOTHING_FLUSHED)


def row_name(setting: Setting) -> str:
    """What the points of one row have in common."""
    if setting.probe is not Probe.MIXED:
        return title(setting)
    options = {name: value for name, value in setting.options.items() if name != "flush_per_s"}
    return f"{title(replace(setting, options=options))}, {workers(setting)}"


def rows(points: Iterable[Point]) -> list[AxisRow]:
    """The points sorted into rows, in the order in which each row's first point arrived.

    Repeats of a setting are combined. Points of different engines or directories never share a row,
    and where there are several, its name says which; those beside the server's own load have rows
    of their own that always say so.
    """
    groups: dict[tuple[str, str, str, bool], dict[AxisLevel, Point]] = {}
    for point in combined(points):
        name = row_name(point.setting)
        key = (point.engine, point.setting.directory, name, point.beside_server)
        groups.setdefault(key, {})[level(point.setting)] = point
    engines = len({engine for engine, *_ in groups}) > 1
    places = len({directory for _, directory, *_ in groups if directory}) > 1
    return [
        AxisRow(
            name
            + (f" in {directory}" if places and directory else "")
            + (f" ({engine})" if engines else "")
            + (f", {BESIDE_SERVER}" if beside else ""),
            axis(next(iter(group.values())).setting.probe),
            dict(sorted(group.items(), key=lambda pair: pair[0])),
        )
        for (engine, directory, name, beside), group in groups.items()
    ]
