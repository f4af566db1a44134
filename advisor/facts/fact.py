"""What a fact is: a name, a unit, a meaning, where it comes from, and how it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from advisor.case import Case
from advisor.facts.readings import Absent, Reading
from advisor.variables.managed import service_of
from advisor.why import Absence, Unseen

OURS, NO_SERVER, NO_HOST = Unseen.OUR_SERVER, Unseen.NO_SERVER, Unseen.NO_HOST

Read = Callable[[Case], Reading | Absent]
T = TypeVar("T")


def given(
    part: Callable[[Case], T | Absent],
) -> Callable[[Callable[[Case, T], Reading | Absent]], Read]:
    """Read a fact from a part of the case; absent where the part is, with its reason."""

    def make(read: Callable[[Case, T], Reading | Absent]) -> Read:
        def found(case: Case) -> Reading | Absent:
            known = part(case)
            return known if isinstance(known, Absent) else read(case, known)

        return found

    return make


T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Fact(Generic[T_co]):
    """One fact; ``kind`` is the type of its value, ``unit`` its unit, ``source`` whence it comes.

    ``read`` is pure. What can't be had is ``Absent`` with a reason, never a guess. A fact is a
    constant of its area's module, which rules import. With ``assumed`` its range is not this
    server's: neither measuring nor watching it narrows that.
    """

    name: str
    kind: type[T_co]
    unit: str
    meaning: str
    source: str
    read: Read
    assumed: bool = False

    def __str__(self) -> str:
        return self.name


AnyFact = Fact[Any]


def account_alone(case: Case) -> bool:
    """Whether all that is seen of a managed service's server is what an account there sees."""
    mysql = case.inventory.mysql
    managed = mysql is not None and service_of(mysql.version) is not None
    return managed and case.inventory.host is None


def why_missing(case: Case, about: str, otherwise: Absence) -> Absence:
    """What the inventory itself says about a missing fact, else the given reason.

    What lacks a part, or a whole that the fact is a part of, is the reason too.
    """
    for missing in case.inventory.missing:
        if f"{missing.fact}.".startswith(f"{about}.") or about.startswith(f"{missing.fact}."):
            return missing.because.rstrip(".")
    return otherwise
