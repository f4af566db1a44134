"""The flush rate that reads and commits tolerate, as a fact from mixed points."""

from __future__ import annotations

from functools import partial

from advisor.case import Case
from advisor.facts.measured import other_drive
from advisor.facts.readings import Absent, Reading
from advisor.model.interference import Interference, interferences
from probes import figures
from probes.inventory.facts import Role
from probes.ranges import Range


def flush_ceiling(case: Case) -> Reading | Absent:
    """Read the lowest ceiling of all mixtures in which something suffered, in pages/s.

    Where nothing did, flushing is bounded by the drive and not by its neighbours: then there is
    none.
    """
    found = interferences(case.usable)
    if not found:
        return Absent("reads and commits were not measured beside flushing")
    reached = [one for one in found if one.ceiling.reached]
    if not reached:
        return Absent("neither reads nor commits suffered from the most that was flushed")
    lowest = min(reached, key=lambda one: one.ceiling.rate_per_s)
    ceiling = lowest.ceiling
    low, high = ceiling.interval
    pages = partial(figures.rate, what="pages")
    rate, least, most = figures.ranged(ceiling.rate_per_s, low, high, pages, figures.rate)
    text = f"{rate} beside {lowest.threads} readers ({least} to {most})"
    within = Range(ceiling.rate_per_s, low, high)
    return Reading(ceiling.rate_per_s, text, _ids(lowest), other_drive(case, Role.DATA), within)


def _ids(found: Interference) -> tuple[int, ...]:
    parts = [point for level in (found.quiet, *found.levels) for point in level.parts.values()]
    return tuple(point.id for point in parts if point.id is not None)
