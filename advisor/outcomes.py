"""What a rule says about a case."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from advisor.gain import QueryTime, Relief, Stakes, VolumeLimit, Wait
from advisor.steps import Change, Needs, Step
from advisor.tried import RuleRecord, Tried
from advisor.why import Ends, TurnsOn, Why
from probes.statistics.ranges import Range


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


class Knowledge(StrEnum):
    """What a recommendation's effect is known from, however sure its figures are."""

    TRIED = "tried"
    """The lab has tried this very change, on throwaway servers of this target."""

    MEASURED = "measured"
    """The figure that the effect follows from: a point of this drive, or this server's work."""

    DOCUMENTED = "documented"
    """Published by the maker: documentation, sources or policy."""

    PUBLISHED = "published"
    """On other servers or drives."""

    ANALOGY = "analogy"
    """Published for another version, family or kind of drive."""

    CHOICE = "choice"
    """No published figure: our choice."""


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
    """How to make the change: SQL, the option file's line, a command; each "" when none.

    ``service`` stands in the place of the first two where a managed service runs the server.
    """

    sql: str = ""
    cnf: str = ""
    os: str = ""
    service: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a rule says: its evidence card.

    ``saw`` is the sentence of what was found, from figures; ``relieves`` the waits of queries that
    it shortens, none where nobody can compute that; ``stakes`` what it is about where that is not
    the rule's own. ``formula`` has its numbers put in; ``valid`` is where it holds; ``because``
    what the confidence rests on; ``flips_when`` what would change the verdict; ``cost_of_error``
    what it costs to be wrong; ``verify`` how to see that it worked. ``steps`` are what a plan is
    made of. ``knowledge`` is what this effect is known from, None where it is the rule's own.
    ``urgent`` is a risk that stands before all others: the next crash loses the data.
    ``despite`` are rules that it comes after and here need not wait for. ``urgency`` is the share
    of the time of queries that it counts for at least, where much is at stake that nobody counts.
    What is ``slight`` shows no harm in any figure: it counts as minor unless its gain is known.
    ``least_gain`` is the expected gain from which on it is worth a line. ``used`` is the share of a
    limit of the volume that the server uses, 0 where the rule holds its rate against none.
    ``do`` is what is asked for where no value is set, "" where that is what the rule always asks.
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
    flips_when: str = ""
    relieves: tuple[Relief, ...] = ()
    stakes: Stakes | None = None
    formula: str = ""
    valid: str = ""
    because: str = ""
    cost_of_error: str = ""
    side_effects: str = ""
    verify: str = ""
    steps: tuple[Step, ...] = ()
    knowledge: Knowledge | None = None
    urgent: bool = False
    despite: tuple[str, ...] = ()
    urgency: float = 0.0
    slight: bool = False
    least_gain: float = 0.0
    used: float = 0.0
    do: str = ""

    def by(self, change: Change) -> Self:
        """Return the same with a change that is proposed."""
        return replace(self, proposed=change.proposed, needs=change.needs, steps=change.steps)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The lowest and the highest value that the figures allow, as the setting takes them."""

    low: str
    high: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation(Judged):
    """A judged rule: its card, and what the engine knows of it.

    ``title`` is the rule's one-line title; ``gain`` the share of the time of running queries that
    it removes, None where that is not quantified; ``major`` is whether published runs saw tens of
    per cent of it. ``knowledge`` is what its effect is known from. ``apply`` and ``undo`` are the
    steps as texts to be copied; they stay where the advice is held back and has no steps.
    ``findings`` are ids of published findings behind it. ``waits_for`` names the rule whose advice
    goes first, ``cause`` the one that found the cause of what was found here. ``share`` (0..1) is
    of how much of what the figures may truly be it holds. ``allowed`` are the values that these
    lead to, where they lead to several: then ``proposed`` is the safe end.
    ``limit`` is the limit of a volume that the server's rate is held against. ``longer`` is what
    queries wait for longer than for what it is best for, which makes it less sure.
    ``tried`` is what labs and trials have found of the setting's values on this target, ``record``
    what came of the rule's advice in trials on all targets.
    """

    rule: str
    title: str
    topic: str
    gain: Range | None = None
    major: bool = False
    knowledge: Knowledge = Knowledge.CHOICE
    apply: Apply = Apply()
    undo: str = ""
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[str, ...] = ()
    waits_for: str = ""
    cause: str = ""
    share: float = 1.0
    allowed: Allowed | None = None
    limit: VolumeLimit | None = None
    longer: Wait | None = None
    tried: tuple[Tried, ...] = ()
    record: RuleRecord | None = None


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """One answer to an open question, and what it costs if it is wrong.

    ``share`` (0..1) is of how much of what the figures may truly be it holds. A change is named as
    in a recommendation; ``wrong`` is a sentence of what it costs to make it in vain. To make none
    where it is needed ``misses`` what it would bring, and ``loses`` a share of the time of queries,
    None where that is not quantified.
    """

    verdict: Verdict
    share: float
    setting: str = ""
    now: str = ""
    proposed: str = ""
    wrong: str = ""
    misses: str = ""
    loses: Range | None = None


FELT = 0.03
"""A change that brings less of query time is not worth a question that nothing settles (our
choice)."""


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A rule that gave no verdict.

    It lacked a fact; or its facts are so uncertain that the answer is open: then ``turns_on`` names
    the fact that decides, and ``closes_s`` is how long measuring again would take until it has an
    answer, or a watch of the server where ``by_watching`` (None where that would not help, or
    nobody can tell). ``answers`` are those with a verdict, the most likely one first, where there
    are several.
    """

    rule: str
    title: str
    why: Why
    turns_on: str = ""
    closes_s: float | None = None
    by_watching: bool = False
    answers: tuple[OpenAnswer, ...] = ()
    settled_by: str = ""
    """Where a person finds the answer, in a sentence; "" where figures decide."""

    @property
    def is_idle(self) -> bool:
        """Whether nothing settles it, and no change hangs on it that is felt."""
        if self.closes_s or self.settled_by or not isinstance(self.why, TurnsOn):
            return False
        asks = any(end is Ends.RECOMMEND for end, _ in self.why.shares)
        loses = [each.loses.high for each in self.answers if each.loses is not None]
        return not asks or (bool(loses) and max(loses) < FELT)


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A rule that says nothing about this server."""

    rule: str
    title: str
    why: Why


Outcome = Recommendation | NotJudged | NotApplicable


@dataclass(frozen=True, slots=True)
class Judgement:
    """All rules' outcomes on one case, what matters most first.

    ``time`` is where the time of the server's running queries goes, None where nobody knows.
    ``of_figures`` is the judgement of the figures as they are, of one over what they may truly be.
    """

    recommendations: tuple[Recommendation, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()
    not_applicable: tuple[NotApplicable, ...] = ()
    time: QueryTime | None = None
    of_figures: Judgement | None = field(default=None, compare=False, repr=False)

    @property
    def open(self) -> tuple[NotJudged, ...]:
        """The questions that have facts, and more than one answer over what these may truly be."""
        return tuple(one for one in self.not_judged if one.turns_on)

    @property
    def worth_asking(self) -> tuple[NotJudged, ...]:
        """Those of the open questions on which somebody can act."""
        return tuple(one for one in self.open if not one.is_idle)

    @property
    def unknown(self) -> tuple[NotJudged, ...]:
        """The questions that lack a fact."""
        return tuple(one for one in self.not_judged if not one.turns_on)
