"""From the raw answers of a watch to what was seen."""

from __future__ import annotations

from collections.abc import Mapping

from probes.watch.read_machine import read_machine
from probes.watch.read_server import read_files, read_status
from probes.watch.read_trace import read_pages, read_trace
from probes.watch.watched import Watched


def read_watch(answers: Mapping[str, str], *, here: bool = True) -> Watched | None:
    """What a watch saw, None where none took place; raises Malformed.

    ``here``: the machine that was looked at is the server's.
    """
    status = read_status(answers)
    if status is None:
        return None
    timed = read_files(answers, status)
    if not here:
        return Watched(status, timed)
    known = {(each.role, each.operation) for each in timed}
    traced = tuple(each for each in read_trace(answers) if (each.role, each.operation) not in known)
    return Watched(status, timed + traced, read_machine(answers), read_pages(answers))
