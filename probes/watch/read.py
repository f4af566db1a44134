"""From the raw answers of a watch to what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.watch.read_machine import agents_answer, read_machine, read_missing
from probes.watch.read_server import read_files, read_status
from probes.watch.read_trace import read_pages, read_trace
from probes.watch.watched import Watched


@dataclass(frozen=True, slots=True)
class WatchReading:
    """What a watch saw, None where none took place, and what the agent could not see, and why."""

    watched: Watched | None
    missing: tuple[tuple[str, str], ...] = ()


def read_watch(answers: Mapping[str, str], *, here: bool = True) -> WatchReading:
    """Read the answers of a watch; raises Malformed.

    ``here``: the machine that was looked at is the server's.
    """
    said = agents_answer(answers) if here else None
    missing = tuple(read_missing(said))
    status = read_status(answers)
    if status is None:
        return WatchReading(None, missing)
    timed = read_files(answers, status)
    known = {(each.role, each.operation) for each in timed}
    traced = tuple(each for each in read_trace(said) if (each.role, each.operation) not in known)
    watched = Watched(status, timed + traced, read_machine(said), read_pages(said))
    return WatchReading(watched, missing)
