"""What the agent says, read into events; a pure function of its lines (see its PROTOCOL.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from probes.engines.agent_plan import step_index
from probes.engines.agent_words import (
    ENGINE,
    ERRORS,
    canary,
    ended_by,
    host_sample,
    number,
    ready,
    sentence,
)
from probes.errors import (
    AgentFailed,
    LeadlineError,
    ProbeError,
)
from probes.events import (
    Calibrated,
    EngineEvent,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.histogram import read_histogram, summarise
from probes.plans.plan import FileSet, Plan, Step
from probes.points import Point, Probe, Sample, Setting, Trust
from probes.trust.point import judge

BUDGET = "budget"
"""The warning that the plan's budget is used up: nothing more will be measured."""

_TOLD_BY_THE_POINT = {"buffered", "fewer_threads"}
"""Warnings of which the point's own figures tell, too."""

_READERS = "reads"


class AgentReader:
    """Turns the agent's lines into events, in their order.

    ``done`` is set when the agent said that it has finished, ``waiting`` when it waits for further
    points, ``over_budget`` when it will take none, ``running`` is the step that it measures now,
    ``heartbeat`` whether its last line said no more than that it lives.
    Events of an unknown kind are passed over, so that an older Leadline can read a newer agent. A
    fault of one point becomes a warning, told once; only where no point at all could be measured,
    it is raised at the end.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._samples: dict[str, list[Sample]] = {}
        self._doubts: dict[str, list[str]] = {}
        self._ready: EngineReady | None = None
        self._calibrated: Calibrated | None = None
        self._started_id = ""
        self._no_point_because: LeadlineError | None = None
        self._said: set[Warned] = set()
        self.points: list[Point] = []
        self.running: Step | None = None
        self.heartbeat = False
        self.waiting = False
        self.over_budget = False
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

    def asked(self) -> None:
        """Another point was sent: the agent no longer waits."""
        self.waiting = False

    def _read(self, message: Mapping[str, Any]) -> Iterator[EngineEvent]:
        self.heartbeat = message["event"] == "alive"
        match message["event"]:
            case "hello":
                self._ready = ready(message)
                yield self._ready
            case "calibrated":
                yield self._calibration(message)
            case "canary":
                yield canary(message)
            case "preparing":
                yield self._preparing(message)
            case "point_started":
                yield from self._started(message)
            case "sample":
                yield self._sample(message)
            case "point":
                yield self._point(message)
            case "warning":
                yield self._warning(message)
            case "error":
                yield from self._error(message)
            case "waiting":
                self.waiting = True
                self.running = None
            case "done":
                self.done = True
                if self._no_point_because is not None and not self.points:
                    raise self._no_point_because

    def _step(self, message: Mapping[str, Any]) -> Step:
        index = step_index(message["id"])
        if index < 0:
            raise ValueError(message["id"])
        return self._plan.steps[index]

    def _setting(self, message: Mapping[str, Any]) -> Setting:
        setting = self._step(message).setting
        part = message.get("part")
        if not part:
            return setting
        return replace(setting, options={**setting.options, "part": str(part)})

    def _calibration(self, message: Mapping[str, Any]) -> Calibrated:
        cost = self._ready
        self._calibrated = Calibrated(
            clock_ns=math.nan if cost is None else cost.clock_ns,
            overhead_ns_per_op=math.nan if cost is None else cost.overhead_ns_per_op,
            processors=int(message["processors"]),
            wakeup_us={int(threads): float(us) for threads, us in message["wakeup_us"].items()},
            ceiling_per_s={
                int(size): {int(threads): float(rate) for threads, rate in rates.items()}
                for size, rates in message["ceiling_per_s"].items()
            },
        )
        return self._calibrated

    def _preparing(self, message: Mapping[str, Any]) -> Preparing:
        # Filling and reading back are one piece of work to whoever waits for it.
        total = int(message["total_bytes"])
        done = int(message["done_bytes"])
        files = self._plan.file_sets[int(message["file_set"])]
        if files.settle and message.get("stage") in ("filling", "reading"):
            done = (done if message["stage"] == "filling" else total + done) // 2
        return Preparing(called(files), done, total)

    def _started(self, message: Mapping[str, Any]) -> Iterator[PointStarted]:
        step = self._step(message)
        identity = str(message["id"])
        # Each part of a mixture may say that it starts.
        if self.running is not None and identity == self._started_id:
            return
        self._samples, self._started_id, self.running = {}, identity, step
        yield PointStarted(step.setting, step_index(identity), len(self._plan.steps))

    def _sample(self, message: Mapping[str, Any]) -> SampleTaken:
        sample = Sample(
            float(message["at_s"]),
            float(message["rate_per_s"]),
            float(message["p95_us"]),
            float(message["p99_us"]),
            host_sample(message.get("host")),
        )
        self._samples.setdefault(str(message.get("part", "")), []).append(sample)
        return SampleTaken(self._setting(message), sample)

    def _point(self, message: Mapping[str, Any]) -> PointDone:
        setting = self._setting(message)
        samples = tuple(self._samples.get(str(message.get("part", "")), ()))
        told = self._doubts.get(str(message["id"]), [])
        low, high = message.get("ci95_per_s") or (None, None)
        point = Point(
            setting=setting,
            engine=ENGINE,
            seconds=float(message["seconds"]),
            operations=int(message["operations"]),
            rate_per_s=float(message["rate_per_s"]),
            ci95_per_s=(number(low), number(high)),
            latency=summarise(read_histogram(message["histogram"])),
            histogram=str(message["histogram"]),
            cpu_user_us_per_op=float(message["cpu_user_us_per_op"]),
            cpu_system_us_per_op=float(message["cpu_system_us_per_op"]),
            direct=message.get("direct"),
            trust=Trust.DOUBTFUL if told else Trust.OK,
            trust_reasons=tuple(told),
            ended_by=ended_by(message.get("ended_by")),
            warmup_s=float(message.get("warmup_seconds", 0.0)),
            details=_details(message, setting),
        )
        point = judge(point, samples, calibrated=self._calibrated)
        self.points.append(point)
        return PointDone(point, samples)

    def _warning(self, message: Mapping[str, Any]) -> Warned:
        code, text = str(message["code"]), sentence(message["message"])
        if code == BUDGET:
            self.over_budget = True
        elif code not in _TOLD_BY_THE_POINT and message.get("id"):
            self._doubts.setdefault(str(message["id"]), []).append(text)
        return Warned(code, text)

    def _error(self, message: Mapping[str, Any]) -> Iterator[Warned]:
        code, text = str(message["code"]), sentence(message["message"])
        kind, advice = ERRORS.get(code, (ProbeError, ""))
        error = kind(text, advice)
        if message.get("fatal"):
            raise error
        self._no_point_because = self._no_point_because or error
        warned = Warned(code, text)
        # What keeps one point from being measured keeps dozens of others, too.
        if warned not in self._said:
            self._said.add(warned)
            yield warned


def called(files: FileSet) -> str:
    """A file set as people read it; no two sets of a plan are called the same."""
    count = "1 file" if files.files == 1 else f"{files.files} files"
    return f"{count} in {files.directory}" + (f" ({files.name})" if files.name else "")


def _details(message: Mapping[str, Any], setting: Setting) -> dict[str, object]:
    """What else was said of a point, with counts that only say something where they are not 0."""
    details = dict(message.get("details") or {})
    for name in ("errors", "missing_rows"):
        if message.get(name):
            details[name] = int(message[name])
    # The other parts of a mixture have threads of their own, which the setting does not name.
    counts_threads = setting.probe is not Probe.MIXED or setting.options.get("part") == _READERS
    if counts_threads and "threads" in message:
        details["threads"] = int(message["threads"])
    return details
