"""What labs and trials have found for a target, what rules have earned, what a person keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from probes.statistics.ranges import Range

RECORD_FROM, RECORD_HOLDS = 10, 0.6
"""From ten outcomes on, a rule whose forecasts hold in fewer than 60 % of them is less sure (our
choice)."""

_ON, _OFF = frozenset({"1", "YES", "TRUE", "ON"}), frozenset({"0", "NO", "FALSE", "OFF"})
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, slots=True)
class Tried:
    """One value of a setting against another, on throwaway servers of a target, or on itself.

    ``times`` is how many times the transactions per second ``value`` brought of what ``before``
    did, with its interval; ``decided``: it is surely a difference, or surely none that is worth it.
    ``load`` and ``connections`` are what the servers were given, ``run_id`` the lab and ``on`` its
    day (ISO 8601). ``like`` is whether its load was made like the target's own. ``live``: it was
    switched on the target itself, and ``times`` is of the time of its statements.
    """

    setting: str
    before: str
    value: str
    times: Range
    decided: bool
    load: str
    connections: int
    server: str
    run_id: int
    on: str
    like: bool = False
    live: bool = False

    @property
    def gains(self) -> bool:
        """Whether the value surely brings more."""
        return self.times.low > 1

    def changes(self, setting: str, now: str, proposed: str) -> bool:
        """Whether this is what a change of a setting would do."""
        same = (self.setting, plain_value(self.before), plain_value(self.value))
        return same == (setting, plain_value(now), plain_value(proposed))


@dataclass(frozen=True, slots=True)
class RuleRecord:
    """What came of a rule's advice: how often it was tried, and what became of it.

    ``labs`` of them were in a lab, ``watches`` on servers that have carried it out, the others in
    trials. ``forecasts`` counts outcomes that had a forecast, ``inside`` those within its band;
    ``ratio`` is the median of the gain that came over the one that was forecast, None without any.
    """

    rule: str
    tried: int
    kept: int
    back: int
    undecided: int
    forecasts: int
    inside: int
    ratio: float | None
    labs: int = 0
    watches: int = 0

    @property
    def doubtful(self) -> bool:
        """Whether its forecasts hold too seldom for it to be trusted."""
        return self.forecasts >= RECORD_FROM and self.inside < RECORD_HOLDS * self.forecasts


@dataclass(frozen=True, slots=True)
class Pinned:
    """A person keeps the setting as it is, for a reason and until a day or month (ISO 8601)."""

    setting: str
    because: str
    until: str


def valid_pins(pins: Iterable[Pinned], today: str) -> tuple[Pinned, ...]:
    """Those that still count on a day (ISO 8601); one until a month counts to its end."""
    return tuple(pin for pin in pins if today[: len(pin.until)] <= pin.until)


def plain_value(value: str) -> str:
    """A value in one spelling: switches as ON and OFF, sizes in bytes, no idle zeros."""
    text = value.strip().upper()
    if text in _ON:
        return "ON"
    if text in _OFF:
        return "OFF"
    number, unit = (text[:-1], UNITS[text[-1]]) if text[-1:] in UNITS else (text, 1)
    try:
        return f"{float(number) * unit:.12g}"
    except ValueError:
        return text
