"""What the agent says, read into events; a pure function of its lines (see its PROTOCOL.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import finite, whole, whole_from_text
from probes.engines.agent.figures import MOST_LETTERS, MOST_S, Message, word, words
from probes.engines.agent.patience import longest_s
from probes.engines.agent.plan import point_id, step_index
from probes.engines.agent.words import (
    ERRORS,
    calibration,
    canary,
    point,
    ready,
    sample,
    sentence,
)
from probes.errors import AgentFailed, LeadlineError, ProbeError
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
from probes.plans.plan import FileSet, Plan, Step
from probes.points import Point, Probe, Sample, Setting
from probes.trust.point import judge

GUARD = "guard"
"""The fault that the server gets too slow: of a point, or of the whole plan."""

BUDGET = "budget"
"""The warning that the plan's budget is used up: nothing more will be measured."""

_IN_THE_POINT = {"buffered", "fewer_threads"}
"""Warnings that the point's own figures show, too."""

LONGEST_LINE_BYTES = 1 << 20
"""A point is the longest; with its histogram it takes some kilobytes."""

_PARTS = ("reads", "redo", "flush")

_MOST_WARNINGS = 1000

_MOST_SAMPLES_PER_S = 20.0
"""One comes every 200 ms."""

_CALLED = {
    "hello": "a greeting",
    "calibrated": "a calibration",
    "canary": "a check of the server",
    "preparing": "a count of filled bytes",
    "point_started": "a start of a point",
    "sample": "a sample",
    "point": "a point",
    "warning": "a warning",
    "error": "an error",
    "recovered": "a recovery of the server",
    "waiting": "a question for more",
}


@dataclass(frozen=True, slots=True)
class Slowed:
    """The server got slower beside ``setting``, and why it counts as that, in the agent's words.

    ``unmeasured`` is the step that was to come next where that was only noticed after the point.
    """

    setting: Setting
    because: str
    unmeasured: int | None


class AgentReader:
    """Turns the agent's lines into events, in their order.

    ``done`` is set when the agent said that it has finished, ``waiting`` when it waits for further
    points, ``over_budget`` when it will take none, ``running`` is the step that it measures now,
    ``heartbeat`` whether its last line brought nothing new. ``slowed`` is set when a point had to
    end because the server got slower, ``recovered_s`` when the server answers as before, with how
    long that took. ``where`` is the target as messages call it. What it says is held to the plan:
    each point comes once, and has begun before.
    Events of an unknown kind are ignored, so that an older Leadline can read a newer agent. A
    fault of one point becomes a warning, given once; only where no point at all could be measured,
    it is raised at the end.
    """

    def __init__(self, plan: Plan, where: str = "the target") -> None:
        self._plan = plan
        self._where = where
        self._samples: dict[str, list[Sample]] = {}
        self._doubts: dict[str, list[str]] = {}
        self._ready: EngineReady | None = None
        self._calibrated: Calibrated | None = None
        self._started_id = ""
        self._come: set[tuple[str, str]] = set()
        self._asked_for: set[str] = set()
        self._prepared = (-1, -1)
        self._warnings = 0
        self._no_point_because: LeadlineError | None = None
        self._warned: set[Warned] = set()
        self._latest: Step | None = None
        self.slowed: Slowed | None = None
        self.recovered_s: float | None = None
        self.points: list[Point] = []
        self.running: Step | None = None
        self.heartbeat = False
        self.waiting = False
        self.over_budget = False
        self.done = False

    def read(self, line: bytes) -> Iterator[EngineEvent]:
        """Read one line. Raises AgentFailed on nonsense, and the typed error of a fatal fault."""
        try:
            message = decode_object(line, LONGEST_LINE_BYTES)
            event = word(message, "event")
        except Malformed as error:
            raise self._nonsense("a line that is no event", error, line) from error
        called = _CALLED.get(event, "an event")
        try:
            yield from self._read(event, message)
        except Malformed as error:
            raise self._nonsense(f"{called} that can't be right: {error}", error, line) from error
        # Figures that are in range one by one may still make no sense together.
        except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError) as error:
            raise self._nonsense(f"{called} that can't be right", error, line) from error

    def _nonsense(self, what: str, error: Exception, line: bytes) -> AgentFailed:
        return AgentFailed(
            f"The agent on {self._where} sent {what}.",
            "What had been measured is kept. Use the agent that came with this Leadline.",
            details=f"{error}\n{line[:400]!r}",
        )

    def asked(self, identity: str = "") -> None:
        """Another point was asked for, or the end (""): the agent no longer waits."""
        self.waiting = False
        self._asked_for.add(identity)

    def _read(self, event: str, message: Message) -> Iterator[EngineEvent]:
        self.heartbeat = event == "alive"
        match event:
            case "hello":
                self._ready = ready(message)
                yield self._ready
            case "calibrated":
                self._calibrated = calibration(message, self._ready)
                yield self._calibrated
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
            case _:
                self._read_state(event, message)

    def _read_state(self, event: str, message: Message) -> None:
        match event:
            case "recovered":
                self.recovered_s = finite(message.get("seconds"), "seconds", 0, MOST_S)
            case "waiting":
                self._waits()
            case "done":
                self.done = True
                if self._no_point_because is not None and not self.points:
                    raise self._no_point_because

    def _waits(self) -> None:
        if "" in self._asked_for:
            raise Malformed("the end was signalled")
        self.waiting = True
        self.running = None

    def _step(self, message: Message) -> Step:
        identity = words(message, "id")
        index = whole_from_text(identity.partition(".")[0], "id")
        known = index < len(self._plan.steps) and identity == point_id(index, 0)
        if not known and identity not in self._asked_for:
            raise Malformed(f"nobody asked for point {shown(identity)}")
        return self._plan.steps[index]

    def _running(self, message: Message) -> tuple[Step, str]:
        """The step that it is for, which has to have begun, and which part of a mixture."""
        step, part = self._step(message), words(message, "part")
        if step is not self.running or message["id"] != self._started_id:
            raise Malformed(f"point {shown(message.get('id'))} has not begun")
        if part not in (_PARTS if step.setting.probe is Probe.MIXED else ("",)):
            raise Malformed(f"it has no part {shown(part)}")
        return step, part

    def _preparing(self, message: Message) -> Preparing:
        # Filling and reading back are one piece of work to whoever waits for it.
        total = whole(message.get("total_bytes"), "total_bytes")
        done = whole(message.get("done_bytes"), "done_bytes")
        most = len(self._plan.file_sets) - 1
        index = whole_from_text(words(message, "file_set"), "file_set", 0, most)
        files = self._plan.file_sets[index]
        if files.settle and message.get("stage") in ("filling", "reading"):
            done = (done if message["stage"] == "filling" else total + done) // 2
        self.heartbeat = self._prepared == (index, done)
        self._prepared = (index, done)
        return Preparing(called(files), done, total)

    def _started(self, message: Message) -> Iterator[PointStarted]:
        step = self._step(message)
        identity = words(message, "id")
        # Each part of a mixture may say that it starts.
        if self.running is not None and identity == self._started_id:
            return
        if (identity, "") in self._come:
            raise Malformed(f"point {shown(identity)} has been there before")
        self._come.add((identity, ""))
        self._samples, self._started_id, self.running = {}, identity, step
        self._latest = step
        yield PointStarted(step.setting, step_index(identity), len(self._plan.steps))

    def _sample(self, message: Message) -> SampleTaken:
        step, part = self._running(message)
        taken = sample(message)
        kept = self._samples.setdefault(part, [])
        if len(kept) > _MOST_SAMPLES_PER_S * longest_s(step):
            raise Malformed(f"{len(kept)} have come of this point already")
        kept.append(taken)
        return SampleTaken(_setting(step, part), taken)

    def _point(self, message: Message) -> PointDone:
        step, part = self._running(message)
        identity = words(message, "id")
        come = (identity, part or "whole")
        if come in self._come:
            raise Malformed(f"point {shown(identity)} has come before")
        self._come.add(come)
        samples = tuple(self._samples.get(part, ()))
        measured = point(message, _setting(step, part), self._doubts.get(identity, []))
        judged = judge(measured, samples, calibrated=self._calibrated)
        self.points.append(judged)
        return PointDone(judged, samples)

    def _warning(self, message: Message) -> Warned:
        code, text = word(message, "code"), sentence(words(message, "message", MOST_LETTERS))
        if code == BUDGET:
            self.over_budget = True
        elif code not in _IN_THE_POINT and message.get("id"):
            self._doubts.setdefault(words(message, "id"), []).append(text)
        self._warnings += 1
        if self._warnings > _MOST_WARNINGS:
            raise Malformed(f"{_MOST_WARNINGS} have come already")
        return Warned(code, text)

    def _slowed(self, latest: Step, message: Message, because: str) -> Slowed:
        """Which point it was: the one that had to end, or the one before what can't begin yet."""
        step, identity = self._step(message), words(message, "id")
        if identity != self._started_id:
            return Slowed(latest.setting, because, step_index(identity))
        return Slowed(step.setting, because, None)

    def _error(self, message: Message) -> Iterator[Warned]:
        code, text = word(message, "code"), sentence(words(message, "message", MOST_LETTERS))
        kind, advice = ERRORS.get(code, (ProbeError, ""))
        error = kind(text, advice)
        if message.get("fatal"):
            raise error
        self._no_point_because = self._no_point_because or error
        if code == GUARD and self._latest is not None:
            self.slowed, self.running = self._slowed(self._latest, message, text), None
            return
        warned = Warned(code, text)
        # What keeps one point from being measured keeps dozens of others, too.
        if warned not in self._warned:
            self._warned.add(warned)
            yield warned


def called(files: FileSet) -> str:
    """A file set as people read it; no two sets of a plan are called the same."""
    count = "1 file" if files.files == 1 else f"{files.files} files"
    return f"{count} in {files.directory}" + (f" ({files.name})" if files.name else "")


def _setting(step: Step, part: str) -> Setting:
    """The setting of the step, or of a part of it."""
    setting = step.setting
    return replace(setting, options={**setting.options, "part": part}) if part else setting
