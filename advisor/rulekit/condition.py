"""A condition that says itself: its figures against their bounds, and what would turn it.

A rule tests it, and the same object gives the card's formula and its "would change if"; so code and
text can't part. Conditions combine with ``&`` and ``|``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from probes import figures
from probes.statistics.ranges import Range

Say = Callable[[float], str]

Clause = tuple[str, str]
"""A subject, and what is said of it; the second is "" where they can't be separated."""


class Condition(ABC):
    """Something that holds or does not, in words."""

    @property
    @abstractmethod
    def holds(self) -> bool:
        """Whether it holds for the values as they are."""

    @property
    @abstractmethod
    def sure(self) -> bool:
        """Whether every value within the measured intervals gives the same answer."""

    @property
    @abstractmethod
    def figures(self) -> tuple[Clause, ...]:
        """Each figure, and what it is held against."""

    @property
    def formula(self) -> str:
        """The figures against their bounds, ``; `` between them; "" where there is no figure."""
        return _joined("; ", " and ", self.figures)

    @property
    @abstractmethod
    def turn(self) -> str:
        """What would have to be so for the opposite to hold, as a clause after "if"."""

    @property
    def turning(self) -> Clause:
        """The same, with its subject apart where it has one."""
        return self.turn, ""

    @property
    def ways(self) -> tuple[Clause, ...]:
        """The same as clauses of which each alone is enough."""
        return (self.turning,)

    @property
    def flips_when(self) -> str:
        """What would turn it; of a single figure, with where that stands now."""
        return self.turn

    def __bool__(self) -> bool:
        return self.holds

    def __and__(self, other: Condition) -> Condition:
        return All(_parts(All, self, other))

    def __or__(self, other: Condition) -> Condition:
        return AnyOf(_parts(AnyOf, self, other))

    def __invert__(self) -> Condition:
        return Not(self)


class Bound(Enum):
    """How a value is held against its bound: the signs and verbs of both answers."""

    LEAST = (">=", "≥", "<", "reaches {}", "falls below {}")
    ABOVE = (">", ">", "≤", "exceeds {}", "falls to {} or less")
    MOST = ("<=", "≤", ">", "falls to {} or less", "exceeds {}")
    BELOW = ("<", "<", "≥", "falls below {}", "reaches {}")

    def met(self, value: float, bound: float) -> bool:
        """Whether ``value`` keeps to ``bound``."""
        match self:
            case Bound.LEAST:
                return value >= bound
            case Bound.ABOVE:
                return value > bound
            case Bound.MOST:
                return value <= bound
            case Bound.BELOW:
                return value < bound


class At(Condition):
    """A named figure against a bound.

    One of ``least``, ``above``, ``most`` and ``below`` is given, in the figure's base unit; ``say``
    writes figure and bound. ``of`` says what the figure was worked out of ("420 µs / 350 µs").
    ``name`` is a noun in the singular without an article; in a sentence it has "the" before it,
    unless it is a proper name or begins otherwise (``the=False``).
    """

    def __init__(
        self,
        name: str,
        value: float | Range,
        *,
        say: Say,
        least: float | None = None,
        above: float | None = None,
        most: float | None = None,
        below: float | None = None,
        of: str = "",
        the: bool = True,
    ) -> None:
        given = {
            Bound.LEAST: least, Bound.ABOVE: above, Bound.MOST: most, Bound.BELOW: below
        }  # fmt: skip
        ((self._kind, self._bound),) = ((k, b) for k, b in given.items() if b is not None)
        self._range = value if isinstance(value, Range) else Range.exact(value)
        self._name, self._say, self._of, self._the = name, say, of, the

    @property
    def name(self) -> str:
        """What it is a figure of."""
        return self._name

    @property
    def value(self) -> float:
        """The figure itself."""
        return self._range.value

    @property
    def bound(self) -> float:
        """What it is held against."""
        return self._bound

    @property
    def holds(self) -> bool:
        """See Condition; a figure that nobody knows (nan) keeps to no bound."""
        return self._kind.met(self.value, self._bound)

    @property
    def rises(self) -> bool:
        """Whether it takes a larger figure to turn it."""
        return (self._kind in {Bound.LEAST, Bound.ABOVE}) is not self.holds

    @property
    def sure(self) -> bool:
        """See Condition."""
        ends = {self._kind.met(end, self._bound) for end in (self._range.low, self._range.high)}
        return len(ends) == 1 and not math.isnan(self.value)

    @property
    def figures(self) -> tuple[Clause, ...]:
        """``fsync / fdatasync = 420 µs / 350 µs = 1.20×`` and ``≥ 1.10×``."""
        _, yes, no, _, _ = self._kind.value
        figure, bound = self._say(self.value), self._say(self._bound)
        against = self._beside or f"{yes if self.holds else no} {bound}"
        return ((" = ".join(filter(None, (self._name, self._of, figure))), against),)

    @property
    def turn(self) -> str:
        """``fsync / fdatasync falls below 1.10×``."""
        return " ".join(self.turning)

    @property
    def turning(self) -> Clause:
        """See Condition."""
        _, _, _, reach, leave = self._kind.value
        subject = f"the {self._name}" if self._the else self._name
        return subject, (leave if self.holds else reach).format(self._say(self._bound))

    @property
    def flips_when(self) -> str:
        """``the miss rate falls below 100/s; it is 530/s``."""
        if math.isnan(self.value):
            return self.turn
        return f"{self.turn}; it is {self._beside or self._say(self.value)}"

    @property
    def _beside(self) -> str:
        """On which side of its bound it is where the two are written alike; else ""."""
        bound = self._say(self._bound)
        if self._say(self.value) != bound or self.value == self._bound:
            return ""
        return f"just {'below' if self.value < self._bound else 'above'} {bound}"


@dataclass(frozen=True)
class Is(Condition):
    """A fact that is so or not: ``yes`` and ``no`` are clauses, "" where no word is needed."""

    is_so: bool
    yes: str
    no: str = ""

    @property
    def holds(self) -> bool:
        """See Condition."""
        return self.is_so

    @property
    def sure(self) -> bool:
        """A fact is no estimate."""
        return True

    @property
    def figures(self) -> tuple[Clause, ...]:
        """There is none in it."""
        return ()

    @property
    def turn(self) -> str:
        """The other clause."""
        return self.no if self.is_so else self.yes


@dataclass(frozen=True)
class Not(Condition):
    """The opposite of another one, of the same figures."""

    other: Condition

    @property
    def holds(self) -> bool:
        """See Condition."""
        return not self.other.holds

    @property
    def sure(self) -> bool:
        """See Condition."""
        return self.other.sure

    @property
    def figures(self) -> tuple[Clause, ...]:
        """See Condition."""
        return self.other.figures

    @property
    def turn(self) -> str:
        """See Condition."""
        return self.other.turn

    @property
    def turning(self) -> Clause:
        """See Condition."""
        return self.other.turning

    @property
    def ways(self) -> tuple[Clause, ...]:
        """See Condition."""
        return self.other.ways

    @property
    def flips_when(self) -> str:
        """See Condition."""
        return self.other.flips_when


@dataclass(frozen=True)
class _Several(Condition):
    """Several parts, of which ``every`` one has to hold, or any."""

    parts: tuple[Condition, ...]
    every: ClassVar[bool]

    @property
    def holds(self) -> bool:
        """See Condition."""
        return all(self.parts) if self.every else any(self.parts)

    @property
    def sure(self) -> bool:
        """See Condition; where one part alone gives the answer, one that is sure is enough."""
        if self.holds is self.every:
            return all(part.sure for part in self.parts)
        return any(part.sure for part in self._deciding)

    @property
    def figures(self) -> tuple[Clause, ...]:
        """See Condition."""
        return tuple(figure for part in self.parts for figure in part.figures)

    @property
    def turn(self) -> str:
        """One part is enough where all give the answer; else all that give it have to turn."""
        if self.holds is self.every:
            return _joined(", or ", " or ", self.ways)
        return _joined(" and ", " and ", (part.turning for part in self._deciding))

    @property
    def ways(self) -> tuple[Clause, ...]:
        """See Condition."""
        if self.holds is self.every:
            return tuple(way for part in self.parts for way in part.ways)
        return self._deciding[0].ways if len(self._deciding) == 1 else (self.turning,)

    @property
    def _deciding(self) -> tuple[Condition, ...]:
        return tuple(part for part in self.parts if part.holds is self.holds)


class All(_Several):
    """Holds where all parts do."""

    every = True


class AnyOf(_Several):
    """Holds where one part does."""

    every = False


def _parts(kind: type[All | AnyOf], *conditions: Condition) -> tuple[Condition, ...]:
    """Flatten: ``a & b & c`` is one condition of three parts."""
    return tuple(
        part
        for one in conditions
        for part in (one.parts if isinstance(one, All | AnyOf) and type(one) is kind else (one,))
    )


def _joined(between: str, within: str, clauses: Iterable[Clause]) -> str:
    """Say each subject once: ``the share falls below 50 % or reaches 90 %``."""
    rests: dict[str, dict[str, None]] = {}
    for subject, rest in clauses:
        rests.setdefault(subject, {})[rest] = None
    texts = (" ".join(filter(None, (one, within.join(rest)))) for one, rest in rests.items())
    return between.join(filter(None, texts))


def per_s(what: str = "") -> Say:
    """Write rates of something: ``2.00 k reads/s``."""
    return lambda value: figures.rate(value, what)


def number(what: str = "") -> Say:
    """Write counts of something: ``8 threads``."""
    return lambda value: figures.counted(value, what) if what else figures.count(value)
