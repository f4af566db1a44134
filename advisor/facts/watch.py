"""What the server's own work takes, as the watch saw it: page reads, syncs, queries at work."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import AnyFact, Fact, Read, why_missing
from advisor.facts.load import LEADLINES_OWN
from advisor.facts.readings import Absent, Reading
from advisor.facts.server import users_server
from probes import figures
from probes.ranges import Range
from probes.watch import server_series
from probes.watch.watched import FileIO, FileRole, Operation, Watched

FEW = 30
"""Calls that a mean must rest on."""

FILE_IO = "performance_schema.file_summary_by_event_name, once a second over the status window"


@dataclass(frozen=True, slots=True)
class CallTime:
    """What a call on the server's files takes under its own load; ``per_s`` is how many there are.

    ``latency_us`` is the mean. ``source`` says who timed it, for the end of a sentence.
    """

    latency_us: Range
    per_s: Range
    source: str


def users_watch(case: Case) -> Watched | Absent:
    """Give what the watch saw of the user's server, or why there is nothing."""
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    watched = case.inventory.watched
    if watched is None:
        return Absent(why_missing(case, "watch", "the server was not watched"))
    return watched


def _call(role: FileRole, operation: Operation) -> Read:
    def read(case: Case) -> Reading | Absent:
        watched = users_watch(case)
        if isinstance(watched, Absent):
            return watched
        seen = watched.file_io(role, operation)
        if seen is None or seen.latency_us is None:
            return Absent(
                why_missing(
                    case, server_series.FILE_IO, f"the server timed no {operation} of {role}"
                )
            )
        if seen.calls < FEW:
            few = figures.counted(int(seen.calls), f"{operation}")
            return Absent(f"only {few} of {role} came while the server was watched")
        return _timed(seen, seen.latency_us)

    return read


def _timed(seen: FileIO, latency_us: Range) -> Reading:
    text = (
        f"{figures.duration_us(latency_us.value)} each ({figures.duration_us(latency_us.low)} to "
        f"{figures.duration_us(latency_us.high)}), {figures.rate(seen.per_s.value)}"
    )
    return Reading(CallTime(latency_us, seen.per_s, "as the server timed it"), text)


def _running(case: Case) -> Reading | Absent:
    watched = users_watch(case)
    if isinstance(watched, Absent):
        return watched
    seen = watched.status.gauge("Threads_running")
    if seen is None:
        return Absent("the server did not report Threads_running")
    others = Range(*(max(0.0, each - LEADLINES_OWN) for each in (seen.value, seen.low, seen.high)))
    text = f"{others.value:.1f} on average ({others.low:.0f} to {others.high:.0f})"
    return Reading(others, text)


FACTS: tuple[AnyFact, ...] = (
    Fact(
        "watch.page_read",
        "us",
        "what a page read takes under the server's own load",
        FILE_IO,
        _call(FileRole.DATA, Operation.READ),
    ),
    Fact(
        "watch.redo_sync",
        "us",
        "what a sync of the redo log takes under the server's own load",
        FILE_IO,
        _call(FileRole.REDO, Operation.SYNC),
    ),
    Fact(
        "watch.running",
        "queries",
        "how many queries are at work",
        "SHOW GLOBAL STATUS, once a second over the status window",
        _running,
    ),
)
