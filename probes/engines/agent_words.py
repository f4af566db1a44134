"""The agent's words and figures as the program has them: errors, host samples, sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields

from probes.errors import (
    AgentFailed,
    DirectoryUnusable,
    GuardTripped,
    LeadlineError,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
    NotEnoughSpace,
    ProbeError,
)
from probes.events import CanaryBeat, EngineReady
from probes.points import EndedBy, HostSample

ENGINE = "agent"

_FREE_SPACE = "Free some space, or choose another directory."
_ANOTHER_DIRECTORY = "Choose another directory."

ERRORS: Mapping[str, tuple[type[LeadlineError], str]] = {
    "directory_missing": (DirectoryUnusable, _ANOTHER_DIRECTORY),
    "directory_read_only": (DirectoryUnusable, _ANOTHER_DIRECTORY),
    "no_space": (NotEnoughSpace, _FREE_SPACE),
    "limits": (ProbeError, "Measure with fewer threads, or raise the limit there."),
    "io": (ProbeError, "What had been measured is kept. Look at the kernel's log there."),
    "mysql_refused": (MySQLUnreachable, "Is the server running, and does it listen there?"),
    "mysql_denied": (MySQLAccessDenied, "Does the account have SELECT on the table?"),
    "mysql_password": (
        MySQLAccessDenied,
        "Name the server's socket, its machine over SSH, or the file of the authority that signed "
        "its certificate (ca=FILE).",
    ),
    "mysql_lost": (MySQLConnectionLost, "Look at the server's error log; then measure again."),
    "mysql_query": (MySQLError, ""),
    "bad_plan": (AgentFailed, "Use the agent that came with this Leadline."),
    "guard": (GuardTripped, "What had been measured is kept. Try at a quieter time, or with less."),
}
"""By the agent's code: the type of the error, and what to do about it."""


def sentence(text: object) -> str:
    """The agent's words as a sentence."""
    said = str(text).strip()
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith('.') else '.'}"


def number(value: object) -> float:
    """A figure of the agent's; null is unknown. Raises TypeError on anything else."""
    if value is None:
        return math.nan
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise TypeError(value)


def host_sample(host: Mapping[str, object] | None) -> HostSample | None:
    """What was seen of device and host; a figure that is null or absent is unknown."""
    if host is None:
        return None
    figures = {
        field.name: number(host.get(field.name))
        for field in fields(HostSample)
        if field.name != "device"
    }
    return HostSample(device=str(host.get("device") or ""), **figures)


def ended_by(word: object) -> EndedBy:
    """What ended a point; a word of a newer agent's is unknown."""
    return next((known for known in EndedBy if known == word), EndedBy.UNKNOWN)


def ready(message: Mapping[str, object]) -> EngineReady:
    """The agent's first words."""
    return EngineReady(
        ENGINE,
        str(message["version"]),
        number(message["clock_ns"]),
        number(message["overhead_ns_per_op"]),
    )


def canary(message: Mapping[str, object]) -> CanaryBeat:
    """How the server fared within a second."""
    return CanaryBeat(
        latency_us=number(message["latency_us"]),
        baseline_us=number(message["baseline_us"]),
        limit_us=number(message["limit_us"]),
        threads_running=_count(message["threads_running"]),
        row_lock_waits=_count(message["row_lock_waits"]),
    )


def _count(value: object) -> int:
    figure = number(value)
    return 0 if math.isnan(figure) else int(figure)
