"""What commits cost on the drive: with a binary log beside the redo log, and in a group."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact
from advisor.facts.measured.points import MEASURED
from advisor.facts.measured.reading import REDO_BLOCK_BYTES, other_than_redo, sync_point
from advisor.facts.readings import Absent, Reading
from probes import figures
from probes.kinds.redo import RedoOptions
from probes.points import Curve, Point, Probe


def _with_binlog(case: Case) -> Reading | Absent:
    return sync_point(case, "fdatasync", binlog=True)


def _curve(case: Case) -> Reading | Absent:
    """Read the latest curve of plain commits with fdatasync, of appends nearest to 4 KiB."""
    found = [
        curve
        for curve in case.curves(Probe.REDO_SYNC, sync="fdatasync")
        if len(curve.points) > 1 and RedoOptions.of(curve.setting).plain
    ]
    if not found:
        return Absent("redo appends by several writers at once were not measured")
    best = min(
        reversed(found), key=lambda one: abs(one.setting.block_size_bytes - REDO_BLOCK_BYTES)
    )
    first, last = best.points[0], best.points[-1]
    text = (
        f"{figures.rate(first.rate_per_s, 'commits')} by {first.setting.threads}, "
        f"{figures.rate(last.rate_per_s, 'commits')} by {last.setting.threads} writers"
    )
    ids = tuple(point.id for point in best.points if point.id is not None)
    return Reading(best, text, ids, other_than_redo(case, first))


REDO_WITH_BINLOG = Fact(
    "redo.with_binlog",
    Point,
    "one point",
    "what a commit takes when a binary log is synced with the redo log",
    MEASURED,
    _with_binlog,
)
CURVE_COMMITS = Fact(
    "curve.commits",
    Curve,
    "commits/s over writers",
    "how many commits the drive takes from one writer and from many",
    MEASURED,
    _curve,
)
