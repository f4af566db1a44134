"""What the engines that are programs of others have in common: files, steps and their order."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from probes.cancel import CancelToken
from probes.engines.canary import Canary, watched
from probes.engines.find import FoundEngine
from probes.engines.private import Ended, private_directory
from probes.errors import AgentFailed, EngineFailed, NotEnoughSpace, UsageError
from probes.events import (
    BUDGET_SPENT,
    EngineEvent,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    Warned,
)
from probes.figures import size
from probes.mysql.work import MySQLWork
from probes.plans.file_sets import set_of
from probes.plans.plan import FileSet, Plan, Step
from probes.plans.spend.chooser import Chooser
from probes.points import Point, Sample, Setting
from probes.redaction import cleaned
from probes.targets.target import Target
from probes.trust.point import judge

_KIB = re.compile(r"\d{1,15}")
FLOOR_BYTES = 256 << 20
"""What stays free on the file system, as with the agent."""

SILENCE_S = 60.0
"""How much longer than planned a program may say nothing."""

LEAST_S = 3.0
"""A point that may end when it is sure enough takes so long here: these programs can't tell."""

FILL_BYTES_PER_S = 5 << 20
"""The slowest filling that is waited for."""

Measured = tuple[Point, tuple[Sample, ...]]


@dataclass(slots=True)
class Bench:
    """One run of an engine: where its files are, and what came of it so far.

    ``direct`` says of each filled file set whether the filesystem takes O_DIRECT; ``unmade`` of
    those that could not be filled, why: they are not tried again. ``warned`` are the
    warnings that need no repeating.
    """

    target: Target
    plan: Plan
    mysql: MySQLWork | None
    token: CancelToken
    stack: ExitStack
    rooms: dict[str, str] = field(default_factory=dict)
    direct: dict[int, bool] = field(default_factory=dict)
    unmade: dict[int, StepFailed] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)
    failed: int = 0
    warned: set[str] = field(default_factory=set)
    canary: Canary | None = None

    def beat(self) -> None:
        """Look after the live server; raises as Canary.beat."""
        if self.canary is not None:
            self.canary.beat()

    def beats(self) -> Iterator[EngineEvent]:
        """How the live server fares."""
        if self.canary is not None:
            yield from self.canary.beats()

    def room(self, directory: str) -> str:
        """The private directory within ``directory``; made at its first use."""
        if directory not in self.rooms:
            made = private_directory(self.target, directory, self.token)
            self.rooms[directory] = self.stack.enter_context(made)
        return self.rooms[directory]

    def require(self, directory: str, needed_bytes: int) -> None:
        """Raises NotEnoughSpace where files of ``needed_bytes`` would take what must stay free."""
        text = self.target.run(["df", "-Pk", "--", directory]).stdout.decode("utf-8", "replace")
        columns = text.strip().rpartition("\n")[2].split()
        if len(columns) < 4 or not _KIB.fullmatch(columns[3]):
            return
        if int(columns[3]) * 1024 < needed_bytes + FLOOR_BYTES:
            raise NotEnoughSpace(
                f"{directory} on {self.target.name} has no room for files of {size(needed_bytes)}.",
                "Free some space, or choose another directory.",
            )


class ToolEngine(ABC):
    """An engine that starts a program for each step; see Engine."""

    def __init__(self, target: Target, found: FoundEngine) -> None:
        self._target = target
        self._found = found

    @property
    def name(self) -> str:
        """What points and messages call it."""
        return self._found.name

    @abstractmethod
    def refuses(self, setting: Setting) -> str:
        """Why ``setting`` can't be measured with it, as a sentence; "" when it can."""

    @abstractmethod
    def _fill(self, bench: Bench, files: FileSet, index: int) -> Iterator[EngineEvent]:
        """Write a file set; sets ``bench.direct``."""

    @abstractmethod
    def _run(
        self, bench: Bench, step: Step, files: int | None
    ) -> Generator[EngineEvent, None, Measured]:
        """Measure one step; ``files`` is the index of its set."""

    def measure(
        self, plan: Plan, chooser: Chooser, *, mysql: MySQLWork | None, token: CancelToken
    ) -> Iterator[EngineEvent]:
        """Carry out the steps that ``chooser`` names; see Engine.

        Steps that it refuses, and such as fail, are left out with a warning. The plan's guard is
        the agent; where it can't run, a warning says that nobody watches. Raises UsageError where
        the program can't be used.
        """
        if not self._found.usable:
            raise UsageError(self._found.because, "Measure with the agent: --engine agent.")
        index = chooser.choose(())
        if index is not None:
            yield EngineReady(self.name, self._found.version, math.nan, math.nan)
        with ExitStack() as stack:
            bench = Bench(self._target, plan, mysql, token, stack)
            yield from _guard(bench)
            while index is not None:
                yield from self._step(bench, index)
                yield from bench.beats()
                index = chooser.choose(bench.points)
        if chooser.stopped_because:
            yield Warned(BUDGET_SPENT, chooser.stopped_because)

    def _step(self, bench: Bench, index: int) -> Iterator[EngineEvent]:
        step = bench.plan.steps[index]
        because = self.refuses(step.setting)
        if because:
            if because not in bench.warned:
                bench.warned.add(because)
                yield Warned("engine", because)
            return
        try:
            files = set_of(step.setting, bench.plan.file_sets)
            if files is not None and files not in bench.direct:
                yield from self._prepare(bench, files)
            yield PointStarted(step.setting, index, len(bench.plan.steps))
            point, samples = yield from self._run(bench, step, files)
        except StepFailed as error:
            bench.failed += 1
            if bench.failed > 1 and not bench.points:
                raise EngineFailed(error.sentence, error.advice, error.details) from error
            yield Warned("engine", error.sentence)
            return
        judged = judge(point, samples, calibrated=None)
        bench.points.append(judged)
        yield PointDone(judged, samples)

    def _prepare(self, bench: Bench, index: int) -> Iterator[EngineEvent]:
        if index in bench.unmade:
            raise bench.unmade[index]
        files = bench.plan.file_sets[index]
        count = "1 file" if files.files == 1 else f"{files.files} files"
        what = f"{count} in {files.directory}"
        if files.content != "sparse":
            bench.require(files.directory, files.total_bytes)
        yield Preparing(what, 0, files.total_bytes)
        try:
            yield from self._fill(bench, files, index)
        except StepFailed as error:
            bench.direct.pop(index, None)
            bench.unmade[index] = error
            raise
        yield Preparing(what, files.total_bytes, files.total_bytes)


def _guard(bench: Bench) -> Iterator[EngineEvent]:
    try:
        guarding = watched(bench.target, bench.plan, bench.mysql, bench.token)
        bench.canary = bench.stack.enter_context(guarding)
    except AgentFailed as error:
        yield Warned("guard", f"Nobody watches the live server: {error.sentence}")


class StepFailed(EngineFailed):
    """One step could not be measured; others may."""


def failed(name: str, where: str, ended: Ended, output: str) -> StepFailed | NotEnoughSpace:
    """What a program's bad end means."""
    everything = cleaned(f"{ended.stderr}\n{output}")
    if "No space left" in everything or "ENOSPC" in everything:
        return NotEnoughSpace(
            f"The disk of {where} is full.", "Free some space, or choose another directory."
        )
    lines = [line.strip() for line in everything.splitlines() if line.strip()]
    fault = next((line for line in lines if "rror" in line or "FATAL" in line), "")
    return StepFailed(
        f"{name} on {where} failed (status {ended.status}){f': {fault[:300]}' if fault else ''}.",
        "What had been measured is kept.",
        "\n".join(lines[-20:])[-2000:],
    )


def seconds_of(step: Step) -> float:
    """How long a step is measured by a program that can't tell when it knows enough."""
    if step.within <= 0:
        return step.seconds
    return min(step.seconds, max(LEAST_S, step.least_s))


def fill_patience_s(files: FileSet) -> float:
    """How long filling and reading back may take without a word."""
    return SILENCE_S + 2 * files.total_bytes / FILL_BYTES_PER_S
