"""What a trial reports while it works; values only."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.runs.events import CheckEvent
from advisor.trial.design import Minutes
from advisor.trial.looked import TrialOutcome
from advisor.trial.record import TrialAsked, TrialDesign, TrialPair, WayBack
from probes.trial.guard import GuardLimits


@dataclass(frozen=True, slots=True)
class TrialPlanned:
    """What will be done, before anything is.

    ``lines`` is it for people, each with its heading. ``minutes`` is how long it takes to see
    ``difference``, None where no hour would show it.
    """

    asked: TrialAsked
    design: TrialDesign
    limits: GuardLimits
    way_back: WayBack
    difference: float
    minutes: Minutes | None
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PairDone:
    """A pair is kept; ``outcome`` is of all until now."""

    pair: TrialPair
    outcome: TrialOutcome


@dataclass(frozen=True, slots=True)
class SettlingLonger:
    """The value still moved within its blocks: later ones wait so long before they count."""

    settle_s: float


@dataclass(frozen=True, slots=True)
class TrialFinished:
    """The trial is complete."""

    run_id: int


TrialEvent = CheckEvent | TrialPlanned | PairDone | SettlingLonger | TrialFinished
