"""What a page says of a run that has no tabs of its own, in one of its phases."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RunText:
    """``sentence`` stands first, ``beside`` below it; ``rows`` are headings with sentences."""

    sentence: str
    beside: str = ""
    rows: tuple[tuple[str, str], ...] = ()
