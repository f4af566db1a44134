"""A setting of a live server that is tried: its old and its new value, and how these are set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum


class Side(StrEnum):
    """Which of a setting's two values the server has."""

    OLD = "old"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class TriedSetting:
    """A global variable, the value to go back to and the one that is tried.

    ``new`` is "" of one that may only move along with another: it is never set but on the way back.
    ``number``: the values stand without quotes. ``path`` are the values that a change in steps may
    take, ``new`` the last of them: the server may need a while to get to each.
    """

    name: str
    old: str
    new: str
    number: bool
    path: tuple[str, ...] = ()

    def value(self, side: Side) -> str:
        """What the server is to have."""
        return self.new if side is Side.NEW and self.new else self.old

    def literal(self, value: str) -> str:
        """A value as it stands in a statement."""
        return value if self.number else f"'{value}'"

    def step(self, number: int) -> TriedSetting:
        """The same with that value of its path as the new one."""
        return replace(self, new=self.path[number]) if self.path else self

    def own(self, value: str) -> bool:
        """Whether a value is one that the trial has found, or may set."""
        return any(same_value(value, each) for each in (self.old, self.new, *self.path))

    def statement(self, side: Side) -> str:
        """What sets it for the whole server."""
        return f"SET GLOBAL {self.name} = {self.literal(self.value(side))}"


def same_value(one: str, other: str) -> bool:
    """Whether a server shows one value: 90 and 90.000000 are one, and so are ON and on."""
    try:
        return float(one) == float(other) and (len(one) < 16 or one == other)
    except ValueError:
        return one.casefold() == other.casefold()


def foreign(settings: tuple[TriedSetting, ...], values: Mapping[str, str]) -> dict[str, str]:
    """Values by name that are neither the old nor the new ones: somebody else has set them."""
    return {
        each.name: values[each.name]
        for each in settings
        if each.new and not each.own(values[each.name])
    }


def in_steps(settings: tuple[TriedSetting, ...]) -> bool:
    """Whether the server may need a while to get to a value."""
    return any(each.path for each in settings)


def differing(
    settings: tuple[TriedSetting, ...], values: Mapping[str, str], side: Side
) -> tuple[str, ...]:
    """The settings that the server does not have as that side says."""
    return tuple(
        each.name for each in settings if not same_value(values[each.name], each.value(side))
    )
