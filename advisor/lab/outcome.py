"""What came of a lab: each variant against the base, with intervals, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from advisor.lab.costs import Cost, CostChange
from probes.statistics.ranges import Range


class WorkVerdict(StrEnum):
    """What is known of a variant against the base."""

    FASTER = "faster"
    SLOWER = "slower"
    ALIKE = "alike"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Effect:
    """A variant against the base, with one number of connections.

    ``per_s`` and ``p95_us`` are medians over its turns. ``times`` is how many times the base's
    transactions per second it brings, ``late`` how many times its 95th percentile, each with its
    interval of 95 % that holds however often it was looked at; None before there can be one.
    ``confirmed`` is the same as ``times`` of turns after the best was chosen, alone.
    """

    variant: str
    per_s: float
    p95_us: float
    times: Range | None
    late: Range | None
    verdict: WorkVerdict
    costs: Mapping[Cost, float]
    changes: tuple[CostChange, ...]
    confirmed: Range | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """What came of one number of connections.

    ``resolution`` is the smallest difference that the lab can see there, as a share; ``twin`` is
    the base's equal twin against it. ``best`` are the variants among which the best lies.
    """

    connections: int
    base_per_s: float
    base_p95_us: float
    base_costs: Mapping[Cost, float]
    effects: tuple[Effect, ...]
    resolution: float | None
    twin: Range | None
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that came of a lab, by the number of connections; ``starts`` and ``rounds`` as done."""

    levels: tuple[Level, ...]
    starts: int
    rounds: int
    seconds: float

    @property
    def decided(self) -> bool:
        """Whether no difference that was asked for is open."""
        effects = [each for level in self.levels for each in level.effects]
        return bool(effects) and all(each.verdict is not WorkVerdict.OPEN for each in effects)
