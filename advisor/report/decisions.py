"""How many questions about a target were decided, and why rules kept silent, each reason once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.fact import NO_SERVER, OURS
from advisor.facts.points import MEASURED
from advisor.outcomes import Judgement, NotApplicable, NotJudged
from advisor.report.agenda import agenda
from advisor.report.limit import Limit, limit_of
from advisor.report.limiting import remedy, without_rule
from advisor.rulekit.registry import all_rules
from advisor.run import RunState
from advisor.variables.managed import kept_from_accounts, service_of
from probes.figures import count, counted, seconds, without_figures
from probes.points import Point, Trust
from probes.words import capital

ENOUGH = 2 / 3
"""Of fewer of the rules that apply, "nothing needs a change" would say more than is known."""

_NO_SERVER_OF_YOURS = {NO_SERVER.casefold(), OURS.casefold()}
_CUT_SHORT = {
    RunState.CANCELLED: "the run was cancelled",
    RunState.INTERRUPTED: "the run was interrupted",
    RunState.FAILED: "the run failed",
}
_PERCENT = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?%")


@dataclass(frozen=True, slots=True)
class Decided:
    """How many rules were ``judged`` of those that are ``applicable`` to this target.

    Not applicable are rules about other servers, and those about a server where none of the
    user's was looked at. ``because`` says why most of the others are open, without a full stop;
    "" where nothing is open.
    """

    judged: int
    applicable: int
    because: str

    @property
    def enough(self) -> bool:
        """Whether so much was judged that "nothing needs a change" is an answer."""
        return bool(self.judged) and self.judged >= ENOUGH * self.applicable


def decided(judgement: Judgement, case: Case, state: RunState = RunState.DONE) -> Decided:
    """Count what was judged of a run that ended in ``state``."""
    open_ = [each for each in silences(judgement.not_judged) if not _lacks_server(each)]
    judged = len(judgement.recommendations)
    applicable = judged + sum(map(_rules, open_))
    return Decided(judged, applicable, _because(open_, case.points, state) if open_ else "")


def nothing_to_change(
    judgement: Judgement, case: Case, state: RunState = RunState.DONE, *, doubt_said: bool = False
) -> str:
    """What is said of a judgement that recommends no change, in a few sentences.

    With ``doubt_said`` stands above it already why points are doubtful.
    """
    found, kept = decided(judgement, case, state), kept_by_its_service(judgement, case)
    if doubt_said and found.because and found.because == mostly_doubted(case.points):
        found = replace(found, because="the points are doubtful, as said above")
    return f"{_nothing_to_change(found, judgement, limit_of(judgement, case))} {kept}".strip()


def kept_by_its_service(judgement: Judgement, case: Case) -> str:
    """How many rules have nothing to ask at a managed service, and why; "" elsewhere."""
    mysql = case.inventory.mysql
    service = None if mysql is None else service_of(mysql.version)
    if service is None:
        return ""
    number = sum(kept_from_accounts(service, each.because) for each in judgement.not_applicable)
    if not number:
        return ""
    do = "rule does" if number == 1 else "rules do"
    return f"{service.name}: {number} {do} not apply, as {service.keeps}."


def _nothing_to_change(found: Decided, judgement: Judgement, limit: Limit | None) -> str:
    lists = agenda(judgement)
    eye = f" {counted(len(lists.watch), 'thing')} to keep an eye on." if lists.watch else ""
    if not found.applicable:
        return "No rule applies to what was looked at."
    of = f"of the {count(found.applicable)} rules that apply"
    if found.enough:
        why = f" Why not all: {found.because}." if found.because else ""
        but = "apart from the risks, " if lists.risks else ""
        none = "nothing needs a change" if limit is None else _no_change(judgement, limit)
        return f"{count(found.judged)} {of} were judged, and {but}{none}.{why}{eye}"
    few = f"Only {count(found.judged)}" if found.judged else "None"
    return f"{few} {of} could be judged: {found.because}.{eye}"


def _no_change(judgement: Judgement, limit: Limit) -> str:
    """That nothing is to be changed, beside what limits the server: that it can't be, or not so."""
    if without_rule(judgement, limit):
        return f"none of them shortens {limit.named}: {remedy(limit)}"
    if limit.wait is not None:
        return f"none of them shortens {limit.named} by a change"
    return "nothing needs a change"


def left_open(judgement: Judgement) -> str:
    """How many questions are open, and how long it takes to close them: ``3 open (40 s close 2)``.

    Points are measured one after the other; one watch closes all that turn on the server's own
    work. "" where nothing is open.
    """
    open_ = judgement.open
    watched = [each.closes_s for each in open_ if each.closes_s and each.by_watching]
    measured = [each.closes_s for each in open_ if each.closes_s and not each.by_watching]
    ways = [
        f"about {seconds(took_s)} {how} closes {_which(number, len(open_))}"
        for took_s, how, number in (
            (sum(measured), "more probing", len(measured)),
            (max(watched, default=0.0), "of watching", len(watched)),
        )
        if number
    ]
    said = f"{len(open_)} open" if open_ else ""
    return f"{said} ({', '.join(ways)})" if ways else said


def _which(closed: int, open_: int) -> str:
    if closed < open_:
        return str(closed)
    return "it" if open_ == 1 else "all"


def left_to_probes(judgement: Judgement) -> int:
    """How many of the rules that could not be judged read what a probe measures."""
    silent = {each.rule for each in judgement.not_judged}
    measured = {name for name, fact in CATALOGUE.items() if fact.source == MEASURED}
    return sum(
        rule.id in silent and not measured.isdisjoint((*rule.needs, *rule.uses))
        for rule in all_rules()
    )


def lacks_points(silent: NotJudged) -> bool:
    """Whether what a rule lacks is measured by probes: another one may tell it."""
    return any(
        silent.because.startswith(f"Unknown: {fact.meaning}, ")
        for fact in CATALOGUE.values()
        if fact.source == MEASURED
    )


def _lacks_server(silence: Silence) -> bool:
    return silence.reason.rstrip(".").casefold() in _NO_SERVER_OF_YOURS


def _rules(silence: Silence) -> int:
    return sum(len(rules) for _, rules in silence.unknown)


def _because(open_: Sequence[Silence], points: Sequence[Point], state: RunState) -> str:
    """What keeps most from being judged: an early end, then bad points, else the first reason."""
    if state in _CUT_SHORT:
        return f"{_CUT_SHORT[state]} after {counted(len(points), 'point')}"
    if doubted := mostly_doubted(points):
        return doubted
    most = max(open_, key=_rules)
    others = sum(map(_rules, open_))
    part = f"for {count(_rules(most))} of the {count(others)} others, " if len(open_) > 1 else ""
    return f"{part}{inside(most.reason)}"


def mostly_doubted(points: Sequence[Point]) -> str:
    """Why half of the points or more are not trusted, with the worst figure; "" where fewer are.

    ``51 of 51 points are doubtful, at worst because the host gave 40 % ...``, with no full stop.
    """
    doubted = [point for point in points if point.trust is not Trust.OK]
    if not points or 2 * len(doubted) < len(points):
        return ""
    verb = "is" if len(points) == 1 else "are"
    said = f"{len(doubted)} of {counted(len(points), 'point')} {verb} doubtful"
    rejected = sum(point.trust is Trust.REJECTED for point in doubted)
    if rejected == len(doubted):
        said = f"{len(doubted)} of {counted(len(points), 'point')} can't be trusted"
    elif rejected:
        said += f" or can't be trusted ({rejected})"
    reasons = [reason for point in doubted for reason in point.trust_reasons]
    if not reasons:
        return said
    # Points have figures of their own in reasons of one kind.
    kinds = Counter(without_figures(reason) for reason in reasons)
    kind = kinds.most_common(1)[0][0]
    worst = max((each for each in reasons if without_figures(each) == kind), key=_share)
    return f"{said}, at worst because {inside(worst)}"


def _share(reason: str) -> float:
    """The first per cent in a reason; 0 where it has none."""
    found = _PERCENT.search(reason)
    return 0.0 if found is None else float(found[1].replace(",", ""))


_NAMES = frozenset({"Amazon", "Aurora", "Azure", "Cloud", "Leadline", "Percona"})
"""Names, or their first words, that look like words."""


def inside(sentence: str) -> str:
    """A sentence as a part of another; a name or an abbreviation stays as it is."""
    first, space, rest = sentence.partition(" ")
    named = first.removesuffix("'s") in _NAMES
    plain = not named and (len(first) == 1 or first[1:].islower())
    return f"{first.lower() if plain else first}{space}{rest}".rstrip(".")


_UNKNOWN, _BECAUSE = "Unknown: ", ", because "


@dataclass(frozen=True, slots=True)
class Silence:
    """A reason, as a sentence, and what it keeps from being judged.

    ``unknown`` are pairs of what is not known, in words that follow "unknown:", and the ids of the
    rules that lack it; "" where the reason says all.
    """

    reason: str
    unknown: tuple[tuple[str, tuple[str, ...]], ...]


def silences(outcomes: Iterable[NotJudged | NotApplicable]) -> list[Silence]:
    """The outcomes by their reason, in the order in which each came first."""
    found: dict[str, dict[str, list[str]]] = {}
    for outcome in outcomes:
        reason, what = _apart(outcome.because)
        found.setdefault(reason, {}).setdefault(what, []).append(outcome.rule)
    return [
        Silence(reason, tuple((what, tuple(rules)) for what, rules in unknown.items()))
        for reason, unknown in found.items()
    ]


def _apart(because: str) -> tuple[str, str]:
    """Reason and what is unknown for it; what was said otherwise is all reason."""
    what, joint, reason = because.removeprefix(_UNKNOWN).partition(_BECAUSE)
    if not because.startswith(_UNKNOWN) or not joint:
        return because, ""
    return capital(reason), what
