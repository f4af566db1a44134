"""Points of settings that were measured in turns: their ratio is drawn as their pairs have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probes.plans.turns import COMPARED
from probes.points import BUFFERS, Point, Probe
from probes.statistics.pairs import ratio_deviation
from probes.statistics.repeats import Repeat, repeats_in

_OPTIONS = {**COMPARED, Probe.MIXED: "flush_per_s"}


@dataclass(frozen=True, slots=True)
class Beside:
    """What a point is drawn beside, as places in the list of points.

    ``anchor`` moves as its own interval has it; the ratio to it moves by ``deviation``, the
    standard deviation of its logarithm, by the chance of ``leader``: the first of this setting.
    """

    anchor: int
    leader: int
    deviation: float


def alternated(points: Sequence[Point]) -> dict[int, Beside]:
    """By place, all points but the anchors whose setting took turns with another one.

    The anchor is the first point of the setting with the most repeats: a load without flushing has
    its turn with each rate beside it.
    """
    groups: dict[object, dict[str, list[int]]] = {}
    for place, point in enumerate(points):
        option = _compared(point)
        if option:
            sides = groups.setdefault(_alike(point, option), {})
            sides.setdefault(point.setting.options[option], []).append(place)
    found: dict[int, Beside] = {}
    for sides in groups.values():
        found |= _of_group(points, list(sides.values()))
    return found


def _of_group(points: Sequence[Point], sides: Sequence[Sequence[int]]) -> dict[int, Beside]:
    repeats = [_repeats(points, side) for side in sides]
    most = max(range(len(sides)), key=lambda each: len(repeats[each]))
    anchor = sides[most][0]
    found: dict[int, Beside] = {}
    for side, those in zip(sides, repeats, strict=True):
        deviation = None if side[0] == anchor else ratio_deviation(those, repeats[most])
        if deviation is not None:
            found |= {place: Beside(anchor, side[0], deviation) for place in side}
    if found:
        found |= {place: Beside(anchor, anchor, 0.0) for place in sides[most][1:]}
    return found


def _repeats(points: Sequence[Point], side: Sequence[int]) -> list[Repeat]:
    if len(side) == 1:
        return list(repeats_in(points[side[0]]))
    return [Repeat.of(place, points[place]) for place in side]


def _compared(point: Point) -> str:
    """The option that a question compares of a point's setting; "" where there is none."""
    options = point.setting.options
    option = BUFFERS if BUFFERS in options else _OPTIONS.get(point.setting.probe, "")
    return option if option in options else ""


def _alike(point: Point, option: str) -> object:
    rest = {name: each for name, each in point.setting.options.items() if name != option}
    setting = replace(point.setting, options=rest)
    return point.engine, point.beside_server, setting.curve_key, setting.threads
