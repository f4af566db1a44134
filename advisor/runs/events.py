"""What a use case reports while it works; values only, safe to hand to another thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.case import Case
from advisor.outcomes import Judgement
from probes.errors import LeadlineError
from probes.events import EngineEvent
from probes.inventory.facts import Inventory, Missing
from probes.plans.plan import Plan
from probes.watch.watched import Watched

if TYPE_CHECKING:
    # Readers of every program's files: the window's frame does without.
    from probes.imports import Imported
    from probes.inventory.servers_here import ServerHere


class Stage(StrEnum):
    """The parts of a check, in their order."""

    CONNECT = "connect"
    INVENTORY = "inventory"
    PLAN = "plan"
    PREPARE = "prepare"
    MEASURE = "measure"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A part begins; ``text`` says what is done now."""

    stage: Stage
    text: str


@dataclass(frozen=True, slots=True)
class Queued:
    """Another run measures the drive: this one waits for its end; ``text`` says so."""

    text: str


@dataclass(frozen=True, slots=True)
class Progressed:
    """How far the whole check is (0..1) and how long it still takes."""

    fraction: float
    seconds_left: float


@dataclass(frozen=True, slots=True)
class InventoryTaken:
    """The inventory has been read."""

    inventory: Inventory


@dataclass(frozen=True, slots=True)
class WatchGrew:
    """What a watch that goes on has seen so far; the inventory with all of it comes at its end.

    ``missing`` is what it can't see, as far as that is known.
    """

    watched: Watched
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanMade:
    """What will be done, before it starts; ``lines`` is the plan for people.

    ``inventory_s`` is how long the server's counters are watched before.
    """

    plan: Plan
    lines: tuple[str, ...]
    inventory_s: float = 0.0

    @property
    def seconds(self) -> float:
        """How long all of it is likely to take."""
        return self.plan.seconds + self.inventory_s


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The run is in the store; everything from here on is kept."""

    run_id: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The check is complete."""

    run_id: int
    case: Case
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """What a connection test found, as lines for people; ``facts`` by name for a form to use.

    ``lacks`` are those of the lines that say which privilege the account has not, ``grants`` the
    statements that give them. ``servers`` run on the machine, where none was named.
    """

    lines: tuple[str, ...]
    facts: Mapping[str, str]
    lacks: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    servers: tuple[ServerHere, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run that an import has become; ``beside`` are others that came with it."""

    run_id: int
    name: str
    imported: Imported
    beside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file of which nothing was kept, and why."""

    file: Path
    error: LeadlineError


CheckEvent = (
    StageStarted
    | Queued
    | Progressed
    | InventoryTaken
    | WatchGrew
    | PlanMade
    | RunStarted
    | EngineEvent
    | Finished
)
