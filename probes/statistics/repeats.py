"""Repeats of one setting as one point: what was measured again counts with what was before.

Each repeat has an interval of its own, and what came and went between them moved their rates beyond
it. So the rates' logarithms are pooled as repeated studies are, by a random effect: each repeat
weighs by its own variance and that between them (DerSimonian and Laird, Controlled Clinical Trials
7(3), 1986). A repeat that was slowed or helped weighs less, by how far its rate may be from true.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import finite, whole
from probes.points import BUFFERS, REACH, Curve, Latency, Point, Trust

REPEATS = "repeats"
"""The detail of a combined point that says how many it was made of."""

REPEATED = "repeated"
"""Its detail that keeps each of them: ``[position, rate_per_s, deviation, least, most]``, see
Repeat."""

MOST_REPEATS = 1000
"""No run repeats a setting so often: more is not taken from outside."""

NARROWEST = 1e-3
"""No repeat is surer than this, as a standard deviation of the rate's logarithm: it would be the
only one to count (our choice)."""

BOUNDS_AT = 1.96


@dataclass(frozen=True, slots=True)
class Repeat:
    """One measurement of a setting, as it counts beside others.

    ``position`` says when it came among all points; ``deviation`` is the standard deviation of the
    rate's logarithm, as its interval has it, ``reach`` as of a point.
    """

    position: int
    rate_per_s: float
    deviation: float
    reach: tuple[float, float]

    @classmethod
    def of(cls, position: int, point: Point) -> Self:
        """What counts of a point that was measured once."""
        return cls(position, point.rate_per_s, deviation(point), point.reach)

    @property
    def log_rate(self) -> float:
        """The rate's logarithm."""
        return math.log(self.rate_per_s)

    @property
    def doubt(self) -> float:
        """The standard deviation of what slowed or helped it: it is anywhere within its reach."""
        least, most = self.reach
        return math.log(most / max(least, NARROWEST)) / math.sqrt(12)

    @property
    def shift(self) -> float:
        """From the rate's logarithm to the middle of where the true one may lie."""
        least, most = self.reach
        return math.log(most * max(least, NARROWEST)) / 2


def combined(points: Iterable[Point]) -> list[Point]:
    """One point for each setting of an engine, at the place of its first.

    What was measured beside the server's own load is never made one with what was not.
    Rejected repeats count only where there is no other; then the latest stands. First touches, and
    kinds of buffers that were measured in turns, stay as they are.
    """
    groups: dict[object, list[tuple[int, Point]]] = {}
    for number, point in enumerate(points):
        apart = not point.setting.options.keys().isdisjoint(("touch", BUFFERS))
        key = (*_of_curve(point), point.setting.threads, number * apart)
        groups.setdefault(key, []).append((number, point))
    return [_one(group) for group in groups.values()]


def curves(points: Iterable[Point]) -> list[Curve]:
    """Sort ``points`` into curves, in the order in which each curve's first point arrived.

    Repeats of a setting are combined. Points of different engines never share a curve, nor do an
    idle drive's and those beside the server's own load.
    """
    groups: dict[object, dict[int, Point]] = {}
    for point in combined(points):
        groups.setdefault(_of_curve(point), {})[point.setting.threads] = point
    return [
        Curve(tuple(sorted(group.values(), key=lambda point: point.setting.threads)))
        for group in groups.values()
    ]


def _of_curve(point: Point) -> tuple[object, ...]:
    """What all points of one curve have in common."""
    return (point.engine, point.setting.curve_key, point.beside_server)


def _one(repeats: Sequence[tuple[int, Point]]) -> Point:
    usable = [(at, point) for at, point in repeats if point.usable]
    return _pooled(usable) if len(usable) > 1 else (usable or repeats)[-1][1]


def _pooled(numbered: Sequence[tuple[int, Point]]) -> Point:
    repeats = [point for _, point in numbered]
    each_alone = [Repeat.of(at, point) for at, point in numbered]
    share, variance = weighed(
        [each.log_rate + each.shift for each in each_alone],
        [each.deviation**2 for each in each_alone],
        [each.doubt**2 for each in each_alone],
    )

    def mean(of: Callable[[Point], float]) -> float:
        """The weighted geometric mean of what may be unknown (nan) or nothing."""
        values = [of(point) for point in repeats]
        if not all(value > 0 for value in values):
            return sum(each * value for each, value in zip(share, values, strict=True))
        return math.exp(sum(a * math.log(b) for a, b in zip(share, values, strict=True)))

    rate = mean(lambda point: point.rate_per_s)
    half = BOUNDS_AT * math.sqrt(variance)
    middle = min(repeats, key=lambda point: abs(math.log(point.rate_per_s / rate)))
    doubted = sum(
        each for each, point in zip(share, repeats, strict=True) if point.trust is not Trust.OK
    )
    trust = Trust.OK if doubted < 0.5 else Trust.DOUBTFUL
    doubts = dict.fromkeys(each for point in repeats for each in point.doubts)
    reach = (mean(lambda point: point.reach[0]), mean(lambda point: point.reach[1]))
    return replace(
        middle,
        seconds=sum(point.seconds for point in repeats),
        operations=sum(point.operations for point in repeats),
        rate_per_s=rate,
        ci95_per_s=(rate * math.exp(-half), rate * math.exp(half)),
        latency=Latency(*(mean(_latency(each.name)) for each in fields(Latency))),
        trust=trust,
        doubts=() if trust is Trust.OK else tuple(doubts),
        details={
            **middle.details,
            REACH: list(reach),
            REPEATS: len(repeats),
            REPEATED: [
                [each.position, each.rate_per_s, each.deviation, *each.reach] for each in each_alone
            ],
        },
    )


def weighed(
    likely: Sequence[float], own: Sequence[float], doubted: Sequence[float]
) -> tuple[list[float], float]:
    """How much each of several logarithms counts (1 in all), and the variance of their mean.

    ``own`` are their variances, ``doubted`` those of what slowed or helped them.
    """
    unsure = [a + b for a, b in zip(own, doubted, strict=True)]
    between = _between(likely, unsure)
    weights = [1 / (each + between) for each in unsure]
    share = [weight / sum(weights) for weight in weights]
    return share, sum(a * a * (each + between) for a, each in zip(share, own, strict=True))


def repeats_in(point: Point) -> tuple[Repeat, ...]:
    """What a combined point was made of; nothing of one that was measured once.

    Details may come from outside: what is no such list counts as none.
    """
    reported = point.details.get(REPEATED)
    if not isinstance(reported, list) or len(reported) > MOST_REPEATS:
        return ()
    try:
        return tuple(map(_repeat, reported))
    except Malformed:
        return ()


_BOUNDS = (
    ("rate_per_s", sys.float_info.min, math.inf),
    ("deviation", NARROWEST, math.inf),
    ("least", 0.0, 1.0),
    ("most", 1.0, math.inf),
)
"""What each figure of a repeat is called, and the least and most that it may be."""


def _repeat(reported: object) -> Repeat:
    if not isinstance(reported, list) or len(reported) != 1 + len(_BOUNDS):
        raise Malformed(f"{REPEATED} has what is no repeat")
    position, *figures = reported
    rate_per_s, own, least, most = (
        finite(each, *bounds) for each, bounds in zip(figures, _BOUNDS, strict=True)
    )
    return Repeat(whole(position, "position"), rate_per_s, own, (least, most))


def repeats_of(point: Point) -> int:
    """How many measurements a point was made of."""
    count = point.details.get(REPEATS, 1)
    return count if isinstance(count, int) else 1


def deviation(point: Point) -> float:
    """The standard deviation of the rate's logarithm, as its interval has it."""
    high = point.ci95_per_s[1]
    known = not math.isnan(high) and high > point.rate_per_s
    found = math.log(high / point.rate_per_s) / BOUNDS_AT if known else 0.0
    return max(found, NARROWEST)


def doubt(point: Point) -> float:
    """The same of what slowed or helped it, see Repeat."""
    return Repeat.of(0, point).doubt


def _between(rates: Sequence[float], variances: Sequence[float]) -> float:
    """The variance between repeats that their own does not explain."""
    weights = [1 / each for each in variances]
    total = sum(weights)
    middle = sum(a * b for a, b in zip(weights, rates, strict=True)) / total
    spread = sum(a * (b - middle) ** 2 for a, b in zip(weights, rates, strict=True))
    scale = total - sum(each * each for each in weights) / total
    return max(0.0, (spread - (len(rates) - 1)) / scale)


def _latency(name: str) -> Callable[[Point], float]:
    def read(point: Point) -> float:
        value: float = getattr(point.latency, name)
        return value

    return read
