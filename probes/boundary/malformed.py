"""The fault of every check at the boundary."""

from __future__ import annotations

_SHOWN = 40
_BEFORE_A_UNIT = "\u202f"
"""The space in figures of our own messages, which `isprintable` counts among controls."""


class Malformed(ValueError):
    """Data from outside that can't be what it is taken for.

    Its text is the end of a sentence, without a full stop: "operations is -3, less than 0". It
    holds no control character and no more than a few words of the data.
    """


def shown(value: object, most_letters: int = _SHOWN) -> str:
    """A foreign value as a message may show it: short, on one line, without control characters."""
    if value == "":
        return "empty"
    # Never repr of the whole: it may be huge, and an integer of 5,000 digits has none.
    text = value if isinstance(value, str) else _short(value)
    cut = text[: most_letters + 1]
    safe = "".join(each if each.isprintable() or each == _BEFORE_A_UNIT else "?" for each in cut)
    return f"{safe[:most_letters]}…" if len(cut) > most_letters else safe


def _short(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"
    if value is None:
        return "missing"
    if isinstance(value, int | float):
        return str(value)
    return f"a {type(value).__name__}"
