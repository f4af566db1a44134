"""What a trial has kept: its question, its design, every pair as it came, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from advisor.trial.passings import Passing
from advisor.trial.steps.looks import Stepped
from probes.statistics.ranges import Range
from probes.trial.block import TrialBlock
from probes.trial.ended import Break, LimitPassed
from probes.trial.guard import GuardLimits
from probes.trial.settings import Side, TriedSetting

OVERHEAD_S = 0.3
"""What a block takes beyond its settling and its length: statements that set and read."""


class TrialVerdict(StrEnum):
    """What became of a change."""

    KEPT = "kept"
    BACK = "back"
    UNDECIDED = "undecided"
    """Nothing was shown, so the old values are back."""


class TrialEnd(StrEnum):
    """Why a trial ended by its own test."""

    BETTER = "better"
    WORSE = "worse"
    NO_GAIN = "no_gain"
    """What it brings is surely less than what is worth a change."""
    HOPELESS = "hopeless"
    BUDGET = "budget"
    STOPPED = "stopped"
    """A person ended it."""
    HELD = "held"
    """A smaller value whose misses and times stayed in their band."""
    LEFT_BAND = "left_band"
    UNLIKE = "unlike"
    """Before and after can't be compared."""
    UNCLEAR = "unclear"
    """The difference is no larger than the noise."""


class WayBack(StrEnum):
    """Who sets the old values when nobody is there any more."""

    AGENT = "agent"
    """Two processes on the server's machine, and the server itself."""
    AGENT_ALONE = "agent_alone"
    """Two processes on the server's machine."""
    SERVER = "server"
    """A connection that waits on the server."""
    NOBODY = "nobody"
    """The next Leadline that is started on this computer."""


class PairLeftOut(StrEnum):
    """Why a pair does not count."""

    MIX = "mix"
    OTHER_SETTING = "other_setting"
    TABLE_WORK = "table_work"
    FEW_STATEMENTS = "few_statements"
    UNSETTLED = "unsettled"
    """The server had not settled when its blocks began: later ones wait longer."""
    LIMIT = "limit"
    """A limit of the guard was passed, with either value."""


@dataclass(frozen=True, slots=True)
class TrialAsked:
    """What is tried: settings in their order, those that may move along last.

    ``worth`` is the least difference that is worth keeping, as a share; ``rule`` the rule whose
    advice it is, "" for none; ``forecast`` how many times faster statements were forecast to be.
    """

    settings: tuple[TriedSetting, ...]
    server: str
    budget_s: float
    worth: float = 0.0
    rule: str = ""
    forecast: Range | None = None

    @property
    def tried(self) -> tuple[TriedSetting, ...]:
        """Those that are set."""
        return tuple(each for each in self.settings if each.new)


@dataclass(frozen=True, slots=True)
class TrialDesign:
    """What is fixed before a trial starts.

    ``deviation`` is that of a pair's logarithm; ``shows`` the smallest difference that the budget
    can be expected to show, as a share, and ``shows_in_hour`` the same for an hour; None where too
    few pairs fit. ``seed`` orders the blocks.
    """

    block_s: float
    settle_s: float
    deviation: float
    pairs: int
    budget_s: float
    shows: float | None
    shows_in_hour: float | None
    seed: int

    @property
    def pair_s(self) -> float:
        """How long a pair takes."""
        return pair_seconds(self.settle_s, self.block_s)


def pair_seconds(settle_s: float, block_s: float) -> float:
    """Two blocks, each with its settling."""
    return 2 * (settle_s + block_s + OVERHEAD_S)


@dataclass(frozen=True, slots=True)
class TrialPair:
    """Two blocks; ``first`` is which value came first, ``left_out`` why the pair does not count."""

    number: int
    first: Side
    old: TrialBlock
    new: TrialBlock
    left_out: PairLeftOut | None = None


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """A trial as it was kept.

    ``ended`` is why by its test, ``broken`` what ended it before, with ``detail`` in the server's
    words; both are None where it was cut off. ``stays`` are settings that somebody else has set,
    or that could not be set back. ``back_ms`` is how long the way back took after a limit.
    ``persisted``: the new values were kept for the server's next start, too. ``gain`` is how many
    times faster statements were, as it was at the end. ``stepped`` is what came of a change in
    steps or by a restart, None of one that was switched. ``passings`` are limits that were passed
    while it was switched.
    """

    asked: TrialAsked
    design: TrialDesign
    way_back: WayBack
    limits: GuardLimits = field(default_factory=GuardLimits)
    verdict: TrialVerdict | None = None
    ended: TrialEnd | None = None
    broken: Break | None = None
    passed: LimitPassed | None = None
    detail: str = ""
    stays: tuple[str, ...] = ()
    back_ms: float | None = None
    persisted: bool = False
    gain: Range | None = None
    pairs: tuple[TrialPair, ...] = ()
    stepped: Stepped | None = None
    passings: tuple[Passing, ...] = ()

    @property
    def counted(self) -> tuple[TrialPair, ...]:
        """The pairs that count."""
        return tuple(pair for pair in self.pairs if pair.left_out is None)
