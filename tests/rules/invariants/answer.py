"""All that a user gets of one case: the first line, the lists, the plan."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.judging.agenda import changes_asked
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.target import same
from advisor.target_config.configuration import TargetConfiguration, configure
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.nothing_to_change import nothing_to_change


@dataclass(frozen=True, slots=True)
class Answer:
    """A judged case, its first line, what is said where nothing is to be changed, and its plan."""

    case: Case
    judgement: Judgement
    first_line: str
    nothing: str
    made: TargetConfiguration

    @property
    def said(self) -> list[Recommendation]:
        """All that is not fine."""
        return [one for one in self.judgement.recommendations if one.verdict is not Verdict.FINE]

    @property
    def fine(self) -> list[Recommendation]:
        return [one for one in self.judgement.recommendations if one.verdict is Verdict.FINE]

    @property
    def planned(self) -> dict[str, str]:
        """The values that the plan sets, by setting; none that it only writes down as it is."""
        return {
            step.name: step.value
            for _, step in self.made.plan.settings()
            if not same(step.standing.value, step.value)
        }

    def per_s(self, name: str) -> float | None:
        """A counter of the user's server; None where nobody counted it."""
        mysql = self.case.inventory.mysql
        window = None if mysql is None else mysql.window
        return None if window is None else window.per_s(name)

    def number(self, name: str) -> float | None:
        """A variable of the server; None where it has none."""
        mysql = self.case.inventory.mysql
        return None if mysql is None else mysql.number(name)


def answer_to(case: Case, judgement: Judgement) -> Answer:
    """What users get of a judgement: the plan is of all that is worth planning."""
    return Answer(
        case,
        judgement,
        limiting(judgement, case),
        nothing_to_change(judgement, case),
        configure(case, judgement, changes_asked(judgement)),
    )
