"""A change of a live server while it is put together, and the values that it is read from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from advisor.forecasts.server.live import Live
from advisor.forecasts.server.settings import Settings
from advisor.model.network.change import NO_CHANGE, ModelChange
from probes.errors import UsageError


@dataclass(frozen=True, slots=True)
class Turned:
    """A change of a live server, with how many connections it then has; None as many as now.

    ``words`` has what is turned as words, from and to; ``notes`` are sentences on what it rests on.
    """

    settings: Settings
    """As they would be, as far as other turns look at them."""
    change: ModelChange = NO_CHANGE
    connections: int | None = None
    words: tuple[tuple[str, str, str], ...] = field(default=())
    notes: tuple[str, ...] = field(default=())

    def also(self, name: str, now: str, then: str, *notes: str) -> Turned:
        """The same with one more thing said."""
        return replace(self, words=(*self.words, (name, now, then)), notes=(*self.notes, *notes))

    def changed(self, change: ModelChange) -> Turned:
        """The same with another change."""
        return replace(self, change=change)


Knob = Callable[[Live, Turned, str], Turned]
"""What makes a change of a live server, a change so far and a value as it is typed."""


def whole(text: str, what: str, most: int, least: int = 1) -> int:
    """A whole number as it was typed; raises UsageError."""
    plain = text.strip().replace(",", "")
    if not (plain.isdecimal() and len(plain) < 12 and least <= int(plain) <= most):
        raise UsageError(
            f"'{text.strip()}' is not a valid number of {what}.",
            f"Write a whole number from {least} to {most:,}.",
        )
    return int(plain)


def switch(text: str, name: str) -> bool:
    """On or off as it was typed; raises UsageError."""
    plain = text.strip().lower()
    if plain not in {"on", "off", "1", "0"}:
        raise UsageError(f"'{text.strip()}' is no value of {name}.", "Write on or off.")
    return plain in {"on", "1"}


def switched(*, on: bool) -> str:
    """On or off as it is said."""
    return "on" if on else "off"
