"""What a rule may answer: judged, can't tell, or nothing to say."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Judged


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The rule can't tell; ``because`` is a full sentence.

    What a person can look up makes it an open question: ``turns_on`` names the fact that decides,
    ``settled_by`` says in a sentence where the answer stands.
    """

    because: str
    turns_on: str = ""
    settled_by: str = ""


@dataclass(frozen=True, slots=True)
class Inapplicable:
    """The rule has nothing to say about this server; ``because`` is a full sentence."""

    because: str


Answer = Judged | Unjudged | Inapplicable

__all__ = ["Answer", "Inapplicable", "Judged", "Unjudged"]
