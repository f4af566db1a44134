"""How a probe is declared, and the parts of a plan that ask for probes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Self

from probes.points import Setting


class Kind(StrEnum):
    """A part of a plan that can be asked for on its own."""

    STORAGE = "storage"
    REDO = "redo"
    FLUSH = "flush"
    MIXED = "mixed"
    STEADY = "steady"
    MYSQL = "mysql"


CHECK_KINDS = frozenset({Kind.STORAGE, Kind.REDO, Kind.FLUSH, Kind.MYSQL})
"""What a check measures: all that rules need, nothing that must be asked for."""

DECIDING_KINDS = CHECK_KINDS | {Kind.MIXED}
"""What it may measure where it is given what is open: mixtures take long, and few rules ask."""


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """What an option may be: its words by value, "" for what needs none, and those of all others.

    ``usual`` is the value that a setting leaves out. ``wire`` makes of a value what the agent is
    given, None of what it need not know.
    """

    words: Mapping[str, str]
    others: str = ""
    usual: str = ""
    wire: Callable[[str], object] | None = None


def choice(
    others: str = "",
    *,
    usual: str = "",
    wire: Callable[[str], object] | None = None,
    **words: str,
) -> Any:
    """Declare an option of a probe, as a field of its Options."""
    return field(default="", metadata={"choice": OptionChoice(words, others, usual, wire)})


@dataclass(frozen=True, slots=True)
class ProbeOptions:
    """A setting's options, "" where it has none: then they are as usual."""

    @classmethod
    def of(cls, setting: Setting) -> Self:
        """The options of a setting; those that this probe has not are left out."""
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in setting.options.items() if name in names})


def choices(options: type[ProbeOptions]) -> dict[str, OptionChoice]:
    """What is declared of each option, by its name, in the order in which they are said."""
    return {each.name: each.metadata["choice"] for each in fields(options)}


@dataclass(frozen=True, slots=True)
class ProbeKind:
    """All that is declared of one probe.

    ``title`` names it, ``operations`` what it does, ``unit`` what its rate counts, ``worker`` one
    of its threads. ``part`` is the part of a plan that asks for it, None where only imports have
    it. ``needs`` are the options that each setting has, ``compared`` the one that names the ways
    apart which are held against each other.
    """

    title: str
    operations: str
    unit: str
    worker: str = "thread"
    part: Kind | None = None
    options: type[ProbeOptions] = ProbeOptions
    needs: tuple[str, ...] = ()
    compared: str = ""


def on_the_wire(kind: ProbeKind, setting: Setting) -> dict[str, object]:
    """What the agent is given of a setting's options (see its PROTOCOL.md)."""
    options = setting.options
    declared = choices(kind.options).items()
    return {name: one.wire(options[name]) for name, one in declared if one.wire and name in options}
