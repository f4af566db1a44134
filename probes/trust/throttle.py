"""Telling a limit that somebody set from the end of what a drive can do.

A drive at its end still gets a little faster or slower with each doubling of threads and does fewer
large requests than small ones. A throttle lets exactly that many pass: the rate is the same from
one thread count to the next while latency grows with the threads, and often the same for 4 KiB and
16 KiB. So a plateau is looked for: two or more thread counts, the highest at least four times the
lowest, whose rates lie within 2 % of each other. It must be sure: either all intervals are within
3 % and neither processors nor prober were at their end, or three and more rates agree within 0.5 %,
which neither chance nor busy processors bring about. Then it is named by the best evidence:

- a figure that the machine's cloud sells, within 1 % (``probes.trust.provisioned``);
- the same throughput at another block size, within 2 %, below what the disk's own link carries: a
  limit on bytes, whoever made it;
- the same rate at another block size, or of reads and writes, within 2 %: no drive does that;
- else a round figure (3,000, 12,500) within 0.5 %, known within 1 %: likely, no more.

Where smaller blocks go higher, a rate is no limit on requests: what reads and writes of one size
share there is a limit on bytes.

The figure itself is true for this volume, so nothing is doubted: it is what a server will get, at
least while a credit lasts.
Source: AWS, "Amazon EBS volume types"; the kernel's control group v2 guide, "io.max".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from probes.inventory.machine.firmware import lender
from probes.points import Curve, LimitedBy, Point, Probe, Trust
from probes.statistics.repeats import curves
from probes.trust.arrival.rate import half_width
from probes.trust.buses import at_link
from probes.trust.provisioned import LIMITS, ProvisionedLimit, cloud_of
from probes.trust.surroundings import Surroundings

FLAT = 0.02
NEAR_PEAK = 0.95
WIDEST = 0.03
AGREE = 0.005
AGREEING = 3
MATCH = 0.01
SAME = 0.02
SPREAD_OF_THREADS = 4
HIGHER = 1.1
"""This many times the rate of larger blocks is no chance (our choice)."""
ROUND_MATCH = 0.005
ROUND_WIDEST = 0.01
ROUND = (1.0, 1.2, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0)

_PROBES = frozenset({Probe.RANDOM_READ, Probe.RANDOM_WRITE})


class ThrottleEvidence(StrEnum):
    """Why a plateau is taken for a throttle; the strongest first."""

    SOLD = "sold"
    SAME_THROUGHPUT = "same_throughput"
    SAME_RATE = "same_rate"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class Plateau:
    """Points of one curve with one rate, and within which share of it that is known."""

    points: tuple[Point, ...]
    rate_per_s: float
    width: float

    @property
    def bytes_per_s(self) -> float:
        """The same as throughput."""
        return self.rate_per_s * self.points[0].setting.block_size_bytes


@dataclass(frozen=True, slots=True)
class Throttle:
    """A plateau that looks set by somebody.

    ``figure`` is the limit it reaches: requests/s, or bytes/s with ``in_bytes``. ``limits`` are
    the volumes that have it; ``others`` the plateaus that share the rate.
    """

    plateau: Plateau
    figure: float
    in_bytes: bool
    evidence: ThrottleEvidence
    limits: tuple[ProvisionedLimit, ...] = ()
    others: tuple[Plateau, ...] = ()


def throttles(
    points: Sequence[Point], surroundings: Surroundings, own: Sequence[ProvisionedLimit] = ()
) -> list[Throttle]:
    """The throttles that the points show, at most one for each curve of random reads or writes.

    ``own`` are limits of this machine beside those that its cloud sells to all.
    """
    usable = [
        point
        for point in points
        if point.setting.probe in _PROBES
        and "touch" not in point.setting.options
        and point.trust is not Trust.REJECTED
    ]
    drawn = list(curves(usable))
    found = [flat for curve in drawn if (flat := plateau(curve)) is not None]
    named = [_named(flat, found, drawn, surroundings, own) for flat in found]
    return [throttle for throttle in named if throttle is not None]


def plateau(curve: Curve) -> Plateau | None:
    """The longest stretch of a curve whose rates agree at its peak, None where none is sure.

    It has no gap: a slower point in between means that its ends agree by chance. A single point
    beyond it may be a little faster, as where others disturbed it or a limit let a burst pass.
    """
    found = [
        Plateau(flat, fmean(point.rate_per_s for point in flat), width)
        for flat in _stretches(curve)
        if (width := _known_within(flat))
    ]
    return max(found, key=lambda flat: len(flat.points), default=None)


def _stretches(curve: Curve) -> Iterator[tuple[Point, ...]]:
    top = curve.peak.rate_per_s
    for start, end in itertools.combinations(range(len(curve.points)), 2):
        flat = curve.points[start : end + 1]
        rates = [point.rate_per_s for point in flat]
        wide = flat[-1].setting.threads >= SPREAD_OF_THREADS * flat[0].setting.threads
        if wide and max(rates) <= (1 + FLAT) * min(rates) and min(rates) >= NEAR_PEAK * top > 0:
            yield flat


def _known_within(flat: Sequence[Point]) -> float:
    """How well the rate of a plateau is known, as a share; 0 where it is not sure to be one."""
    if any(point.limited_by is LimitedBy.PROBER for point in flat):
        return 0.0
    rates = [point.rate_per_s for point in flat]
    if len(flat) >= AGREEING and max(rates) <= (1 + AGREE) * min(rates):
        return AGREE
    sure = all(
        half_width(point) <= WIDEST and point.limited_by is LimitedBy.NOTHING for point in flat
    )
    return max(half_width(point) for point in flat) if sure else 0.0


def _named(
    flat: Plateau,
    all_flat: Sequence[Plateau],
    drawn: Sequence[Curve],
    surroundings: Surroundings,
    own: Sequence[ProvisionedLimit],
) -> Throttle | None:
    others = [other for other in all_flat if other is not flat]
    linked = _at_its_link(flat, surroundings)
    same_bytes = () if linked else tuple(each for each in others if _same_throughput(flat, each))
    no_requests = bool(same_bytes) or _smaller_go_higher(flat, drawn, of_probe=True)
    if sold := _sold(flat, surroundings, own, no_requests=no_requests):
        best = min(sold, key=lambda pair: abs(pair[1] - _measure(flat, pair[0].in_bytes)))
        figure, in_bytes = best[1], best[0].in_bytes
        names = tuple(
            limit for limit, value in sold if limit.in_bytes is in_bytes and value == figure
        )
        return Throttle(flat, figure, in_bytes, ThrottleEvidence.SOLD, names)
    if same_bytes:
        evidence = ThrottleEvidence.SAME_THROUGHPUT
        return Throttle(flat, flat.bytes_per_s, True, evidence, others=same_bytes)
    same = tuple(other for other in others if _same_limit(flat, other))
    in_bytes = _smaller_go_higher(flat, drawn, of_probe=False)
    if same and not (in_bytes and linked):
        figure = _measure(flat, in_bytes)
        return Throttle(flat, figure, in_bytes, ThrottleEvidence.SAME_RATE, others=same)
    if no_requests:
        return None
    figure = round_figure(flat.rate_per_s)
    if flat.width <= ROUND_WIDEST and _near(flat.rate_per_s, figure, ROUND_MATCH):
        common = () if cloud_of(surroundings.platform) else _common(figure)
        return Throttle(flat, figure, False, ThrottleEvidence.ROUND, common)
    return None


def _sold(
    flat: Plateau, surroundings: Surroundings, own: Sequence[ProvisionedLimit], *, no_requests: bool
) -> list[tuple[ProvisionedLimit, float]]:
    """The limits that are sold at its figure; with ``no_requests`` it can be none on those."""
    directory = flat.points[0].setting.directory
    found = [
        *sold_at(flat.rate_per_s, surroundings, directory),
        *sold_at(flat.bytes_per_s, surroundings, directory, in_bytes=True),
        *((one, one.base) for one in own if _near(_measure(flat, one.in_bytes), one.base, MATCH)),
    ]
    return [pair for pair in found if pair[0].in_bytes or not no_requests]


def sold_at(
    value: float, surroundings: Surroundings, directory: str, *, in_bytes: bool = False
) -> Iterator[tuple[ProvisionedLimit, float]]:
    """The limits of this machine's cloud that a rate reaches, with their figures.

    ``value`` is in requests/s, or bytes/s with ``in_bytes``.
    """
    cloud = cloud_of(surroundings.platform)
    disks = surroundings.at(directory).disks
    # A stripe adds up its volumes' limits; which are alike can't be seen, so only one is judged.
    size = disks[0].size_bytes if len(disks) == 1 else None
    for limit in LIMITS:
        figure = limit.at(size) if (limit.platform, limit.in_bytes) == (cloud, in_bytes) else 0.0
        if figure and _near(value, figure, MATCH):
            yield limit, figure


def _common(figure: float) -> tuple[ProvisionedLimit, ...]:
    return tuple(
        limit
        for limit in LIMITS
        if limit.common and not limit.in_bytes and limit.at(None) == figure
    )


def _measure(flat: Plateau, in_bytes: bool) -> float:
    return flat.bytes_per_s if in_bytes else flat.rate_per_s


def _at_its_link(flat: Plateau, surroundings: Surroundings) -> bool:
    """Whether the disks' own link ends there; a virtual machine's disks have none."""
    place = surroundings.at(flat.points[0].setting.directory)
    return not lender(surroundings.platform) and at_link(place, flat.bytes_per_s)


def _beside(one: Point, two: Point) -> bool:
    """Whether two points were measured alike, in one place."""
    alike = (one.engine, one.setting.directory) == (two.engine, two.setting.directory)
    return alike and not one.setting.options and not two.setting.options


def _same_throughput(flat: Plateau, other: Plateau) -> bool:
    """Whether two block sizes share a throughput; of flash, writes alone may do that."""
    one, two = flat.points[0], other.points[0]
    sizes = sorted((one.setting.block_size_bytes, two.setting.block_size_bytes))
    reads = Probe.RANDOM_READ in (one.setting.probe, two.setting.probe)
    differ = reads and sizes[1] >= 2 * sizes[0]
    return differ and _beside(one, two) and _near(flat.bytes_per_s, other.bytes_per_s, SAME)


def _smaller_go_higher(flat: Plateau, drawn: Sequence[Curve], *, of_probe: bool) -> bool:
    """Whether blocks of at most half the size reach a higher rate, with ``of_probe`` the same's."""
    one = flat.points[0]
    return any(
        _beside(one, curve.peak)
        and 2 * curve.setting.block_size_bytes <= one.setting.block_size_bytes
        and (curve.setting.probe is one.setting.probe or not of_probe)
        and curve.peak.rate_per_s > HIGHER * flat.rate_per_s
        for curve in drawn
    )


def _same_limit(flat: Plateau, other: Plateau) -> bool:
    """Whether two plateaus share a rate that no drive would give both."""
    one, two = flat.points[0], other.points[0]
    if not _beside(one, two):
        return False
    sizes = sorted((one.setting.block_size_bytes, two.setting.block_size_bytes))
    differ = one.setting.probe is not two.setting.probe or sizes[1] >= 2 * sizes[0]
    return differ and _near(flat.rate_per_s, other.rate_per_s, SAME)


def round_figure(rate_per_s: float) -> float:
    """The nearest figure that somebody would set as a limit: 3,000, 12,500, 40,000."""
    scale = 10.0 ** math.floor(math.log10(rate_per_s))
    choices = [figure * scale * up for figure, up in itertools.product(ROUND, (1, 10))]
    return min(choices, key=lambda choice: abs(math.log(choice / rate_per_s)))


def _near(value: float, figure: float, share: float) -> bool:
    return abs(value - figure) <= share * figure
