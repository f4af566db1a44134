"""Facts that were measured on the drive."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, Read
from advisor.facts.flush_points import doublewrite_price
from advisor.facts.measured import (
    best_write_curve,
    curve_of,
    directness,
    page_bytes,
    sync_point,
)
from advisor.facts.mixed_points import flush_ceiling
from advisor.facts.readings import Absent, Reading
from advisor.model.doublewrite_price import DoublewritePrice
from probes.points import PAGE_BYTES, Curve, Point, Probe

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
    doublewrite_price,
)
MIXED_CEILING = Fact(
    "mixed.ceiling",
    float,
    "pages/s",
    "the rate of flushing up to which reads and commits get no slower",
    MEASURED,
    flush_ceiling,
)


def _append(word: str) -> Fact[Point]:
    about = f"what a redo append with {word} takes"
    return Fact(
        f"redo.{word}", Point, "one point", about, MEASURED, lambda case: sync_point(case, word)
    )


REDO_FDATASYNC, REDO_FSYNC, REDO_O_DSYNC = map(_append, ("fdatasync", "fsync", "o_dsync"))
