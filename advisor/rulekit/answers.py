"""What a rule may answer: judged, can't tell, or nothing to say."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Judged
from advisor.why import Why


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The rule can't tell; its own ``why`` is a full sentence.

    What a person can look up makes it an open question: ``turns_on`` names the fact that decides,
    ``settled_by`` says in a sentence where the answer stands.
    """

    why: Why
    turns_on: str = ""
    settled_by: str = ""


@dataclass(frozen=True, slots=True)
class Inapplicable:
    """The rule has nothing to say about this server; its own ``why`` is a full sentence."""

    why: Why


Answer = Judged | Unjudged | Inapplicable

__all__ = ["Answer", "Inapplicable", "Judged", "Unjudged"]
