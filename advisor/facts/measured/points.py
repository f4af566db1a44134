"""Facts that were measured on the drive."""

from __future__ import annotations

from functools import partial

from advisor.case import Case
from advisor.facts.fact import Fact, Read
from advisor.facts.measured.reading import (
    best_write_curve,
    curve_of,
    directness,
    other_drive,
    page_bytes,
    sync_point,
)
from advisor.facts.readings import Absent, Reading
from advisor.model.curves.doublewrite_price import DoublewritePrice, doublewrite_prices
from advisor.model.curves.interference import Interference, interferences
from probes import figures
from probes.inventory.facts import Role
from probes.points import PAGE_BYTES, Curve, Point, Probe
from probes.statistics.ranges import Range

MEASURED = "measured by the run on the probe directory"


def _curve(
    probe: Probe,
    block_size_bytes: int | None = None,
    *,
    many: bool | None = False,
    least: int = 2,
) -> Read:
    def read(case: Case) -> Reading | Absent:
        size = block_size_bytes or page_bytes(case)
        if many is None:
            return best_write_curve(case, size)
        return curve_of(case, probe, size, many=many, least=least)

    return read


def _doublewrite_price(case: Case) -> Reading | Absent:
    """Read the price for the server's page size, of the number of cleaners that flush the most."""
    size = page_bytes(case)
    found = [
        price
        for price in doublewrite_prices(case.usable)
        if price.off.setting.block_size_bytes == size
    ]
    if not found:
        return Absent(
            f"flushing of {figures.size(size)} pages with and without doublewrite was not measured"
        )
    price = max(found, key=lambda one: one.off.rate_per_s)
    ways = ((price.off, "without"), (price.on, "with"), (price.legacy, "as before 8.0.20"))
    there = [(point, words) for point, words in ways if point is not None]
    text = ", ".join(f"{figures.rate(point.rate_per_s, 'pages')} {words}" for point, words in there)
    ids = tuple(point.id for point, _ in there if point.id is not None)
    return Reading(price, text, ids, other_drive(case, Role.DOUBLEWRITE, Role.DATA))


def _flush_ceiling(case: Case) -> Reading | Absent:
    """Read the lowest ceiling of all mixtures in which something suffered, in pages/s.

    Where nothing did, flushing is bounded by the drive and not by its neighbours: then there is
    none.
    """
    lowest = _first_to_suffer(case)
    if isinstance(lowest, Absent):
        return lowest
    ceiling = lowest.ceiling
    low, high = ceiling.interval
    pages = partial(figures.rate, what="pages")
    rate, least, most = figures.ranged(ceiling.begins_per_s, low, high, pages, figures.rate)
    text = f"{rate} beside {lowest.threads} readers ({least} to {most})"
    within = Range(ceiling.begins_per_s, low, high)
    return Reading(ceiling.begins_per_s, text, _ids(lowest), other_drive(case, Role.DATA), within)


def _flush_slower(case: Case) -> Reading | Absent:
    """Read the lowest rate of that mixture at which something suffered, in pages/s."""
    lowest = _first_to_suffer(case)
    if isinstance(lowest, Absent):
        return lowest
    bad = lowest.ceiling.first_bad
    rate_per_s = 0.0 if bad is None else bad.flushed_per_s
    text = f"{figures.rate(rate_per_s, 'pages')} beside {lowest.threads} readers"
    return Reading(rate_per_s, text, _ids(lowest), other_drive(case, Role.DATA))


def _first_to_suffer(case: Case) -> Interference | Absent:
    found = interferences(case.usable)
    if not found:
        return Absent("reads and commits were not measured beside flushing")
    reached = [one for one in found if one.ceiling.reached]
    if not reached:
        return Absent("neither reads nor commits suffered from the most that was flushed")
    return min(reached, key=lambda one: one.ceiling.begins_per_s)


def _ids(found: Interference) -> tuple[int, ...]:
    parts = [point for level in (found.quiet, *found.levels) for point in level.parts.values()]
    return tuple(point.id for point in parts if point.id is not None)


PROBE_DIRECT = Fact(
    "probe.direct", bool, "switch", "whether O_DIRECT works here", MEASURED, directness
)


def _reads(size_bytes: int) -> Fact[Curve]:
    kib = size_bytes // 1024
    return Fact(
        f"curve.random_read.{kib}k",
        Curve,
        "reads/s over threads",
        f"the drive's random reads of {kib} KiB",
        MEASURED,
        _curve(Probe.RANDOM_READ, size_bytes),
    )


CURVE_RANDOM_READ_4K, CURVE_RANDOM_READ_8K = _reads(4096), _reads(8192)
CURVE_RANDOM_READ_16K = _reads(PAGE_BYTES)
CURVE_RANDOM_READ_PAGE = Fact(
    "curve.random_read.page",
    Curve,
    "reads/s over threads",
    "the drive's random reads of the server's page size",
    MEASURED,
    _curve(Probe.RANDOM_READ),
)
CURVE_RANDOM_WRITE_ONE_FILE = Fact(
    "curve.random_write.one_file",
    Curve,
    "writes/s over threads",
    "the drive's random page writes to one file",
    MEASURED,
    _curve(Probe.RANDOM_WRITE, least=1),
)
CURVE_RANDOM_WRITE_MANY_FILES = Fact(
    "curve.random_write.many_files",
    Curve,
    "writes/s over threads",
    "the drive's random page writes to many files",
    MEASURED,
    _curve(Probe.RANDOM_WRITE, many=True, least=1),
)
CURVE_RANDOM_WRITE_PAGE = Fact(
    "curve.random_write.page",
    Curve,
    "writes/s over threads",
    "the drive's random page writes",
    MEASURED,
    _curve(Probe.RANDOM_WRITE, many=None),
)
FLUSH_DOUBLEWRITE = Fact(
    "flush.doublewrite",
    DoublewritePrice,
    "pages/s",
    "what flushing gives with and without doublewrite",
    MEASURED,
    _doublewrite_price,
)
MIXED_CEILING = Fact(
    "mixed.ceiling",
    float,
    "pages/s",
    "the rate of flushing up to which reads and commits get no slower",
    MEASURED,
    _flush_ceiling,
)
MIXED_SLOWER = Fact(
    "mixed.slower",
    float,
    "pages/s",
    "the lowest rate of flushing at which reads or commits were slower",
    MEASURED,
    _flush_slower,
)


def _append(word: str) -> Fact[Point]:
    about = f"what a redo append with {word} takes"
    return Fact(
        f"redo.{word}", Point, "one point", about, MEASURED, lambda case: sync_point(case, word)
    )


REDO_FDATASYNC, REDO_FSYNC, REDO_O_DSYNC = map(_append, ("fdatasync", "fsync", "o_dsync"))
