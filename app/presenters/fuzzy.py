"""Finding things by some letters of their names, in order, as they are typed from memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Entry = TypeVar("Entry")

AT_WORD, NEXT_TO, ELSEWHERE = 3, 4, 0
"""What a letter counts at the start of a word, right after the one before, and anywhere."""


def score(typed: str, name: str) -> int | None:
    """How well ``name`` answers to ``typed``; None where a letter is missing.

    Words may be typed in any order; within a word, letters may be left out but not turned round.
    """
    whole, folded = 0, name.casefold()
    for word in typed.casefold().split():
        found = _best(word, folded)
        if found is None:
            return None
        whole += found
    return whole


def ranked(typed: str, entries: Iterable[Entry], name: Callable[[Entry], str]) -> list[Entry]:
    """The entries that answer to ``typed``, the best and of those the shortest first."""
    found = [(score(typed, name(entry)), entry) for entry in entries]
    kept = [(points, entry) for points, entry in found if points is not None]
    if not typed.strip():
        return [entry for _, entry in kept]
    return [entry for _, entry in sorted(kept, key=lambda one: (-one[0], len(name(one[1]))))]


def _best(word: str, text: str) -> int | None:
    """The best of all places where the word can begin."""
    starts = [at for at, letter in enumerate(text) if letter == word[0]]
    found = [points for at in starts if (points := _from(word, text, at)) is not None]
    return max(found, default=None)


def _from(word: str, text: str, start: int) -> int | None:
    points, at = _worth(text, start, -2), start
    for letter in word[1:]:
        there = text.find(letter, at + 1)
        if there < 0:
            return None
        points += _worth(text, there, at)
        at = there
    return points


def _worth(text: str, at: int, before: int) -> int:
    if at == before + 1:
        return NEXT_TO
    return AT_WORD if at == 0 or not text[at - 1].isalnum() else ELSEWHERE
