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
    Follows,
    Habit,
    InSteps,
    Note,
    Numbers,
    Span,
    State,
    Switch,
    UnknownLine,
    ValueKind,
    numbers,
)
from probes.variable_sheets import raw_sheets
from probes.version import Flavour

Part = TypeVar("Part", Span, UnknownLine, Note)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one variable is; ``phrase`` says so in the words that follow "Unknown:".

    ``risk`` is what a wrong value may cost: none, low, medium, high. ``session``: a session may
    have a value of its own. ``lines`` are about the versions that lack the variable. ``switch`` is
    None of settings that a trial does not switch, ``in_steps`` of those that it does not change in
    steps.
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
    switch: Switch | None = None
    in_steps: InSteps | None = None


def _read() -> Mapping[str, Sheet]:
    return MappingProxyType({sheet.name: sheet for sheet in map(read_sheet, raw_sheets())})


def read_sheet(table: Mapping[str, Any]) -> Sheet:
    """Make a sheet of what is stated; raises KeyError, TypeError or ValueError when it is none."""
    return Sheet(
        name=table["name"],
        category=table["category"],
        kind=ValueKind(table["kind"]),
        unit=table["unit"],
        phrase=table.get("phrase", f"the value of {table['name']}"),
        summary=table["summary"],
        risk=table["risk"],
        session=table.get("session", False),
        spans=_all(table, "span", _span),
        lines=_all(table, "line", _line),
        notes=_all(table, "note", _note),
        switch=_switch(table["switch"]) if "switch" in table else None,
        in_steps=_in_steps(table["in_steps"]) if "in_steps" in table else None,
    )


def _all(
    table: Mapping[str, Any], key: str, read: Callable[[Mapping[str, Any]], Part]
) -> tuple[Part, ...]:
    return tuple(read(each) for each in table.get(key, ()))


def _where(table: Mapping[str, Any]) -> tuple[Flavour, Numbers, Numbers]:
    before = numbers(table["before"]) if "before" in table else OPEN
    return Flavour(table["flavour"]), numbers(table["since"]), before


def _span(table: Mapping[str, Any]) -> Span:
    rest = {key: value for key, value in table.items() if key not in {"flavour", "since", "before"}}
    rest["state"] = State(rest.get("state", State.KEPT))
    rest["then"] = Fate(rest["then"]) if "then" in rest else None
    rest["words"] = tuple(rest.get("words", ()))
    rest["measured"] = tuple(rest.get("measured", ()))
    return Span(*_where(table), **rest)


def _line(table: Mapping[str, Any]) -> UnknownLine:
    return UnknownLine(*_where(table), Fate(table["then"]), tuple(table.get("measured", ())))


def _switch(table: Mapping[str, Any]) -> Switch:
    return Switch(float(table["settle_s"]), table["why"], tuple(table.get("moves", ())))


def _in_steps(table: Mapping[str, Any]) -> InSteps:
    return InSteps(Follows(table["follows"]), table.get("tenths", False), table["why"])


def _note(table: Mapping[str, Any]) -> Note:
    habit = Habit(table["habit"])
    return Note(*_where(table), habit, table["text"], tuple(table.get("measured", ())))


SHEETS = _read()
"""Every variable's sheet by its name."""
