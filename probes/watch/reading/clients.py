"""Reading where a server's clients were: pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, whole, whole_from_text
from probes.mysql.standby import COUNTED, at_work
from probes.watch.clients import CLIENTS, Where
from probes.watch.reading.server import moments_of
from probes.watch.server_series import NO_PROCESS
from probes.watch.watched import Clients, StatusSeries

MOST_OF_ALL = 0.75
"""An account that sees fewer of the connections that are open sees its own alone (our choice)."""


def read_clients(answers: Mapping[str, str]) -> tuple[Clients | None, str]:
    """How many clients were where, and why that is not known; None and "" where nobody asked.

    Raises Malformed.
    """
    text = answers.get(CLIENTS)
    if text is None:
        return None, ""
    samples = [counts for _, counts in moments_of(text, "counts")]
    opened, *in_use = (
        sum(whole(each.get(name), f"the number of {name} connections", 0) for each in samples)
        for name in ("opened", *Where)
    )
    connected = sum(
        whole_from_text(str(each.get("connected") or 0), "Threads_connected", 0, LARGEST)
        for each in samples
    )
    if opened < MOST_OF_ALL * connected:
        return None, f"{NO_PROCESS}, and sees its own connections alone"
    local, remote, unplaced = (each / len(samples) for each in in_use)
    return Clients(local, remote, unplaced, _processes(samples)), ""


def read_standby(
    answers: Mapping[str, str], status: StatusSeries, *, mariadb: bool, scheduler: bool
) -> tuple[float, float, float]:
    """How many threads stood by though they count as running, and how many applied and do not.

    The third is how many applied, counted or not. Means of the window; ``probes.mysql.standby`` has
    which servers count what. No more stood by than were at work at every moment. Where nobody
    counted them, as in older runs, one does where the event scheduler has a thread. Raises
    Malformed.
    """
    text = answers.get(CLIENTS)
    samples = [] if text is None else [counts for _, counts in moments_of(text, "counts")]
    standby, appliers = float(scheduler), 0.0
    if samples and all(name in each for each in samples for name in COUNTED):
        standby, replicating, idle = (
            sum(whole(each[name], f"the number of {name} threads", 0) for each in samples)
            / len(samples)
            for name in COUNTED
        )
        standby += idle if mariadb else 0.0
        appliers = max(0.0, replicating - idle)
    running = status.values.get("Threads_running")
    standby = min(standby, at_work(min(running), 0.0)) if running else standby
    return standby, 0.0 if mariadb else appliers, appliers


def _processes(samples: Sequence[Mapping[str, Any]]) -> tuple[int, ...] | None:
    """All that were reported; None where nobody asked, or one time not all were."""
    asked = [each["processes"] for each in samples if "processes" in each]
    if not asked or any(each is None for each in asked):
        return None
    if not all(isinstance(each, list) for each in asked):
        raise Malformed("the clients' processes are no list")
    return tuple(
        sorted(
            {whole(pid, "the number of a client's process", 1) for each in asked for pid in each}
        )
    )
