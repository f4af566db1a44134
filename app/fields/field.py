"""How one thing is asked for: in a form of the window, on a command line, or in both."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum, auto
from typing import Any

Choices = tuple[tuple[str, str], ...]
"""Values, each with the text that offers it."""


class FieldShape(Enum):
    """What a form has for it. Ticks are joined by commas, as they are typed."""

    LINE = auto()
    FILE = auto()
    SWITCH = auto()
    LIST = auto()
    SEGMENTS = auto()
    TICKS = auto()


@dataclass(frozen=True, slots=True)
class Option:
    """The same on a command line: ``--name``, or ``--name/--no-name``.

    Without ``metavar`` and ``choices`` it is a switch. ``kind`` is click's type, where it is no
    text. With ``shown`` the help names the default; without, a choice that is left out is none.
    """

    names: str = ""
    help: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    kind: Any = None
    repeated: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that may be said; without a ``shape`` a command line alone asks for it.

    ``caption`` stands before it with the letter that leads to it, or in a switch itself;
    ``called`` is what a screen reader calls it, where that is more. ``hint`` is what an empty line
    shows, and what follows ticks.
    """

    shape: FieldShape | None = None
    caption: str = ""
    called: str = ""
    hint: str = ""
    tip: str = ""
    choices: Choices = ()
    option: Option = Option()


def asked(field: Field, default: Any = "") -> Any:
    """An attribute of a form's dataclass, with how it is asked for."""
    return dataclasses.field(default=default, metadata={"asked": field})


def fields_of(form: type) -> Mapping[str, Any]:
    """What a form asks for, by its attributes' names, in the order in which it is shown."""
    return {each.name: each.metadata["asked"] for each in fields(form) if each.metadata}


def defaults_of(form: type) -> Mapping[str, Any]:
    """What each holds as long as nobody said anything."""
    return {each.name: each.default for each in fields(form) if each.metadata}
