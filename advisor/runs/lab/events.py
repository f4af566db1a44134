"""What a lab reports while it works; values only."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.lab.design import LabDesign
from advisor.lab.record import LabTurn
from advisor.runs.events import CheckEvent


@dataclass(frozen=True, slots=True)
class LabPlanned:
    """What will be done, before it starts; ``lines`` is it for people, each with its heading."""

    design: LabDesign
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StartBegun:
    """All servers are started again; ``number`` counts from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class TurnDone:
    """A turn is kept."""

    turn: LabTurn


@dataclass(frozen=True, slots=True)
class LabDropped:
    """A variant did not start, or its server or load failed: the others go on."""

    variant: str
    because: str


@dataclass(frozen=True, slots=True)
class LabFinished:
    """The lab is complete."""

    run_id: int


LabEvent = CheckEvent | LabPlanned | StartBegun | TurnDone | LabDropped | LabFinished
