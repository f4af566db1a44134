"""Facts about the memory that pages are read into: the server's, and what another kind brings."""

from __future__ import annotations

import math

from advisor.case import Case
from advisor.facts.fact import Fact
from advisor.facts.measured.reading import other_drive
from advisor.facts.readings import Absent, Reading
from advisor.model.curves.huge_pages_gain import HugePagesGain, huge_pages_gain
from advisor.model.curves.ratio import ratio_text
from probes import figures
from probes.inventory.facts import Role
from probes.points import BUFFERS


def _gain(case: Case) -> Reading | Absent:
    beside = [
        point
        for point in case.points
        if BUFFERS in point.setting.options and point.engine == case.engine
    ]
    if not beside:
        return Absent("reads into huge and into ordinary pages were not measured beside each other")
    found = huge_pages_gain(beside)
    if found is None:
        return Absent("the points that compare huge with ordinary pages can't be relied upon")
    pieces = ""
    if not math.isnan(found.pieces):
        pieces = f", where a block lies in {found.pieces:.1f} pieces of memory"
    text = (
        f"{ratio_text(found.ratio)} at {found.threads} reads in flight: "
        f"{figures.rate(found.huge_per_s)} into huge pages, "
        f"{figures.rate(found.ordinary_per_s)} into ordinary ones{pieces}"
    )
    ids = tuple(point.id for point in beside if point.id is not None)
    return Reading(found, text, ids, other_drive(case, Role.DATA))


BUFFERS_HUGE_PAGES_GAIN = Fact(
    "buffers.huge_pages_gain",
    HugePagesGain,
    "times",
    "how many times the reads huge pages bring on this drive",
    "random reads of 16 KiB into both kinds of memory, in turns",
    _gain,
)
