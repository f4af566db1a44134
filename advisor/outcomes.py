"""What a rule says about a case."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from advisor.steps import Needs, Step


class Verdict(StrEnum):
    """How a judged rule ends."""

    RECOMMEND = "recommend"
    FINE = "fine"
    WATCH = "watch"


class Confidence(StrEnum):
    """How sure the advice is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that a rule read: a fact by its name and value, or measured points by id.

    ``text`` is the reading as a person says it, with unit. ``point_ids`` are ids of the case's
    points (``Point.id``), so that a chart can mark them.
    """

    fact: str
    text: str
    point_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Apply:
    """How to make the change: SQL, the option file's line, a command; each "" when none."""

    sql: str = ""
    cnf: str = ""
    os: str = ""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A judged rule: what was seen, what to do about it, and what that is worth.

    ``title`` is the rule's one-line title, ``saw`` the sentence of what was found, from figures.
    ``weight`` orders recommendations (0..1, expected effect times confidence).

    The evidence card: ``formula`` with its numbers put in; ``valid`` where it holds; ``because``
    what the confidence rests on; ``cost_of_error`` what it costs to be wrong; ``side_effects``;
    ``verify`` how to see that it worked; ``findings`` ids of published findings behind it.
    ``steps`` are what a plan is made of. ``waits_for`` names the rule whose advice goes first.
    """

    rule: str
    title: str
    topic: str
    verdict: Verdict
    saw: str
    setting: str = ""
    now: str = ""
    proposed: str = ""
    effect: str = ""
    confidence: Confidence = Confidence.MEDIUM
    risk: str = ""
    needs: Needs = Needs.NOTHING
    apply: Apply = Apply()
    undo: str = ""
    flips_when: str = ""
    weight: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    formula: str = ""
    valid: str = ""
    because: str = ""
    cost_of_error: str = ""
    side_effects: str = ""
    verify: str = ""
    findings: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    waits_for: str = ""


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A rule that lacked facts; ``because`` is a full sentence."""

    rule: str
    title: str
    because: str


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A rule that says nothing about this server; ``because`` is a full sentence."""

    rule: str
    title: str
    because: str


Outcome = Recommendation | NotJudged | NotApplicable


@dataclass(frozen=True, slots=True)
class Judgement:
    """All rules' outcomes on one case, recommendations by falling weight."""

    recommendations: tuple[Recommendation, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()
    not_applicable: tuple[NotApplicable, ...] = ()
