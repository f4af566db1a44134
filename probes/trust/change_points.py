"""The phases of a long write: what a drive does until its cache is full or its credit is spent.

Three things make a drive write fast at first and slowly later: the part of a consumer SSD that
stores one bit a cell (SLC cache) fills up, a cloud volume spends its burst credit, or a throttle
sets in. All are steps of the rate, so they are looked for as steps (``probes.trust.levels``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from probes.points import Sample
from probes.trust.arrival.seen import as_number
from probes.trust.levels import levels

SHORTEST_S = 3.0
"""What lasts less is a stall or a spike, no phase."""

FACTOR = 1.25
"""Neighbouring phases differ by this factor at least."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of one rate; ``bytes_before`` were written until it began, warm-up included."""

    start_s: float
    seconds: float
    rate_per_s: float
    bytes_before: int

    def as_detail(self) -> dict[str, float]:
        """The same as JSON values, for a point's details."""
        return {
            "start_s": round(self.start_s, 3),
            "seconds": round(self.seconds, 3),
            "rate_per_s": round(self.rate_per_s, 3),
            "bytes_before": self.bytes_before,
        }


def phases(samples: Iterable[Sample], block_size_bytes: int) -> list[Phase]:
    """Cut a long write into phases, in order; [] without samples, one where the rate is steady."""
    ordered = sorted(samples, key=lambda sample: sample.at_s)
    counted = [sample for sample in ordered if sample.at_s > 0]
    if not counted:
        return []
    ends = [0.0, *(sample.at_s for sample in counted)]
    widths = [ends[at + 1] - ends[at] for at in range(len(counted))]
    usual_s = median(widths)
    warm = sum(sample.rate_per_s * usual_s for sample in ordered if sample.at_s <= 0)
    written = [warm]
    for sample, width in zip(counted, widths, strict=True):
        written.append(written[-1] + sample.rate_per_s * width)
    shortest = max(3, round(SHORTEST_S / usual_s)) if usual_s > 0 else 3
    rates = [max(0.0, sample.rate_per_s) for sample in counted]
    return [
        Phase(
            start_s=ends[level.start],
            seconds=ends[level.end] - ends[level.start],
            rate_per_s=_rate(written, ends, level.start, level.end),
            bytes_before=round(written[level.start] * block_size_bytes),
        )
        for level in levels(rates, shortest=shortest, factor=FACTOR)
    ]


def read_phases(details: Mapping[str, object]) -> list[Phase]:
    """The phases that a point's details hold; those that can't be read are left out."""
    reported = details.get("phases")
    if not isinstance(reported, Sequence) or isinstance(reported, str):
        return []
    found = [_read(entry) for entry in reported if isinstance(entry, Mapping)]
    return [phase for phase in found if phase is not None]


def _read(entry: Mapping[str, object]) -> Phase | None:
    names = ("start_s", "seconds", "rate_per_s", "bytes_before")
    start_s, seconds, rate, before = (as_number(entry.get(name)) for name in names)
    if not all(value >= 0 for value in (start_s, seconds, rate, before)):
        return None
    return Phase(start_s, seconds, rate, int(before))


def _rate(written: Sequence[float], ends: Sequence[float], start: int, end: int) -> float:
    seconds = ends[end] - ends[start]
    return (written[end] - written[start]) / seconds if seconds > 0 else 0.0
