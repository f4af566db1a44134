"""A simulated machine's mixtures as a plan has them: at the server's own rate of flushing, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from advisor.case import Case
from probes.kinds.flush import ALL_FLUSHED
from probes.plans.patterns import server_flush_per_s
from probes.points import Latency, Point, Probe

Parts = Mapping[str, Point]


def own_rate(case: Case) -> float:
    """That of the mixture which stands for what the server flushes; 0 where there is none."""
    mysql = case.inventory.mysql
    window = None if mysql is None or mysql.sandbox else mysql.window
    return server_flush_per_s(None if window is None else window.per_s("Innodb_pages_written"))


def as_planned(case: Case) -> Case:
    """The same with a mixture at the server's own rate, and all flushed in place of the highest."""
    mixtures: dict[float, dict[str, Point]] = {}
    for point in case.points:
        if point.setting.probe is Probe.MIXED:
            options = point.setting.options
            mixtures.setdefault(float(options["flush_per_s"]), {})[options["part"]] = point
    if len(mixtures) < 2:
        return case
    all_flushed = list(mixtures[max(mixtures)].values())
    points = (
        _asked_for(point, ALL_FLUSHED) if point in all_flushed else point for point in case.points
    )
    return replace(case, points=(*points, *_own(case, mixtures)))


def _own(case: Case, mixtures: Mapping[float, Parts]) -> Iterator[Point]:
    """What lies between the mixtures on both sides of the server's own rate."""
    own = own_rate(case)
    number = max(point.id or 0 for point in case.points)
    for low, high in pairwise(sorted(mixtures)):
        if not low < own < high:
            continue
        share = (own - low) / (high - low)
        for part, above in mixtures[high].items():
            number += 1
            below = mixtures[low].get(part)
            factor = own / high if below is None else _between(below, above, share)
            scaled = Latency(
                *(getattr(above.latency, each) / factor for each in Latency.__dataclass_fields__)
            )
            ends = (above.ci95_per_s[0] * factor, above.ci95_per_s[1] * factor)
            made = replace(
                above, id=number, rate_per_s=above.rate_per_s * factor, ci95_per_s=ends,
                latency=scaled,
            )  # fmt: skip
            yield _asked_for(made, f"{own:.0f}")


def _between(below: Point, above: Point, share: float) -> float:
    """How many times the rate above that between both is: what one takes grows evenly."""
    taken = 1 / below.rate_per_s + share * (1 / above.rate_per_s - 1 / below.rate_per_s)
    return 1 / taken / above.rate_per_s


def _asked_for(point: Point, target: str) -> Point:
    options = {**point.setting.options, "flush_per_s": target}
    return replace(point, setting=replace(point.setting, options=options))
