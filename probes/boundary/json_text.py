"""JSON from outside, decoded within limits: of size, depth, numbers and characters."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import NoReturn

from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import LARGEST_WORD
from probes.boundary.text import has_half_characters

DEEPEST = 32
"""How deep lists and objects may lie in each other; what Leadline and its agent write has 8."""

_MOST_DIGITS = 20

# A string that never ends goes to the end of the text: nothing is looked at twice.
_MARKS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def decode(document: bytes | str, most_bytes: int, deepest: int = DEEPEST) -> object:
    """The value of a JSON text of at most ``most_bytes`` bytes (letters, where it is a ``str``).

    Numbers are finite, and whole ones fit 64 bits; no text holds half of a character. Raises
    Malformed otherwise.
    """
    if len(document) > most_bytes:
        raise Malformed(f"it has {len(document)} bytes, more than {most_bytes}")
    text = document if isinstance(document, str) else _utf8(document)
    if _depth(text, deepest) > deepest:
        raise Malformed(f"it is nested more than {deepest} deep")
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Malformed(f"it is no JSON: {error.msg} at letter {error.pos}") from error
    if isinstance(document, str) and has_half_characters(document):
        raise Malformed("it holds half of a character")
    # An escape may stand for half of a character only.
    if _SURROGATE.search(text) and has_half_characters(json.dumps(value, ensure_ascii=False)):
        raise Malformed("it holds half of a character")
    return value


def decode_object(
    document: bytes | str, most_bytes: int, deepest: int = DEEPEST
) -> dict[str, object]:
    """The same for a JSON object; raises Malformed for any other value."""
    value = decode(document, most_bytes, deepest)
    if not isinstance(value, dict):
        raise Malformed(f"it is {shown(value)}, where an object is due")
    return value


def _utf8(document: bytes) -> str:
    try:
        return document.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"it is no UTF-8 at byte {error.start}") from error


def _depth(text: str, enough: int) -> int:
    """How deep it is nested, or any figure above ``enough``; brackets within strings are none."""
    opened = text.count("{") + text.count("[")
    if opened <= enough:
        return opened
    deepest = depth = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > enough:
                break
        elif mark[0] in "]}":
            depth -= 1
    return deepest


def _whole(digits: str) -> int:
    # Longer ones take a time that grows with the square of their length.
    if len(digits) > _MOST_DIGITS or abs(number := int(digits)) > LARGEST_WORD:
        raise Malformed(f"it holds a number of {len(digits)} digits")
    return number


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Malformed(f"it holds {shown(digits)}, which is not finite")
    return number


def _refuse(constant: str) -> NoReturn:
    raise Malformed(f"it holds {constant}, which is no JSON")


_constant: Callable[[str], object] = _refuse
_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_finite, parse_constant=_constant)
