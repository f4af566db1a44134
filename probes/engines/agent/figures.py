"""The figures of the agent's lines, each held to the range that it can have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields

from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import LARGEST_WORD, finite, finite_or_unknown, whole
from probes.boundary.text import text
from probes.points import HostSample

Message = Mapping[str, object]

MOST_PER_S = 1e12
MOST_US = 1e12
MOST_S = 1e7
MOST_THREADS = 1 << 16
MOST_LETTERS = 4000
"""Of a message to people; paths may stand in it."""

_MOST_HOST = 1e18
_MOST_WORD = 200
_MOST_LEVELS = 64


def rate(message: Message, name: str) -> float:
    """Something per second."""
    return finite(message.get(name), name, 0, MOST_PER_S)


def microseconds(message: Message, name: str) -> float:
    """A time that something took."""
    return finite(message.get(name), name, 0, MOST_US)


def seconds(message: Message, name: str) -> float:
    """A stretch of time; before the start of measuring it is negative."""
    return finite(message.get(name), name, -MOST_S, MOST_S)


def threads(message: Message, name: str) -> int:
    """How many threads, or processors."""
    return whole(message.get(name), name, 0, MOST_THREADS)


def words(message: Message, name: str, most: int = _MOST_WORD) -> str:
    """A text; one that is absent is empty."""
    return text(message.get(name, ""), name, most)


def word(message: Message, name: str) -> str:
    """One of the agent's own words, as its events and codes are named."""
    found = words(message, name)
    if not found or not found.isascii() or not found.isprintable():
        raise Malformed(f"{name} is {shown(found) or 'missing'}, which is no word")
    return found


def interval(message: Message, name: str) -> tuple[float, float]:
    """Both bounds of a rate; nan where they are unknown."""
    value = message.get(name)
    if value is None:
        return math.nan, math.nan
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed(f"{name} is {shown(value)}, where two bounds are due")
    low, high = (finite_or_unknown(bound, name, 0, MOST_PER_S) for bound in value)
    if low > high:
        raise Malformed(f"{name} begins above its end")
    return low, high


def flag_or_unknown(message: Message, name: str) -> bool | None:
    """True, false, or null for neither."""
    value = message.get(name)
    if value is not None and not isinstance(value, bool):
        raise Malformed(f"{name} is {shown(value)}, which is neither true nor false")
    return value


def by_level(value: object, name: str, most: float) -> dict[int, float]:
    """Figures by block size or number of threads."""
    return {
        _level(level, name): finite(figure, name, 0, most)
        for level, figure in _table(value, name).items()
    }


def by_two_levels(value: object, name: str, most: float) -> dict[int, dict[int, float]]:
    """Figures by block size, and then by the number of threads."""
    return {
        _level(level, name): by_level(inner, name, most)
        for level, inner in _table(value, name).items()
    }


def host_sample(value: object) -> HostSample | None:
    """What was seen of device and host; a figure that is null or absent is unknown."""
    if value is None:
        return None
    host = _object(value, "host")
    figures = {
        field.name: finite_or_unknown(host.get(field.name), field.name, -_MOST_HOST, _MOST_HOST)
        for field in fields(HostSample)
        if field.name != "device"
    }
    return HostSample(device=text(host.get("device") or "", "device", _MOST_WORD), **figures)


def details(value: object) -> dict[str, object]:
    """What else is said of a point; counts of ``device`` and ``issued`` are figures.

    What a newer agent adds is kept as it is.
    """
    if value is None:
        return {}
    reported = dict(_object(value, "details"))
    for name in ("device", "issued"):
        if reported.get(name) is not None:
            _must_count(_object(reported[name], name))
    return reported


def _must_count(counted: Message) -> None:
    for name, figure in counted.items():
        if name == "name":
            text(figure, name, _MOST_WORD)
        else:
            finite(figure, name, 0, LARGEST_WORD)


def _object(value: object, name: str) -> Message:
    if not isinstance(value, dict):
        raise Malformed(f"{name} is {shown(value)}, where an object is due")
    return value


def _table(value: object, name: str) -> Message:
    table = _object(value, name)
    if len(table) > _MOST_LEVELS:
        raise Malformed(f"{name} has {len(table)} entries")
    return table


def _level(key: str, name: str) -> int:
    if not (key.isascii() and key.isdigit() and len(key) <= 9):
        raise Malformed(f"{name} names {shown(key)}, which is not a whole number")
    return int(key)
