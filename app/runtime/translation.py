"""The window's texts in the user's language: written in English where they stand, found when shown.

A text is a whole sentence, with figures in the places of their names. Qt's lupdate collects what is
given to these three functions, so each takes a literal; ``packaging/translations.py`` calls it.
"""

from __future__ import annotations

from collections.abc import Callable

from probes.figures import count

Catalogue = Callable[[str, str, int], str | None]
"""From a text, what tells it from others of the same words, and a number that it counts (-1: none)
to the text in another language; nothing where it has none."""

_catalogues: list[Catalogue] = []


def speak(catalogue: Catalogue | None) -> None:
    """From now on find texts here; None: all stay English."""
    _catalogues[:] = [] if catalogue is None else [catalogue]


def tr(text: str, apart: str = "", /, **figures: object) -> str:
    """The text in the user's language, each figure in the place of its name: ``{points} left``.

    ``apart`` says which of two meanings is meant that English has one word for.
    """
    found = _found(text, apart, -1) or text
    return found.format(**figures) if figures else found


def tr_n(one: str, many: str, n: int, /, **figures: object) -> str:
    """One of two forms, as ``n`` demands; languages with other plurals have other forms.

    ``{n}`` is the number as Leadline writes numbers.
    """
    found = _found(one, many, n) or (one if n == 1 else many)
    return found.format(n=count(n), **figures)


def tr_later(text: str, _apart: str = "", /) -> str:
    """A text of a table, in English still: who shows it calls :func:`tr` with the same."""
    return text


def _found(text: str, apart: str, n: int) -> str:
    return (_catalogues[0](text, apart, n) if _catalogues else "") or ""
