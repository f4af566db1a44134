"""Facts that were measured on the drive."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import AnyFact, Fact, Read
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
from probes.points import PAGE_BYTES, Probe

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


def _sync(word: str) -> Read:
    return lambda case: sync_point(case, word)


FACTS: tuple[AnyFact, ...] = (
    Fact("probe.direct", "switch", "whether O_DIRECT works here", MEASURED, directness),
    *(
        Fact(
            f"curve.random_read.{size // 1024}k",
            "reads/s over threads",
            f"the drive's random reads of {size // 1024} KiB",
            MEASURED,
            _curve(Probe.RANDOM_READ, size),
        )
        for size in (4096, 8192, PAGE_BYTES)
    ),
    Fact(
        "curve.random_read.page",
        "reads/s over threads",
        "the drive's random reads of the server's page size",
        MEASURED,
        _curve(Probe.RANDOM_READ),
    ),
    Fact(
        "curve.random_write.one_file",
        "writes/s over threads",
        "the drive's random page writes to one file",
        MEASURED,
        _curve(Probe.RANDOM_WRITE, least=1),
    ),
    Fact(
        "curve.random_write.many_files",
        "writes/s over threads",
        "the drive's random page writes to many files",
        MEASURED,
        _curve(Probe.RANDOM_WRITE, many=True, least=1),
    ),
    Fact(
        "curve.random_write.page",
        "writes/s over threads",
        "the drive's random page writes",
        MEASURED,
        _curve(Probe.RANDOM_WRITE, many=None),
    ),
    Fact(
        "flush.doublewrite",
        "pages/s",
        "what flushing gives with and without doublewrite",
        MEASURED,
        doublewrite_price,
    ),
    Fact(
        "mixed.ceiling",
        "pages/s",
        "the rate of flushing up to which reads and commits get no slower",
        MEASURED,
        flush_ceiling,
    ),
    *(
        Fact(
            f"redo.{word}",
            "one point",
            f"what a redo append with {word} takes",
            MEASURED,
            _sync(word),
        )
        for word in ("fdatasync", "fsync", "o_dsync")
    ),
)
