"""From the raw answers of a watch to what was seen."""

from __future__ import annotations

from collections.abc import Mapping

from probes.watch.read_machine import read_machine
from probes.watch.read_server import read_files, read_status
from probes.watch.watched import Watched


def read_watch(answers: Mapping[str, str]) -> Watched | None:
    """What a watch saw, None where none took place; raises Malformed."""
    status = read_status(answers)
    if status is None:
        return None
    return Watched(status, read_files(answers, status), read_machine(answers))
