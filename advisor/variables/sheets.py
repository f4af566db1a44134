"""A sheet a variable: ``resources/variables/<name>.toml``, in our own words.

Where Leadline is installed, one file holds them all (packaging/manifest.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from advisor.variables.entry import (
    OPEN,
    Fate,
    Habit,
    Note,
    Numbers,
    Span,
    State,
    UnknownLine,
    ValueKind,
    numbers,
)
from probes.variable_sheets import told_sheets
from probes.version import Flavour

Part = TypeVar("Part", Span, UnknownLine, Note)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one variable is; ``phrase`` says so in the words that follow "Unknown:".

    ``risk`` is what a wrong value may cost: none, low, medium, high. ``session``: a session may
    have a value of its own. ``lines`` are about the versions that lack the variable.
    """

    name: str
    category: str
    kind: ValueKind
    unit: str
    phrase: str
    summary: str
    risk: str
    session: bool
    spans: tuple[Span, ...]
    lines: tuple[UnknownLine, ...]
    notes: tuple[Note, ...]


def _read() -> Mapping[str, Sheet]:
    return MappingProxyType({sheet.name: sheet for sheet in map(read_sheet, told_sheets())})


def read_sheet(told: Mapping[str, Any]) -> Sheet:
    """Make a sheet of what is stated; raises KeyError, TypeError or ValueError when it is none."""
    return Sheet(
        name=told["name"],
        category=told["category"],
        kind=ValueKind(told["kind"]),
        unit=told["unit"],
        phrase=told.get("phrase", f"the value of {told['name']}"),
        summary=told["summary"],
        risk=told["risk"],
        session=told.get("session", False),
        spans=_all(told, "span", _span),
        lines=_all(told, "line", _line),
        notes=_all(told, "note", _note),
    )


def _all(
    told: Mapping[str, Any], key: str, read: Callable[[Mapping[str, Any]], Part]
) -> tuple[Part, ...]:
    return tuple(read(each) for each in told.get(key, ()))


def _where(told: Mapping[str, Any]) -> tuple[Flavour, Numbers, Numbers]:
    before = numbers(told["before"]) if "before" in told else OPEN
    return Flavour(told["flavour"]), numbers(told["since"]), before


def _span(told: Mapping[str, Any]) -> Span:
    rest = {key: value for key, value in told.items() if key not in {"flavour", "since", "before"}}
    rest["state"] = State(rest.get("state", State.KEPT))
    rest["then"] = Fate(rest["then"]) if "then" in rest else None
    rest["words"] = tuple(rest.get("words", ()))
    rest["measured"] = tuple(rest.get("measured", ()))
    return Span(*_where(told), **rest)


def _line(told: Mapping[str, Any]) -> UnknownLine:
    return UnknownLine(*_where(told), Fate(told["then"]), tuple(told.get("measured", ())))


def _note(told: Mapping[str, Any]) -> Note:
    habit = Habit(told["habit"])
    return Note(*_where(told), habit, told["text"], tuple(told.get("measured", ())))


SHEETS = _read()
"""Every variable's sheet by its name."""
