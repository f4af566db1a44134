"""What doublewrite costs on this drive: pages flushed per second with it and without it.

InnoDB writes each page twice so that a page torn by a power cut can be repaired. Since MySQL 8.0.20
a batch goes to a file of its own in one sequential write, without a sync where that is written past
the page cache, then the pages go to their places; before, all page cleaners queued for one area of
2 MiB and synced it (MySQL manual, "Doublewrite Buffer"; worklog 5655; MySQL 8.0 sources,
buf0dblwr.cc). The bytes double, the requests hardly do, so the price is the drive's: it must be
measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.model.curves.ratio import Ratio, rate_ratio
from probes.points import Point, Probe


@dataclass(frozen=True, slots=True)
class DoublewritePrice:
    """Pages/s by the way of flushing, for one page size and number of page cleaners.

    ``on`` is doublewrite as since MySQL 8.0.20, ``legacy`` as before; None where it was not
    measured. ``off`` always was, and one of the others.
    """

    off: Point
    on: Point | None
    legacy: Point | None

    @property
    def on_ratio(self) -> Ratio | None:
        """What is left of the rate with doublewrite: 0.6 is a price of 40 %."""
        return None if self.on is None else rate_ratio(self.on, self.off)

    @property
    def legacy_ratio(self) -> Ratio | None:
        """The same with the old doublewrite area."""
        return None if self.legacy is None else rate_ratio(self.legacy, self.off)

    @property
    def renewal(self) -> Ratio | None:
        """How many times the old way the new one is."""
        if self.on is None or self.legacy is None:
            return None
        return rate_ratio(self.on, self.legacy)


def doublewrite_prices(points: Iterable[Point]) -> list[DoublewritePrice]:
    """The prices that page_flush points tell, in the order in which each was first measured.

    Only points of one engine, directory, page size, batch and number of cleaners are compared.
    ``points`` hold each setting once (see ``probes.statistics.repeats``). Rejected points are left
    out.
    """
    groups: dict[object, dict[str, Point]] = {}
    for point in points:
        if point.setting.probe is Probe.PAGE_FLUSH and point.usable:
            way = point.setting.options.get("doublewrite", "on")
            groups.setdefault(_alike(point), {})[way] = point
    return [
        DoublewritePrice(ways["off"], ways.get("on"), ways.get("legacy"))
        for ways in groups.values()
        if "off" in ways and len(ways) > 1
    ]


def _alike(point: Point) -> tuple[object, ...]:
    setting = point.setting
    return (
        point.engine,
        setting.directory,
        setting.block_size_bytes,
        setting.threads,
        setting.options.get("batch_pages", ""),
    )
