"""What a bench is asked for, and what it reports: values alone, light to load."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.runs.events import CheckEvent
from advisor.runs.requests import NO_TABLE, ProbeRequest
from advisor.target_names import LOCAL
from probes.errors import LeadlineError
from probes.kinds.kind import Kind
from probes.plans.plan import Plan, PlanName
from probes.plans.wishes import Wishes
from probes.targets.address import TargetSpec

BENCH_KINDS = frozenset({Kind.STORAGE, Kind.REDO, Kind.FLUSH})
"""What a drive must be good at for InnoDB: reads and writes of pages, commits, flushes."""

MOST_PLACES, MOST_REPEATS = 12, 20
USUAL_REPEATS = 2
"""Twice, in turn: what comes and goes on the machine then shows as a difference between repeats."""


def where(target: TargetSpec, directory: str) -> str:
    """A directory, with its machine where that is not this one."""
    return directory if target.name == LOCAL else f"{target.name}:{directory}"


@dataclass(frozen=True, slots=True)
class BenchPlace:
    """One of the directories that are measured, as it was found.

    ``drives`` name its disks, each with its machine; () where they are not known. ``device`` is
    what people call them. ``room_bytes`` is what files may take there, None where nobody knows.
    ``resolved`` is the directory behind links and dots, "" where nobody knows.
    """

    target: TargetSpec
    directory: str
    device: str
    filesystem: str
    drives: tuple[str, ...]
    room_bytes: int | None
    plan: Plan
    resolved: str = ""
    name: str = ""

    @property
    def where(self) -> str:
        """The directory, with its machine where that is not this one."""
        return where(self.target, self.directory)


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """Which places to bench and how; each target has its directory.

    ``repeats`` is how often each is measured. ``project`` is what its runs belong to.
    """

    targets: tuple[TargetSpec, ...]
    plan: PlanName = PlanName.QUICK
    repeats: int = USUAL_REPEATS
    project: str = ""
    wishes: Wishes = field(default_factory=Wishes)
    start_anyway: bool = False

    def of(self, spec: TargetSpec, wishes: Wishes) -> ProbeRequest:
        """What is measured at one place."""
        return ProbeRequest(
            spec,
            BENCH_KINDS,
            self.plan,
            wishes,
            table=NO_TABLE if wishes.guard is None else "",
            start_anyway=self.start_anyway,
        )


@dataclass(frozen=True, slots=True)
class PlacesSeen:
    """All places have been looked at, and nothing was written; ``notes`` are to be known before."""

    places: tuple[BenchPlace, ...]
    notes: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A place's turn begins; ``number`` counts from 1, ``place`` is its index."""

    number: int
    total: int
    place: int
    name: str


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """A place could not be measured: the others go on without it."""

    place: int
    name: str
    error: LeadlineError


BenchEvent = PlacesSeen | TurnStarted | TurnFailed | CheckEvent


def turns(places: int, repeats: int) -> list[int]:
    """Whose turn it is: A B C, then C B A, and so on, so that no place is always the first."""
    order = list(range(places))
    return [at for number in range(repeats) for at in (order if number % 2 == 0 else order[::-1])]
