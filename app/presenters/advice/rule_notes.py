"""What the window knows of each rule besides its outcomes: topic, settings and page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleNote:
    """``settings`` are the variables that a rule speaks about; ``page`` is Markdown."""

    topic: str = ""
    settings: tuple[str, ...] = ()
    page: str = ""


RuleNotes = Mapping[str, RuleNote]
"""By the rules' ids."""

UNKNOWN = RuleNote()
"""Of a rule that Leadline had once."""
