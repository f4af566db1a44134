"""The agent's lines as the program has them: errors, sentences, samples, points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from probes.boundary.numbers import finite, whole
from probes.doubts import stated
from probes.engines.agent.figures import (
    MOST_PER_S,
    MOST_S,
    MOST_US,
    Message,
    by_level,
    by_two_levels,
    details,
    flag_or_unknown,
    host_sample,
    interval,
    microseconds,
    rate,
    seconds,
    threads,
    words,
)
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
from probes.events import Calibrated, CanaryBeat, EngineReady
from probes.points import EndedBy, Point, Probe, Sample, Setting, Trust
from probes.statistics.histogram import LONGEST_LETTERS, read_histogram, summarise

ENGINE = "agent"
READERS = "reads"
"""The part of a mixture whose threads the setting names."""

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


def sentence(text: str) -> str:
    """The agent's words as a sentence."""
    stripped = text.strip()
    return f"{stripped[:1].upper()}{stripped[1:]}{'' if stripped.endswith('.') else '.'}"


def ended_by(word: object) -> EndedBy:
    """What ended a point; a word of a newer agent's is unknown."""
    return next((known for known in EndedBy if known == word), EndedBy.UNKNOWN)


def ready(message: Message) -> EngineReady:
    """The agent's first words."""
    return EngineReady(
        ENGINE,
        words(message, "version"),
        finite(message.get("clock_ns"), "clock_ns", 0, MOST_US),
        finite(message.get("overhead_ns_per_op"), "overhead_ns_per_op", -MOST_US, MOST_US),
    )


def calibration(message: Message, cost: EngineReady | None) -> Calibrated:
    """What the prober costs, by its first words, and what it can do."""
    return Calibrated(
        clock_ns=math.nan if cost is None else cost.clock_ns,
        overhead_ns_per_op=math.nan if cost is None else cost.overhead_ns_per_op,
        processors=threads(message, "processors"),
        wakeup_us=by_level(message.get("wakeup_us"), "wakeup_us", MOST_US),
        ceiling_per_s=by_two_levels(message.get("ceiling_per_s"), "ceiling_per_s", MOST_PER_S),
    )


def canary(message: Message) -> CanaryBeat:
    """How the server fared within a second."""
    return CanaryBeat(
        latency_us=microseconds(message, "latency_us"),
        baseline_us=microseconds(message, "baseline_us"),
        limit_us=microseconds(message, "limit_us"),
        threads_running=whole(message.get("threads_running"), "threads_running"),
        row_lock_waits=whole(message.get("row_lock_waits"), "row_lock_waits"),
    )


def sample(message: Message) -> Sample:
    """How a point went within one interval."""
    return Sample(
        seconds(message, "at_s"),
        rate(message, "rate_per_s"),
        microseconds(message, "p95_us"),
        microseconds(message, "p99_us"),
        host_sample(message.get("host")),
    )


def point(message: Message, setting: Setting, doubts: Sequence[str]) -> Point:
    """A point as it came, doubtful where there are ``doubts``."""
    histogram = words(message, "histogram", LONGEST_LETTERS)
    return Point(
        setting=setting,
        engine=ENGINE,
        seconds=finite(message.get("seconds"), "seconds", 0, MOST_S),
        operations=whole(message.get("operations"), "operations"),
        rate_per_s=rate(message, "rate_per_s"),
        ci95_per_s=interval(message, "ci95_per_s"),
        latency=summarise(read_histogram(histogram)),
        histogram=histogram,
        cpu_user_us_per_op=microseconds(message, "cpu_user_us_per_op"),
        cpu_system_us_per_op=microseconds(message, "cpu_system_us_per_op"),
        direct=flag_or_unknown(message, "direct"),
        trust=Trust.DOUBTFUL if doubts else Trust.OK,
        doubts=tuple(map(stated, doubts)),
        ended_by=ended_by(message.get("ended_by")),
        warmup_s=finite(message.get("warmup_seconds", 0.0), "warmup_seconds", -MOST_S, MOST_S),
        details=_details(message, setting),
    )


def _details(message: Message, setting: Setting) -> dict[str, object]:
    """What else was said of a point, with counts that only say something where they are not 0."""
    reported = details(message.get("details"))
    for name in ("errors", "missing_rows"):
        if counted := whole(message.get(name, 0), name):
            reported[name] = counted
    # The other parts of a mixture have threads of their own, which the setting does not name.
    counts_threads = setting.probe is not Probe.MIXED or setting.options.get("part") == READERS
    if counts_threads and "threads" in message:
        reported["threads"] = threads(message, "threads")
    return reported
