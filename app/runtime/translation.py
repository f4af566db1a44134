"""The window's texts: each a whole sentence, written where it is shown.

Figures stand in it by their names, never by their order, and no sentence is put together of
pieces: what ``tr`` and ``tr_n`` take is what a translation would begin with. There is none yet.
"""

from __future__ import annotations

from probes.figures import count


def tr(text: str, /, **figures: object) -> str:
    """The text, each figure in the place of its name: ``{points} left``."""
    return text.format(**figures) if figures else text


def tr_n(one: str, many: str, n: int, /, **figures: object) -> str:
    """One of two forms, as ``n`` demands; ``{n}`` is the number as Leadline writes numbers."""
    return (one if n == 1 else many).format(n=count(n), **figures)
