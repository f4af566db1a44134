"""What is wished for on a command line, read: sizes, levels, times and budgets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from probes.errors import UsageError
from probes.plans.kinds import PROBES_OF, Kind
from probes.plans.plan import Budget
from probes.points import Probe

PROBES = tuple(probe.value for kind in Kind for probe in PROBES_OF[kind])
"""Those that can be asked for."""

_SIZES = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
_FIGURE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zµ%]*)", re.IGNORECASE)


def sizes(text: str) -> tuple[int, ...]:
    """``4k,16KiB,512`` in bytes, each once; k is 1024. "" is none. Raises UsageError."""
    return tuple(dict.fromkeys(size(word) for word in _words(text)))


def size(word: str) -> int:
    """``16k``, ``16 KiB``, ``512``, ``1.5G`` in bytes; raises UsageError."""
    value, unit = _figure(word)
    letter = unit.lower().removesuffix("ib").removesuffix("b")
    if math.isnan(value) or letter not in _SIZES or (unit and not letter and unit.lower() != "b"):
        raise UsageError(f"{word!r} is no size.", "Write it like 512, 16k or 4G; k is 1024.")
    return round(value * (1 << _SIZES[letter]))


def levels(text: str) -> tuple[int, ...]:
    """``1,8,64`` as numbers, each once, ascending; "" is none. Raises UsageError."""
    found = set()
    for word in _words(text):
        if not word.isdecimal() or int(word) < 1:
            raise UsageError(f"{word!r} is no number of threads.", "Write them like 1,8,64.")
        found.add(int(word))
    return tuple(sorted(found))


def names(text: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    """Words of a list, each one of ``known``; raises UsageError."""
    found = tuple(dict.fromkeys(_words(text)))
    for word in found:
        if word not in known:
            raise UsageError(f"There is no {what} {word!r}.", f"There are {', '.join(known)}.")
    return found


def probes(texts: Sequence[str]) -> tuple[Probe, ...]:
    """``random_read,redo-sync`` as probes; raises UsageError."""
    joined = ",".join(texts).replace("-", "_")
    return tuple(Probe(name) for name in names(joined, PROBES, "probe"))


def share(text: str) -> float:
    """``3%`` or ``3`` as 0.03; raises UsageError."""
    value, unit = _figure(text)
    if math.isnan(value) or unit not in ("", "%"):
        raise UsageError(f"{text!r} is no percentage.", "Write it like 3%.")
    return value / 100


def budget(texts: Sequence[str]) -> Budget:
    """``seconds=600,write=20G`` as a budget; what is not named has no limit. Raises UsageError."""
    given: dict[str, float | int] = {}
    for word in _words(",".join(texts)):
        name, equals, value = word.partition("=")
        if not equals or name.strip() not in _BUDGET:
            raise UsageError(
                f"{word!r} is no part of a budget.",
                f"Write it like seconds=600,write=20G. There are {', '.join(_BUDGET)}.",
            )
        field, read = _BUDGET[name.strip()]
        given[field] = read(value.strip())
    return Budget(**given)  # type: ignore[arg-type]


def duration_s(text: str) -> float:
    """``600``, ``90s``, ``10min`` or ``1h`` in seconds; raises UsageError."""
    value, unit = _figure(text)
    if math.isnan(value) or unit.lower() not in {"", *_SECONDS}:
        raise UsageError(f"{text!r} is no time.", "Write it like 600, 90s, 10min or 1h.")
    return value * _SECONDS[unit.lower() or "s"]


def _latency_us(text: str) -> float:
    """A bare number could mean anything here: the unit is asked for."""
    value, unit = _figure(text)
    name = unit.lower().replace("µ", "u")
    if math.isnan(value) or name not in ("us", "ms", "s"):
        raise UsageError(f"{text!r} is no delay.", "Write it with its unit, like 20ms or 500us.")
    return value * _SECONDS[name] * 1e6


_BUDGET: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "seconds": ("seconds", duration_s),
    "read": ("read_bytes", size),
    "write": ("written_bytes", size),
    "endurance": ("endurance_share", share),
    "added-latency": ("added_us", _latency_us),
}


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _figure(text: str) -> tuple[float, str]:
    """The number and its unit; nan when the text has another form."""
    match = _FIGURE.fullmatch(text.strip())
    return (float(match[1]), match[2]) if match else (math.nan, "")
