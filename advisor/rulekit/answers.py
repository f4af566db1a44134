"""What a rule may answer: judged, can't tell, or nothing to say."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.outcomes import Apply, Confidence, Verdict
from advisor.rulekit.change import Change
from advisor.steps import Needs, Step

NO_CHANGE = Apply()


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule's own part of a recommendation; the engine adds id, title, topic and evidence.

    ``gain`` is the expected effect on the server, 0 (none) to 1 (it decides everything). The fields
    of the evidence card mean what they do in ``Recommendation``.
    """

    verdict: Verdict
    saw: str
    setting: str = ""
    now: str = ""
    proposed: str = ""
    effect: str = ""
    confidence: Confidence = Confidence.MEDIUM
    risk: str = ""
    needs: Needs = Needs.NOTHING
    apply: Apply = NO_CHANGE
    undo: str = ""
    flips_when: str = ""
    gain: float = 0.0
    formula: str = ""
    valid: str = ""
    because: str = ""
    cost_of_error: str = ""
    side_effects: str = ""
    verify: str = ""
    steps: tuple[Step, ...] = ()

    def by(self, made: Change) -> Judged:
        """Return the same with the texts and steps of a change."""
        return replace(
            self,
            proposed=made.proposed,
            needs=made.needs,
            apply=made.apply,
            undo=made.undo,
            verify=self.verify or made.verify,
            steps=made.steps,
        )


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The rule can't tell; ``because`` is a full sentence."""

    because: str


@dataclass(frozen=True, slots=True)
class Inapplicable:
    """The rule has nothing to say about this server; ``because`` is a full sentence."""

    because: str


Answer = Judged | Unjudged | Inapplicable
