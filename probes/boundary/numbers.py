"""Numbers from outside: finite, whole where they count something, and within a range."""

from __future__ import annotations

import math
import re

from probes.boundary.malformed import Malformed, shown

LARGEST = 2**63 - 1
"""The largest whole number that the database keeps."""

LARGEST_WORD = 2**64 - 1
"""The largest that a machine counts with: some figures of a kernel's are "all bits set"."""

_MOST_DIGITS = 20
_DECIMAL = re.compile(r"[+-]?[0-9]{1,20}(\.[0-9]{1,20})?")


def finite(value: object, name: str, low: float = -math.inf, high: float = math.inf) -> float:
    """``value`` as a finite number from ``low`` to ``high``; raises Malformed.

    Texts and truth values are no numbers.
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise Malformed(f"{name} is {shown(value)}, which is not a number")
    try:
        number = float(value)
    except OverflowError as error:
        raise Malformed(f"{name} is {shown(value)}, which is too large") from error
    if not math.isfinite(number):
        raise Malformed(f"{name} is {shown(number)}, which is not finite")
    _must_lie(number, name, low, high)
    return number


def finite_or_unknown(
    value: object, name: str, low: float = -math.inf, high: float = math.inf
) -> float:
    """The same, with nan for None: what is not known; raises Malformed."""
    return math.nan if value is None else finite(value, name, low, high)


def whole(value: object, name: str, low: int = 0, high: int = LARGEST) -> int:
    """``value`` as a whole number from ``low`` to ``high``; raises Malformed.

    A float is taken where it is whole: some languages write every number as one.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(f"{name} is {shown(value)}, which is not a whole number")
    _must_lie(value, name, low, high)
    return value


def whole_from_text(text: str, name: str, low: int = 0, high: int = LARGEST) -> int:
    """A whole number in decimal digits, from ``low`` to ``high``; raises Malformed."""
    # A watch has tens of thousands, nearly all of them plain.
    if (
        text.isascii()
        and text.isdigit()
        and len(text) <= _MOST_DIGITS
        and low <= (number := int(text)) <= high
    ):
        return number
    stripped = text.strip()
    digits = stripped.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise Malformed(f"{name} is {shown(text)}, which is not a whole number")
    if len(digits.lstrip("0")) > _MOST_DIGITS:
        raise Malformed(f"{name} is a number of {len(digits)} digits")
    return whole(int(stripped), name, low, high)


def finite_from_text(text: str, name: str, low: float = -math.inf, high: float = math.inf) -> float:
    """A number in decimal digits, with a point or without, from ``low`` to ``high``.

    Raises Malformed, also for an exponent: no server shows one.
    """
    if not _DECIMAL.fullmatch(text):
        raise Malformed(f"{name} is {shown(text)}, which is not a number")
    return finite(float(text), name, low, high)


def _must_lie(number: float, name: str, low: float, high: float) -> None:
    if number < low:
        raise Malformed(f"{name} is {shown(number)}, less than {low}")
    if number > high:
        raise Malformed(f"{name} is {shown(number)}, more than {high}")
