"""A rule's evidence card: what was seen and tested, ended as fine, to be watched, or recommended.

What a rule does not say follows from the verdict and from the facts that it has read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from advisor.gain import Relief, Stakes
from advisor.outcomes import Confidence, Evidence, Knowledge, Verdict
from advisor.rulekit.answers import Judged
from advisor.rulekit.condition import Condition, Is
from advisor.steps import Change, Needs
from probes import figures

FINE = "Fine as it is."

NOTHING_DONE = "None: nothing is changed."

UNDOING = {
    Needs.DYNAMIC: "Small: it can be changed back while the server runs.",
    Needs.OS: "Small: it can be changed back at once.",
    Needs.RESTART: "A restart to change it back.",
    Needs.REBOOT: "A reboot to change it back.",
    Needs.REWRITE: "All data is rewritten, and once more to change it back.",
    Needs.MONEY: "Money for what is not used.",
}
"""What a wrong change costs, where a rule knows of nothing worse."""

OF_MACHINE = ("host.", "storage.", "volume.")
"""How the names of facts begin that the machine reports."""

WATCHED = ("watch.", "redo.sync_cost")
"""How the names of facts begin that a watch gives."""

NOT_STATED = Is(is_so=True, yes="", no="")
"""The condition of a card that has none."""


class Says(TypedDict, total=False):
    """What a rule says of its own where it does not follow; fields mean what they do in Judged.

    ``condition`` is what decides: it gives the formula and what would change the verdict.
    ``formula`` goes before the condition's; ``flips_when`` goes in place of it. ``knowledge`` is
    for an effect that is known from something else than the rule's others are.
    """

    saw: str
    setting: str
    now: str
    condition: Condition
    formula: str
    flips_when: str
    confidence: Confidence
    because: str
    valid: str
    cost_of_error: str
    risk: str
    side_effects: str
    verify: str
    relieves: tuple[Relief, ...]
    stakes: Stakes
    knowledge: Knowledge
    urgent: bool
    despite: tuple[str, ...]
    urgency: float
    slight: bool
    least_gain: float
    used: float
    do: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a rule has seen, before it says what follows; ``read`` gives its readings so far.

    A ``draft`` is one of many, of which only verdict, value and weight count: what follows from
    condition and readings is not said.
    """

    read: Callable[[], Sequence[Evidence]]
    says: Says = field(default_factory=Says)
    draft: bool = False

    def but(self, **says: Unpack[Says]) -> Card:
        """Return the same with something else said."""
        return Card(self.read, self.says | says, self.draft)

    def fine(self, effect: str = FINE, **says: Unpack[Says]) -> Judged:
        """End it: nothing needs a change."""
        return self._judged(Verdict.FINE, effect, NOTHING_DONE, self.says | says)

    def watch(self, effect: str, **says: Unpack[Says]) -> Judged:
        """End it: worth watching, and nothing for a plan."""
        return self._judged(Verdict.WATCH, effect, NOTHING_DONE, self.says | says)

    def recommend(self, change: Change, *, effect: str, **says: Unpack[Says]) -> Judged:
        """End it: ``change`` is proposed, and a risk has to be said."""
        cost = UNDOING.get(change.needs, "")
        return self._judged(Verdict.RECOMMEND, effect, cost, self.says | says).by(change)

    def consider(self, change: Change, *, effect: str, **says: Unpack[Says]) -> Judged:
        """End it: worth watching, and ``change`` is shown with it; it goes into no plan."""
        cost = UNDOING.get(change.needs, "")
        return self._judged(Verdict.WATCH, effect, cost, self.says | says).by(change)

    def _judged(self, verdict: Verdict, effect: str, cost: str, says: Says) -> Judged:
        if self.draft:
            relieves, stakes = says.get("relieves", ()), says.get("stakes")
            saw, slight = says.get("saw", ""), says.get("slight", False)
            return Judged(verdict, saw, relieves=relieves, stakes=stakes, slight=slight)
        own: dict[str, Any] = {**says}
        condition: Condition = own.pop("condition", NOT_STATED)
        evidence = self.read()
        own["formula"] = "; ".join(filter(None, (says.get("formula"), condition.formula)))
        own["flips_when"] = says.get("flips_when") or condition.flips_when
        own["valid"] = says.get("valid") or _valid(evidence)
        own["because"] = says.get("because") or _because(evidence)
        own["cost_of_error"] = says.get("cost_of_error") or cost
        return Judged(verdict, own.pop("saw", ""), effect=effect, **own)


def _because(evidence: Sequence[Evidence]) -> str:
    points = {point for one in evidence for point in one.point_ids}
    sources = [figures.counted(len(points), "measured point")] if points else []
    for begins, what in (
        (("mysql.status.", "redo.growth", "purge.", "load."), "the server's counters"),
        (("mysql.variable.", "mysql.lines", "mysql.option_files"), "the server's settings"),
        (OF_MACHINE, "what the machine reports"),
        (WATCHED, "the server's own work"),
    ):
        if any(one.fact.startswith(begins) and not one.point_ids for one in evidence):
            sources.append(what)
    return f"Based on {figures.listed(sources)}." if sources else ""


def _valid(evidence: Sequence[Evidence]) -> str:
    counted = any(
        one.fact.startswith("mysql.status.") or (one.fact.startswith(WATCHED) and not one.point_ids)
        for one in evidence
    )
    measured = any(one.point_ids for one in evidence)
    if counted and measured:
        return "While the load is like that of the status window, on the measured drive."
    if counted:
        return "While the load is like that of the status window."
    if measured:
        return "On the measured drive, while nothing about it changes."
    machine = any(one.fact.startswith(OF_MACHINE) for one in evidence)
    return "While the machine is set up as it is." if machine else ""
