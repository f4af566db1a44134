"""A rule's sentence as a part of another one."""

from __future__ import annotations

_NAMES = frozenset({"Amazon", "Aurora", "Azure", "Cloud", "Leadline", "Percona"})
"""Names, or their first words, that look like words."""


def inside(sentence: str) -> str:
    """A sentence as a part of another; a name or an abbreviation stays as it is."""
    first, space, rest = sentence.partition(" ")
    named = first.removesuffix("'s") in _NAMES
    plain = not named and (len(first) == 1 or first[1:].islower())
    return f"{first.lower() if plain else first}{space}{rest}".rstrip(".")
