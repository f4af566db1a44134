"""What the agent says, read into events; a pure function of its lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from probes.engines.intervals import rate_interval
from probes.errors import (
    AgentFailed,
    DirectoryUnusable,
    LeadlineError,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
    NotEnoughSpace,
    ProbeError,
)
from probes.events import (
    EngineEvent,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.histogram import read_histogram, summarise
from probes.plans.plan import Plan
from probes.points import Point, Sample, Setting, Trust

ENGINE = "agent"

BUFFERED = (
    "The filesystem refused O_DIRECT, so the page cache took part and the figure may be memory's."
)

WIDEST_INTERVAL = 0.50
"""Half a 95 % interval above this share of the rate: the drive did two different things."""

_FREE_SPACE = "Free some space, or choose another directory."
_ANOTHER_DIRECTORY = "Choose another directory."

_ERRORS: dict[str, tuple[type[LeadlineError], str]] = {
    "directory_missing": (DirectoryUnusable, _ANOTHER_DIRECTORY),
    "directory_read_only": (DirectoryUnusable, _ANOTHER_DIRECTORY),
    "no_space": (NotEnoughSpace, _FREE_SPACE),
    "mysql_refused": (MySQLUnreachable, "Is the server running, and does it listen there?"),
    "mysql_denied": (MySQLAccessDenied, "Does the account have SELECT on the table?"),
    "mysql_lost": (MySQLConnectionLost, "Look at the server's error log; then measure again."),
    "mysql_query": (MySQLError, ""),
    "bad_plan": (AgentFailed, "Use the agent that came with this Leadline."),
}


class AgentReader:
    """Turns the agent's lines into events, in their order.

    ``done`` is set when the agent said that it has finished. Events of an unknown kind are passed
    over, so that an older Leadline can read a newer agent. A fault of one point becomes a warning;
    only where the directory let no point at all be measured, it is raised at the end.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._samples: list[Sample] = []
        self._doubts: dict[str, list[str]] = {}
        self._no_point_because: LeadlineError | None = None
        self._points = 0
        self.done = False

    def read(self, line: bytes) -> Iterator[EngineEvent]:
        """Read one line. Raises AgentFailed on nonsense, and the typed error of a fatal fault."""
        try:
            message: dict[str, Any] = json.loads(line)
            yield from self._read(message)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise AgentFailed(
                "The agent said something that can't be understood.",
                "Use the agent that came with this Leadline.",
                details=repr(line[:400]),
            ) from error

    def _read(self, message: Mapping[str, Any]) -> Iterator[EngineEvent]:
        match message["event"]:
            case "hello":
                yield EngineReady(
                    ENGINE,
                    str(message["version"]),
                    float(message["clock_ns"]),
                    float(message["overhead_ns_per_op"]),
                )
            case "preparing":
                yield self._preparing(message)
            case "point_started":
                self._samples = []
                index = int(message["id"])
                yield PointStarted(self._setting(message), index, len(self._plan.steps))
            case "sample":
                sample = _sample(message)
                self._samples.append(sample)
                yield SampleTaken(self._setting(message), sample)
            case "point":
                yield self._point(message)
            case "warning":
                yield self._warning(message)
            case "error":
                yield self._error(message)
            case "done":
                self.done = True
                if self._no_point_because is not None and not self._points:
                    raise self._no_point_because

    def _setting(self, message: Mapping[str, Any]) -> Setting:
        return self._plan.steps[int(message["id"])].setting

    def _preparing(self, message: Mapping[str, Any]) -> Preparing:
        # Filling and reading back are one piece of work to whoever waits for it.
        total = int(message["total_bytes"])
        done = int(message["done_bytes"])
        if message.get("stage") in ("filling", "reading"):
            done = (done if message["stage"] == "filling" else total + done) // 2
        files = self._plan.file_sets[int(message["file_set"])]
        count = "1 file" if files.files == 1 else f"{files.files} files"
        return Preparing(f"{count} in {files.directory}", done, total)

    def _point(self, message: Mapping[str, Any]) -> PointDone:
        self._points += 1
        rate = float(message["rate_per_s"])
        counted = [sample.rate_per_s for sample in self._samples if sample.at_s > 0]
        interval = rate_interval(rate, counted)
        doubts = self._doubts.pop(str(message["id"]), []) + _doubts(message, rate, interval)
        point = Point(
            setting=self._setting(message),
            engine=ENGINE,
            seconds=float(message["seconds"]),
            operations=int(message["operations"]),
            rate_per_s=rate,
            ci95_per_s=interval,
            latency=summarise(read_histogram(message["histogram"])),
            histogram=str(message["histogram"]),
            cpu_user_us_per_op=float(message["cpu_user_us_per_op"]),
            cpu_system_us_per_op=float(message["cpu_system_us_per_op"]),
            direct=message.get("direct"),
            trust=_trust(rate, doubts),
            trust_reasons=tuple(doubts),
        )
        return PointDone(point, tuple(self._samples))

    def _warning(self, message: Mapping[str, Any]) -> Warned:
        code, text = str(message["code"]), _sentence(message["message"])
        # That it was buffered, the point says itself.
        if code != "buffered" and "id" in message:
            self._doubts.setdefault(str(message["id"]), []).append(text)
        return Warned(code, text)

    def _error(self, message: Mapping[str, Any]) -> Warned:
        code, text = str(message["code"]), _sentence(message["message"])
        kind, advice = _ERRORS.get(code, (ProbeError, ""))
        error = kind(text, advice)
        if message.get("fatal"):
            raise error
        if isinstance(error, (DirectoryUnusable, NotEnoughSpace)):
            self._no_point_because = self._no_point_because or error
        return Warned(code, text)


def _doubts(message: Mapping[str, Any], rate: float, interval: tuple[float, float]) -> list[str]:
    """Why a point may not stand for what was asked, as sentences."""
    doubts = []
    if rate <= 0:
        doubts.append("Nothing finished within the time.")
    if message.get("direct") is False:
        doubts.append(BUFFERED)
    if rate > 0 and (interval[1] - rate) / rate > WIDEST_INTERVAL:
        width = (interval[1] - rate) / rate
        doubts.append(f"The rate swung: its 95 % interval is ±{width:.0%} wide.")
    if int(message.get("errors", 0)):
        doubts.append(f"{message['errors']} operations failed.")
    if int(message.get("missing_rows", 0)):
        doubts.append(f"{message['missing_rows']} lookups found no row, which is less work.")
    return doubts


def _trust(rate: float, doubts: Sequence[str]) -> Trust:
    if rate <= 0:
        return Trust.REJECTED
    return Trust.DOUBTFUL if doubts else Trust.OK


def _sentence(text: object) -> str:
    """The agent's words as a sentence."""
    said = str(text).strip()
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith('.') else '.'}"


def _sample(message: Mapping[str, Any]) -> Sample:
    return Sample(
        float(message["at_s"]),
        float(message["rate_per_s"]),
        float(message["p95_us"]),
        float(message["p99_us"]),
    )


def planned_silence_s(plan: Plan) -> float:
    """The longest time without a word that is no fault: samples come every 0.2 s, fills more often.

    Connecting many clients and syncing a filled file say nothing while they last.
    """
    threads: Sequence[int] = [step.setting.threads for step in plan.steps]
    return 30.0 + 0.05 * max(threads, default=0)
