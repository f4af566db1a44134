"""Finding things by some letters of their names, in order, as they are typed from memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

Entry = TypeVar("Entry")

AT_WORD, NEXT_TO, ELSEWHERE = 3, 4, 0
"""What a letter counts at the start of a word, right after the one before, and anywhere."""


def score(typed: str, name: str) -> int | None:
    """How well ``name`` answers to ``typed``; None where a letter is missing.

    Words may be typed in any order; within a word, letters may be left out but not turned round.
    """
    return _score(typed.casefold(), name.casefold())


class Ranking(Generic[Entry]):
    """The same entries ranked again and again while somebody types.

    Another letter can only narrow what answers: those that did not answer to the letters before it
    are not looked at again.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        name: Callable[[Entry], str],
        called: Callable[[Entry], Sequence[str]] = lambda _entry: (),
        rank: Callable[[Entry], int] = lambda _entry: 0,
    ) -> None:
        """``called`` gives an entry's whole names, ``rank`` 0 for what is likelier to be meant."""
        self._called, self._rank = called, rank
        self._all = [(name(entry).casefold(), entry) for entry in entries]
        self._typed, self._answering = "", self._all

    def of(self, typed: str) -> list[Entry]:
        """The entries that answer to ``typed``: who is called so first, then the best.

        Of those that are as good, the shortest is first.
        """
        asked = typed.casefold()
        known = self._answering if asked.startswith(self._typed) else self._all
        found = [(points, one) for one in known if (points := _score(asked, one[0])) is not None]
        self._typed, self._answering = asked, [one for _, one in found]
        if wanted := asked.strip():
            found.sort(key=lambda each: self._place(wanted, *each))
        return [entry for _, (_, entry) in found]

    def _place(self, wanted: str, points: int, one: tuple[str, Entry]) -> tuple[int, int, int, int]:
        name, entry = one
        names = [_alike(each) for each in self._called(entry)]
        asked = _alike(wanted)
        exact = 0 if asked in names else 1 if any(each.startswith(asked) for each in names) else 2
        return exact, -points, self._rank(entry), len(name)


def _alike(name: str) -> str:
    """Option files write dashes where the server has underscores."""
    return name.casefold().replace("-", "_")


def _score(typed: str, name: str) -> int | None:
    """``score`` of texts that are folded already."""
    whole = 0
    for word in typed.split():
        found = _best(word, name)
        if found is None:
            return None
        whole += found
    return whole


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
