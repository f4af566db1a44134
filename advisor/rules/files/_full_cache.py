"""What the rules on the caches of tables and files share: a full one becomes twice as large."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import MYSQL_VERSION
from advisor.model.round_figures import round_up
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.variables.standing import Standing


@dataclass(frozen=True, slots=True)
class Cache:
    """One such cache in words.

    ``gains`` is what a larger one brings. ``calm`` and ``busy`` are states of it: while it is calm
    nothing is asked for, once it is busy more is. ``most`` is the largest that it may be.
    """

    gains: str
    calm: str
    busy: str
    because: str
    cost_of_error: str
    side_effects: str
    risk: str
    most: int
    valid: str = "the load of the window"

    def judged(
        self,
        verdict: Verdict,
        now: Standing,
        saw: str,
        formula: str,
        effect: str = "Fine as it is.",
        *,
        flips_when: str = "",
        gain: float = 0.0,
    ) -> Judged:
        """Make the card; by default it flips where calm and busy meet."""
        return Judged(
            verdict,
            saw,
            now.name,
            now.now,
            effect=effect,
            confidence=Confidence.MEDIUM,
            risk=self.risk if verdict is Verdict.RECOMMEND else "",
            flips_when=flips_when or (self.busy if verdict is Verdict.FINE else self.calm),
            gain=gain,
            formula=formula,
            valid=self.valid,
            because=self.because,
            cost_of_error=self.cost_of_error,
            side_effects=self.side_effects,
        )

    def doubled(
        self,
        facts: Facts,
        now: Standing,
        saw: str,
        formula: str,
        *,
        kept: float,
        room: float | None,
    ) -> Judged:
        """Ask for twice what is ``kept``, as far as descriptors leave ``room`` (None: no limit)."""
        wanted = min(round_up(2 * kept), self.most)
        if wanted <= now.number:
            effect = "It is as large as it may be: see whether so many are really needed."
            return self.judged(Verdict.WATCH, now, saw, formula, effect, gain=0.1)
        if room is not None and wanted > room:
            effect = f"Descriptors are left for {room:.0f} of them: raise open_files_limit first."
            return self.judged(Verdict.WATCH, now, saw, formula, effect, gain=0.3)
        version = facts.get(MYSQL_VERSION)
        made = change(version, now, str(wanted))
        return self.judged(Verdict.RECOMMEND, now, saw, formula, self.gains, gain=0.3).by(made)
