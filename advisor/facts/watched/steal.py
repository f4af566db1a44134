"""Facts of processors that a host gives to others than this machine (steal)."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.watched.watch import users_watch
from probes.figures import percent
from probes.statistics.ranges import Range
from probes.watch import machine_series
from probes.watch.watched import Watched


@given(users_watch)
def _steal(case: Case, watched: Watched) -> Reading | Absent:
    seen = None if watched.machine is None else watched.machine.cpu_steal
    if seen is None:
        because = "the machine's processors were not watched"
        return Absent(why_missing(case, machine_series.ANSWER, because))
    return Reading(seen, seen.text(percent))


WATCH_CPU_STEAL = Fact(
    "watch.cpu_steal",
    Range,
    "share",
    "which share of its machine's processors the host withholds",
    "/proc/stat, once a second over the status window",
    _steal,
)
