"""Repeats of one setting as one point: what was measured again counts with what was before.

Each repeat has an interval of its own, and what came and went between them moved their rates beyond
it. So the rates' logarithms are pooled as repeated studies are, by a random effect: each repeat
weighs by its own variance and that between them (DerSimonian and Laird, Controlled Clinical Trials
7(3), 1986). A repeat that was slowed or helped weighs less, by how far its rate may be from true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace

from probes.points import BUFFERS, REACH, Curve, Latency, Point, Trust

REPEATS = "repeats"
"""The detail of a combined point that says how many it was made of."""

NARROWEST = 1e-3
"""No repeat is surer than this, as a standard deviation of the rate's logarithm: it would be the
only one to count (our choice)."""

BOUNDS_AT = 1.96


def combined(points: Iterable[Point]) -> list[Point]:
    """One point for each setting of an engine, at the place of its first.

    What was measured beside the server's own load is never made one with what was not.
    Rejected repeats count only where there is no other; then the latest stands. First touches, and
    kinds of buffers that were measured in turns, stay as they are.
    """
    groups: dict[object, list[Point]] = {}
    for number, point in enumerate(points):
        apart = not point.setting.options.keys().isdisjoint(("touch", BUFFERS))
        key = (*_of_curve(point), point.setting.threads, number * apart)
        groups.setdefault(key, []).append(point)
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


def _one(repeats: Sequence[Point]) -> Point:
    usable = [point for point in repeats if point.usable]
    return _pooled(usable) if len(usable) > 1 else (usable or repeats)[-1]


def _pooled(repeats: Sequence[Point]) -> Point:
    likely = [math.log(point.rate_per_s) + _shift(point) for point in repeats]
    own = [deviation(point) ** 2 for point in repeats]
    unsure = [each + doubt(point) ** 2 for each, point in zip(own, repeats, strict=True)]
    between = _between(likely, unsure)
    weights = [1 / (each + between) for each in unsure]
    share = [weight / sum(weights) for weight in weights]

    def mean(of: Callable[[Point], float]) -> float:
        """The weighted geometric mean of what may be unknown (nan) or nothing."""
        values = [of(point) for point in repeats]
        if not all(value > 0 for value in values):
            return sum(each * value for each, value in zip(share, values, strict=True))
        return math.exp(sum(a * math.log(b) for a, b in zip(share, values, strict=True)))

    rate = mean(lambda point: point.rate_per_s)
    variance = sum(a * a * (each + between) for a, each in zip(share, own, strict=True))
    half = BOUNDS_AT * math.sqrt(variance)
    middle = min(repeats, key=lambda point: abs(math.log(point.rate_per_s / rate)))
    doubted = sum(
        each for each, point in zip(share, repeats, strict=True) if point.trust is not Trust.OK
    )
    trust = Trust.OK if doubted < 0.5 else Trust.DOUBTFUL
    reasons = dict.fromkeys(reason for point in repeats for reason in point.trust_reasons)
    reach = (mean(lambda point: point.reach[0]), mean(lambda point: point.reach[1]))
    return replace(
        middle,
        seconds=sum(point.seconds for point in repeats),
        operations=sum(point.operations for point in repeats),
        rate_per_s=rate,
        ci95_per_s=(rate * math.exp(-half), rate * math.exp(half)),
        latency=Latency(*(mean(_latency(each.name)) for each in fields(Latency))),
        trust=trust,
        trust_reasons=() if trust is Trust.OK else tuple(reasons),
        details={**middle.details, REACH: list(reach), REPEATS: len(repeats)},
    )


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
    """The same of what slowed or helped it: the true rate is anywhere within its reach."""
    least, most = point.reach
    return math.log(most / max(least, NARROWEST)) / math.sqrt(12)


def _shift(point: Point) -> float:
    """From the rate's logarithm to the middle of where the true one may lie."""
    least, most = point.reach
    return math.log(most * max(least, NARROWEST)) / 2


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
