"""What a page read takes beside as many page writes as the server does, by measured mixtures.

It stands in where nobody timed the server's own reads: an idle drive's curve says too little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

from advisor.case import Case
from advisor.facts.measured.reading import curve_of, other_drive, page_bytes
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import users_window
from advisor.model.curves.interference import Interference, interferences
from advisor.model.curves.operating_point import in_flight
from probes import figures
from probes.inventory.facts import Role
from probes.points import Curve, Point, Probe
from probes.statistics.ranges import Range

READS, WRITTEN = "Innodb_data_reads", "Innodb_pages_written"
SOME = 1.0
"""Fewer pages written per second than this slow no read down."""


def read_beside_writes(case: Case) -> tuple[Range, float, Reading] | Absent:
    """Give what such a read takes in µs, how many a second the server does, and how it is said.

    The idle curve's latency at the server's own rate of reads, as many times as reads took longer
    beside its own rate of flushing: between the neighbouring rates that were measured, which are
    its bounds.
    """
    window, found = (
        users_window(case),
        curve_of(case, Probe.RANDOM_READ, page_bytes(case), many=False),
    )
    if isinstance(window, Absent):
        return window
    if isinstance(found, Absent):
        return found
    reads, written = window.per_s(READS), window.per_s(WRITTEN)
    if not reads or written is None or written < SOME:
        return Absent("the server reads or writes no pages, as far as is known")
    curve = cast("Curve", found.value)
    flight = in_flight(curve, reads)
    slower = _slower(case, written, flight or 0.0)
    if flight is None or slower is None:
        return Absent("reads were not measured beside as many page writes as the server does")
    factor, points = slower
    takes = factor.times(flight / reads * 1e6)
    text = (
        f"{figures.duration_us(takes.value)} each beside {figures.rate(written, 'pages')} written: "
        f"{figures.times(factor.value)} what an idle drive takes for {figures.rate(reads)}"
    )
    ids = tuple(each.id for each in points if each.id is not None)
    reading = Reading(takes, text, (*found.point_ids, *ids), other_drive(case, Role.DATA))
    return takes, reads, reading


def _slower(case: Case, written: float, flight: float) -> tuple[Range, Sequence[Point]] | None:
    """How many times as long reads take beside these page writes; None where none were measured.

    Of several mixtures the one with as many readers as there are reads in flight, or nearly.
    """
    size = page_bytes(case)
    mixtures = [
        one
        for one in interferences(case.usable)
        if one.quiet.parts["reads"].setting.block_size_bytes == size
    ]
    for one in sorted(mixtures, key=lambda each: abs(each.threads - flight)):
        steps = [(0.0, 1.0, one.quiet.parts["reads"]), *_steps(one)]
        for (low, before, left), (high, after, right) in pairwise(steps):
            if low <= written <= high:
                share = (written - low) / (high - low) if high > low else 1.0
                ends = sorted((before, after))
                return Range(before + share * (after - before), *ends), (left, right)
    return None


def _steps(mixture: Interference) -> Iterator[tuple[float, float, Point]]:
    """Each rate of flushing, how many times as long reads took, and the point that says so."""
    quiet_us = mixture.quiet.parts["reads"].latency.mean_us
    for level in mixture.levels:
        reads = level.parts.get("reads")
        if reads is not None and quiet_us > 0:
            yield level.flushed_per_s, reads.latency.mean_us / quiet_us, reads
