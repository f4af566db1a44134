"""What a lab has kept: its question, its servers, and every turn in its order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from advisor.lab.asked import Asked
from probes.lab.turn import LoadTurn
from probes.lab.variant import LabLoad
from probes.statistics.ranges import Range


class LabEnd(StrEnum):
    """Why a lab ends."""

    DECIDED = "decided"
    HOPELESS = "hopeless"
    """What is left of the budget will hardly decide what is open."""
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class LabTurn:
    """One turn of one entrant with one number of connections; ``start`` and ``round`` count from 0.

    Rounds are numbered through all starts. ``chosen``: it came after the best variant
    had been chosen, to measure that once more.
    """

    variant: str
    level: int
    start: int
    round: int
    turn: LoadTurn
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A lab as it was kept. ``servers`` are versions by variant, ``lines`` their option lines.

    ``dropped`` says of the variants that did not start or live why. ``filling`` are those whose
    pools were still filling when counting began: how full (0..1), at the emptiest start.
    ``ended`` is why it came to its end, None where it was cut off.
    ``fitted`` is the load that came nearest to a watched one, where that was asked for;
    ``forecasts`` is how many times the base's rate variants were forecast to do of that watch.
    """

    asked: Asked
    servers: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    dropped: Mapping[str, str] = field(default_factory=dict)
    filling: Mapping[str, float] = field(default_factory=dict)
    fitted: LabLoad | None = None
    ended: LabEnd | None = None
    forecasts: Mapping[str, Range] = field(default_factory=dict)
    turns: tuple[LabTurn, ...] = ()

    @property
    def load(self) -> LabLoad:
        """What the clients did."""
        return self.fitted or self.asked.load
