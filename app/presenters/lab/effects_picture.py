"""What each variant of a lab does against the base, as dots with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.lab.outcome import Outcome, WorkVerdict
from advisor.lab.record import Record
from advisor.wording.measured.lab import difference, short_names
from app.runtime.translation import tr
from probes.figures import counted
from probes.statistics.ranges import Range

REACHES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""How far left and right the picture goes, as a share of the base's rate."""

_TONES = {WorkVerdict.FASTER: "good", WorkVerdict.SLOWER: "bad"}


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A variant: its share above the base's rate (0.1 is a tenth more) with its interval.

    ``value`` is None before there is one; ``forecast`` is what the model expects; ``tone`` is good,
    bad or "" (open, or alike); ``text`` says it.
    """

    label: str
    value: tuple[float, float, float] | None
    forecast: float | None
    tone: str
    text: str


@dataclass(frozen=True, slots=True)
class EffectsPicture:
    """``rows`` from above, ``reach`` how far it goes; ``base`` is what all are held against.

    ``resolution`` is the least difference that the lab sees; None before it is known.
    """

    base: str
    rows: tuple[EffectRow, ...]
    reach: float
    resolution: float | None


def effects_picture(record: Record, outcome: Outcome) -> EffectsPicture:
    """All levels below each other."""
    option, short = short_names(record)
    rows = [
        EffectRow(
            _label(short.get(each.variant, each.variant), level.connections, outcome),
            _shares(each.times),
            _forecast(record.forecasts.get(each.variant)),
            _TONES.get(each.verdict, ""),
            difference(each.times),
        )
        for level in outcome.levels
        for each in level.effects
    ]
    base = record.asked.base.name
    seen = [level.resolution for level in outcome.levels if level.resolution is not None]
    resolution = max(seen, default=None)
    named = f"{option} = {short.get(base, base)}" if option else base
    return EffectsPicture(named, tuple(rows), _reach(rows), resolution)


def _label(name: str, connections: int, outcome: Outcome) -> str:
    if len(outcome.levels) < 2:
        return name
    at = counted(connections, "connection")
    return tr("{name}, {at}", name=name, at=at)


def _shares(times: Range | None) -> tuple[float, float, float] | None:
    return None if times is None else (times.value - 1, times.low - 1, times.high - 1)


def _forecast(times: Range | None) -> float | None:
    return None if times is None else times.value - 1


def _reach(rows: Sequence[EffectRow]) -> float:
    """As far as all intervals go; one that is endless is cut."""
    wanted = 0.0
    for row in rows:
        if row.value is not None:
            value, *bounds = map(abs, row.value)
            wanted = max(wanted, value, *(min(1.0, each) for each in bounds))
        if row.forecast is not None:
            wanted = max(wanted, abs(row.forecast))
    return next((reach for reach in REACHES if reach >= 1.1 * wanted), REACHES[-1])
