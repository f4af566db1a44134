"""What the true figures of a case may be: one draw of them at a time, always the same ones.

A point's true rate lies in its interval, which what slowed or helped it widens to one side. What
disturbs a machine disturbs all that is measured on it, so a draw has one chance for the machine,
one for each curve and one for each point. What slowed or helped comes and goes: half of that chance
is the machine's, half the curve's, which was measured in one go. Figures that were measured side by
side keep their ratio as far as what moved them is common; those of settings that were measured in
turns keep it as far as their pairs do. Limits found by their shape are not drawn: they are there or
not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, Self

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.judging.draws.alternated import Beside, alternated
from advisor.rulekit.facts import FactSource
from probes.points import Latency, Point
from probes.statistics.ranges import Range

BY_SHAPE = frozenset({"volume.request_limits", "volume.throughput_limits", "volume.long_write"})
"""Facts that follow from a curve's or a long write's shape, whatever its height."""

SLOWEST_FACTOR = 20.0
"""Where an interval reaches down to nothing, the rate is taken to be no lower than this part."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw: the case with drawn points, how far each was moved, and the chances of counters.

    ``moved`` is the logarithm of drawn by measured rate, by the point's id; ``chances`` are
    standard normal, one for each fact with a range of its own.
    """

    case: Case
    moved: dict[int, float]
    chances: dict[str, float]


def draws(case: Case, alone: Sequence[str], number: int, wider: float = 1.0) -> Iterator[Draw]:
    """Draw ``number`` times, in pairs that mirror each other.

    ``alone`` are the facts with ranges of their own. Intervals are taken ``wider`` times as wide.
    """
    # Points that only compare kinds of buffers come last: all others are drawn as without them.
    drawn = (*case.usable, *case.comparing_buffers)
    beside = alternated(drawn)
    points = [_Drawable.of(point, beside.get(place)) for place, point in enumerate(drawn)]
    for pair in range((number + 1) // 2):
        for sign in (wider, -wider)[: number - 2 * pair]:
            yield _draw(case, points, alone, Random(pair), sign)  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class _Drawable:
    """A point with what is the same in each of its draws."""

    point: Point
    curve: object
    reach: tuple[float, float]
    named: dict[str, Any]
    beside: Beside | None

    @classmethod
    def of(cls, point: Point, beside: Beside | None) -> Self:
        named = {each.name: getattr(point, each.name) for each in fields(Point)}
        return cls(point, point.setting.curve_key, point.reach, named, beside)

    def moved(self, factor: float) -> Point:
        """The same point at ``factor`` times the rate, with latencies to match."""
        if factor == 1.0:
            return self.point
        low, high = self.point.ci95_per_s
        was = self.point.latency
        latency = Latency(
            was.mean_us / factor,
            was.p50_us / factor,
            was.p95_us / factor,
            was.p99_us / factor,
            was.p999_us / factor,
            was.max_us / factor,
        )
        drawn = {
            "rate_per_s": self.point.rate_per_s * factor,
            "ci95_per_s": (low * factor, high * factor),
            "latency": latency,
        }
        return Point(**self.named | drawn)


@dataclass(frozen=True, slots=True)
class _Moving:
    """How one curve is moved in a draw.

    ``level`` is standard normal; the others are shares (0..1) of what slowed or helped its points.
    """

    level: float
    slowed: float
    helped: float


def _share(machine: float, curve: float) -> float:
    """A share of which any is as likely as any other, from two standard normal chances."""
    return 0.5 * math.erfc(-(machine + curve) / 2)


def _draw(
    case: Case, points: Sequence[_Drawable], alone: Sequence[str], random: Random, sign: float
) -> Draw:
    def normal() -> float:
        return sign * random.gauss(0.0, 1.0)

    machine, load, slowed, helped = (normal() for _ in range(4))
    curves: dict[object, _Moving] = {}
    own: list[float] = []
    factors: list[float] = []
    for each in points:
        moving = curves.get(each.curve)
        if moving is None:
            curves[each.curve] = moving = _Moving(
                normal(), _share(slowed, normal()), _share(helped, normal())
            )
        own.append(normal())
        z = (machine + moving.level + own[-1]) / math.sqrt(3)
        factors.append(_of_interval(each.point, z))
    # Anchors move by themselves; what took turns with one follows it.
    for place, each in enumerate(points):
        turn = each.beside
        if turn is not None:
            factors[place] = factors[turn.anchor] * math.exp(turn.deviation * own[turn.leader])
    drawn, moved = [], {}
    for each, factor in zip(points, factors, strict=True):
        least, most = each.reach
        turn = each.beside
        moving = curves[each.curve if turn is None else points[turn.anchor].curve]
        whole = factor * least**moving.helped * most**moving.slowed
        drawn.append(each.moved(whole))
        if each.point.id is not None:
            moved[each.point.id] = math.log(whole)
    chances = {name: (load + normal()) / math.sqrt(2) for name in alone}
    return Draw(replace(case, points=tuple(drawn), pooled=True), moved, chances)


def _of_interval(point: Point, z: float) -> float:
    low, high = point.ci95_per_s
    rate = point.rate_per_s
    if math.isnan(low) or math.isnan(high):
        return 1.0
    least = max(min(low, rate), rate / SLOWEST_FACTOR)
    return Range(rate, least, max(high, rate)).at(z).value / rate


class DrawnSource(FactSource):
    """The facts of one draw; what does not vary is as it was found."""

    def __init__(self, draw: Draw, found: FactSource) -> None:
        super().__init__(draw.case)
        self._draw, self._found = draw, found

    def _read(self, name: str) -> Reading | Absent:
        reading = self._found.found(name)
        if isinstance(reading, Absent) or not varies(name, reading):
            return reading
        if reading.point_ids and not reading.ranged_by_points:
            reading = CATALOGUE[name].read(self._draw.case)
        if isinstance(reading, Absent) or not reading.uncertain:
            return reading
        return reading.at(self._draw.chances[name])


def varies(name: str, reading: Reading | Absent) -> bool:
    """Whether a fact is another one in each draw."""
    if isinstance(reading, Absent) or name in BY_SHAPE:
        return False
    return bool(reading.point_ids) or reading.uncertain
