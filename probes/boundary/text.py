"""Text from outside: whole characters, and no longer than it may be."""

from __future__ import annotations

from probes.boundary.malformed import Malformed, shown


def text(value: object, name: str, most_letters: int) -> str:
    """``value`` as a text of at most ``most_letters``; raises Malformed.

    A lone surrogate, half of a character, is refused: no file and no terminal takes it.
    """
    if not isinstance(value, str):
        raise Malformed(f"{name} is {shown(value)}, which is no text")
    if len(value) > most_letters:
        raise Malformed(f"{name} has {len(value)} letters, more than {most_letters}")
    if has_half_characters(value):
        raise Malformed(f"{name} holds half of a character")
    return value


def has_half_characters(value: str) -> bool:
    """Whether lone surrogates are in it, which can't be written as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False
