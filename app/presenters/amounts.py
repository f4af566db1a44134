"""Amounts as people type them: times, sizes, lists of numbers."""

from __future__ import annotations

import re

from probes.errors import UsageError

SECONDS = {"": 1.0, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
BYTES = {
    "": 1,
    "b": 1,
    **{
        ending: 1024**power
        for power, letter in enumerate("kmgt", start=1)
        for ending in (letter, f"{letter}b", f"{letter}ib")
    },
}

_AMOUNT = re.compile(r"\s*(\d+(?:[.,]\d+)?)[\s\u202f]*([a-z]*)\s*", re.IGNORECASE)


def seconds_of(text: str, what: str) -> float:
    """``90``, ``90 s``, ``10 min`` or ``1.5 h`` in seconds; "" is 0. Raises UsageError."""
    return _amount(text, SECONDS, f"{what} is no time: {text}.", "Write it as 90 s, 10 min or 1 h.")


def bytes_of(text: str, what: str) -> int:
    """``20 GiB``, ``500M`` or ``65536`` in bytes; "" is 0. Raises UsageError."""
    advice = "Write it as 500 MiB or 20 GiB."
    return round(_amount(text, BYTES, f"{what} is no amount of data: {text}.", advice))


def number_of(text: str, what: str, low: float, high: float) -> float:
    """A number between two limits; raises UsageError."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise UsageError(f"{what} is a number between {low:g} and {high:g}, not {text.strip()}.")
    return value


def levels_of(text: str, what: str, most: int) -> tuple[int, ...]:
    """``1, 4 16`` as ascending whole numbers up to ``most``; "" is none. Raises UsageError."""
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    if not all(word.isdigit() and 1 <= int(word) <= most for word in words):
        raise UsageError(
            f"{what} are whole numbers between 1 and {most}: {text}.", "Write them as 1, 4, 16, 64."
        )
    return tuple(sorted({int(word) for word in words}))


def _amount(text: str, units: dict[str, float] | dict[str, int], sentence: str, way: str) -> float:
    if not text.strip():
        return 0.0
    found = _AMOUNT.fullmatch(text)
    if found is None or found[2].lower() not in units:
        raise UsageError(sentence, way)
    return float(found[1].replace(",", ".")) * units[found[2].lower()]
