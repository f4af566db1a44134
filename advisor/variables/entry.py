"""What is known of one variable, by flavour and version."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from probes.version import Flavour, ServerVersion

Numbers = tuple[int, ...]
"""A version as far as it is written: (8, 4) is 8.4.0."""

OPEN: Numbers = (999,)
"""The end of what has no end yet."""


def numbers(text: str) -> Numbers:
    """Read "8.0.30"; raises ValueError when it is no version."""
    return tuple(int(part) for part in text.split("."))


class Ranged:
    """What holds in the versions ``since <= version < before`` of one flavour."""

    __slots__ = ()
    flavour: Flavour
    since: Numbers
    before: Numbers

    def covers(self, version: ServerVersion) -> bool:
        """Whether ``version`` is one of them."""
        return version.at_least(self.flavour, *self.since) and version.before(
            self.flavour, *self.before
        )


class ValueKind(StrEnum):
    """What a value is made of."""

    SWITCH = "switch"
    NUMBER = "number"
    SIZE = "size"
    WORD = "word"
    TEXT = "text"
    PATH = "path"


class State(StrEnum):
    """What a server makes of a variable that it has.

    KEPT: it works. DEPRECATED: it works and is to go. IGNORED: it is there and does nothing.
    """

    KEPT = "kept"
    DEPRECATED = "deprecated"
    IGNORED = "ignored"


class Fate(StrEnum):
    """What becomes of an option-file line.

    TAKEN: it works. DEPRECATED: it works and is to go. IGNORED: the server starts and does nothing
    with it. REFUSED: the server does not start. UNKNOWN: nobody has tried.
    """

    TAKEN = "taken"
    DEPRECATED = "deprecated"
    IGNORED = "ignored"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Habit(StrEnum):
    """What a server does with a value that a reader of its manual would not expect.

    CUT: it takes the nearest value that it allows. ROUNDED: it takes another one close by. MOVES:
    it changes another setting with it. REFUSED: it gives an error. IGNORED: it does nothing.
    SHOWN: what it shows is not what it does. MEANS: the value means something else here. LOSES: the
    value gives up durability.
    """

    CUT = "cut"
    ROUNDED = "rounded"
    MOVES = "moves"
    REFUSED = "refused"
    IGNORED = "ignored"
    SHOWN = "shown"
    MEANS = "means"
    LOSES = "loses"


@dataclass(frozen=True, slots=True)
class Span(Ranged):
    """One setting in the versions ``since <= version < before`` of one flavour.

    ``default`` is None where it depends on the machine or on other settings alone; ``formula``
    names how it comes about (advisor/variables/defaults.py). ``call`` is the function by which a
    running server takes a value that it takes by no SET. ``low`` and ``high`` bound a number,
    which is rounded down to a multiple of ``step``; ``words`` are the values of a word. ``then``
    is what becomes of a line that sets it, where that does not follow from ``state``.
    ``rebuild``: only a new data directory takes another value. ``optional``: builds differ in
    whether they have it. ``measured`` are the versions that were run.
    """

    flavour: Flavour
    since: Numbers
    before: Numbers = OPEN
    default: str | None = None
    dynamic: bool = False
    call: str = ""
    low: float | None = None
    high: float | None = None
    step: int | None = None
    words: tuple[str, ...] = ()
    state: State = State.KEPT
    then: Fate | None = None
    formula: str = ""
    rebuild: bool = False
    optional: bool = False
    measured: tuple[str, ...] = ()

    @property
    def online(self) -> bool:
        """Whether a running server takes another value, in whichever way."""
        return self.dynamic or bool(self.call)

    def was_measured(self, version: ServerVersion) -> bool:
        """Whether a server of the version's series was run; else manuals and neighbours speak."""
        series = version.numbers[:2]
        return any(numbers(each)[:2] == series for each in self.measured)


@dataclass(frozen=True, slots=True)
class UnknownLine(Ranged):
    """What servers without the variable do with a line that sets it."""

    flavour: Flavour
    since: Numbers
    before: Numbers
    fate: Fate
    measured: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note(Ranged):
    """A habit of some servers with a setting, as a sentence."""

    flavour: Flavour
    since: Numbers
    before: Numbers
    habit: Habit
    text: str
    measured: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that a trial may switch back and forth on a live server: it acts within a minute.

    ``settle_s`` is how long the server takes to work as the new value has it, and ``why`` says so;
    ``moves`` are settings that some servers change along with it.
    """

    settle_s: float
    why: str
    moves: tuple[str, ...] = ()


class Follows(StrEnum):
    """What shows whether a server has come to rest after a change in steps, per statement."""

    MISSES = "misses"
    """Pages that are read because the pool does not have them."""
    PAGE_WRITES = "page_writes"


@dataclass(frozen=True, slots=True)
class InSteps:
    """A setting that a trial may change in steps, and not switch: its effect comes slowly.

    ``tenths``: a smaller value is gone to in steps of a tenth.
    """

    follows: Follows
    tenths: bool
    why: str
