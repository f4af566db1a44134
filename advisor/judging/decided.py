"""How many questions about a target were decided, and why rules kept silent, each reason once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.measured.points import MEASURED
from advisor.judging.doubted import mostly_doubted
from advisor.outcomes import Judgement, NotApplicable, NotJudged
from advisor.rulekit.registry import all_rules
from advisor.run import RunState
from advisor.undecided import CutShort, Mostly, WhyOpen
from advisor.variables.managed import KeptByService
from advisor.why import Absence, Lacks, Unseen, Why

ENOUGH = 2 / 3
"""Of fewer of the rules that apply, "nothing needs a change" would say more than is known."""


@dataclass(frozen=True, slots=True)
class Decided:
    """How many rules were ``judged`` of those that are ``applicable`` to this target.

    Not applicable are rules about other servers, and those about a server where none of the
    user's was looked at. ``why`` is why most of the others are open; None where nothing is open.
    """

    judged: int
    applicable: int
    why: WhyOpen | None

    @property
    def enough(self) -> bool:
        """Whether so much was judged that "nothing needs a change" is an answer."""
        return bool(self.judged) and self.judged >= ENOUGH * self.applicable


def decided(judgement: Judgement, case: Case, state: RunState = RunState.DONE) -> Decided:
    """Count what was judged of a run that ended in ``state``."""
    open_ = [each for each in silences(judgement.not_judged) if not _lacks_server(each)]
    judged = len(judgement.recommendations)
    applicable = judged + sum(each.number for each in open_)
    return Decided(judged, applicable, _why(open_, case, state) if open_ else None)


def kept_by_its_service(judgement: Judgement) -> int:
    """How many rules have nothing to ask, since a managed service keeps that to itself."""
    return sum(isinstance(each.why, KeptByService) for each in judgement.not_applicable)


def left_to_probes(judgement: Judgement) -> int:
    """How many of the rules that could not be judged read what a probe measures."""
    silent = {each.rule for each in judgement.not_judged}
    return sum(
        rule.id in silent and not _MEASURED.isdisjoint((*rule.needs, *rule.uses))
        for rule in all_rules()
    )


def lacks_points(silent: NotJudged) -> bool:
    """Whether what a rule lacks is measured by probes: another one may tell it."""
    return isinstance(silent.why, Lacks) and silent.why.fact in _MEASURED


_MEASURED = frozenset(name for name, fact in CATALOGUE.items() if fact.source == MEASURED)


@dataclass(frozen=True, slots=True)
class Silence:
    """A reason that rules share; ``lacking`` are the facts that they lack for it, each with rules.

    A fact is "" where the reason says all. ``why`` is the first rule's.
    """

    why: Why
    lacking: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def number(self) -> int:
        """How many rules are silent for it."""
        return sum(len(rules) for _, rules in self.lacking)


def silences(outcomes: Iterable[NotJudged | NotApplicable]) -> list[Silence]:
    """The outcomes by their reason, in the order in which each came first."""
    first: dict[Why | tuple[Absence], Why] = {}
    found: dict[Why | tuple[Absence], dict[str, list[str]]] = {}
    for outcome in outcomes:
        why = outcome.why
        key, fact = ((why.absence,), why.fact) if isinstance(why, Lacks) else (why, "")
        first.setdefault(key, why)
        found.setdefault(key, {}).setdefault(fact, []).append(outcome.rule)
    return [
        Silence(first[key], tuple((fact, tuple(rules)) for fact, rules in lacking.items()))
        for key, lacking in found.items()
    ]


def _lacks_server(silence: Silence) -> bool:
    why = silence.why
    return isinstance(why, Lacks) and why.absence in {Unseen.NO_SERVER, Unseen.OUR_SERVER}


def _why(open_: Sequence[Silence], case: Case, state: RunState) -> WhyOpen:
    """What keeps most from being judged: an early end, then bad points, else the first reason."""
    if state.cut_short:
        return CutShort(state, len(case.points))
    if doubted := mostly_doubted(case.points):
        return doubted
    most = max(open_, key=lambda each: each.number)
    others = sum(each.number for each in open_)
    return Mostly(most.why, most.number, others, len(open_) == 1)
