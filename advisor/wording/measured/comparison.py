"""What all forms say of a comparison: who is best, who ties, what takes from that, its figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from advisor.compare.comparison import LETTERS, Comparison
from advisor.compare.contender import Contender
from advisor.compare.groups import standing
from advisor.compare.ratio import Estimate
from advisor.compare.rejected import rejected
from advisor.compare.roles import Entry, RoleComparison, RoleOutcome, Unit
from advisor.model.curves.ratio import ratio_text
from advisor.wording.measured.cells import MARKS, short
from advisor.wording.measured.doubts import sentence
from advisor.wording.measured.lab import difference
from advisor.wording.measured.lab_plan import load_words
from probes.doubts import Doubt
from probes.figures import (
    UNKNOWN,
    Say,
    counted,
    duration_us,
    is_narrow,
    listed,
    percent,
    ranged,
    times,
)
from probes.kinds.table import PROBES
from probes.kinds.words import capital

MIND = "Mind how each was measured"
"""Where conditions differ, or are not known."""

UNDER_MYSQL = "Under MySQL, on throwaway servers"

LEVEL_LEGEND = "@4 measured with 4 threads, or page cleaners"

UNSURE = 1 / 3
"""A wider spread is not shown: the figure is called unsure (our choice)."""


def lead(found: Comparison) -> str:
    """Who is best in how many roles, by letter and name; where nobody is, why.

    What takes from that stands behind it.
    """
    judged = [role for role in found.roles if role.judged]
    if not judged:
        return nothing_usable(found.contenders) or f"No comparison: {_apart(found)}."
    won = Counter(role.winner for role in judged if role.winner is not None)
    best = capital(f"{_best(found, judged, won)}.{_doubts(found, judged)}") if won else ""
    text = best or tied(found, judged)
    return f"{text} {MIND}." if found.reasons else text


def _apart(found: Comparison) -> str:
    """Why no two of them are set against each other: load, threads, or other work; by letter."""
    for outcome, cause in (
        (RoleOutcome.LOADS_DIFFER, _loads_apart),
        (RoleOutcome.LEVELS_DIFFER, _levels_apart),
    ):
        role = next((each for each in found.roles if each.outcome is outcome), None)
        if role is not None:
            return cause(found, role)
    work = [
        f"{_called(found, at)} by {listed(done)}"
        for at in range(len(found.contenders))
        if (done := _work(found, at))
    ]
    return f"no two were measured alike, {listed(work)}" if work else "nothing was measured"


def _loads_apart(found: Comparison, role: RoleComparison) -> str:
    beside = [at for at, one in _present(role) if one.point.beside_server]
    idle = [at for at, one in _present(role) if not one.point.beside_server]
    who, others = (listed([_called(found, at) for at in each]) for each in (beside, idle))
    were = "was" if len(beside) == 1 else "were"
    return (
        f"{who} {were} measured beside a server's own load, {others} without one. "
        "Measure them alike"
    )


def _levels_apart(found: Comparison, role: RoleComparison) -> str:
    levels = [
        f"{_called(found, at)} with {counted(one.point.setting.threads, 'thread')}"
        for at, one in _present(role)
    ]
    return f"no number of threads was measured on all, {listed(levels)}: {role.subject}"


def _present(role: RoleComparison) -> list[tuple[int, Entry]]:
    return [(at, entry) for at, entry in enumerate(role.entries) if entry is not None]


def _work(found: Comparison, at: int) -> list[str]:
    """What was measured of one: ``random reads``."""
    probes = dict.fromkeys(point.setting.probe for point in found.contenders[at].usable)
    return [PROBES[probe].operations for probe in probes]


def _best(found: Comparison, judged: Sequence[RoleComparison], won: Counter[int]) -> str:
    """``of 5 roles: A (fast) is best in 4 (reads: 2.10× the next) and in 1 the best are ...``."""
    if len(judged) == 1:
        (winner,) = won
        only = f"the only role that can be judged: {judged[0].subject}"
        return f"{_called(found, winner)} is best in {only}{_ahead(judged, winner, named=False)}"
    parts = [
        f"{_called(found, at)} is best in {roles}{_ahead(judged, at)}"
        for at, roles in won.most_common()
    ]
    close = len(judged) - won.total()
    ties = [f"in {close} the best are too close to call"] if close else []
    roles = counted(len(found.roles), "role")
    few = f"{len(judged)} of {roles} can be judged" if len(judged) < len(found.roles) else ""
    return f"{few or f'of {roles}'}: {listed([*parts, *ties])}"


def _ahead(judged: Sequence[RoleComparison], winner: int, *, named: bool = True) -> str:
    """By how much it leads in the first role that it surely wins, else in the first."""
    wins = [role for role in judged if role.winner == winner]
    first = next((role for role in wins if role.sure), wins[0])
    if first.ahead is None:
        return ""
    return f" ({f'{first.subject}: ' if named else ''}{times(first.ahead.value)} the next)"


def _doubts(found: Comparison, judged: Sequence[RoleComparison]) -> str:
    """What takes from who is best: one disk for two, doubtful points, leads nobody knows well."""
    doubtful = sum(
        any(entry is not None and entry.doubtful for entry in role.entries) for role in judged
    )
    loose = sum(
        role.winner is not None and not (role.ahead and role.ahead.known) for role in judged
    )
    on = (
        (doubtful, "doubtful points"),
        (loose, "figures without intervals"),
    )
    return _same_disk(found) + "".join(
        f" {_so_many(count, judged)} on {what}." for count, what in on if count
    )


def _same_disk(found: Comparison) -> str:
    shared = any(reason.aspect == "same_disk" for reason in found.reasons)
    return " Some are on the same disk, where no difference is the drive's." if shared else ""


def _so_many(count: int, judged: Sequence[RoleComparison]) -> str:
    if len(judged) == 1:
        return "That rests"
    return f"{count} of these roles {'rests' if count == 1 else 'rest'}"


def in_labs(found: Comparison) -> list[str]:
    """What servers have done on these drives, in labs: a sentence each, the largest first."""
    largest = sorted(found.labs, key=lambda each: -abs(math.log(each.times.value)))
    return [
        f"{_called(found, each.other)} does {difference(each.times)} than "
        f"{_called(found, each.base)} with {counted(each.connections, 'connection')}: "
        f"{load_words(each.load)} (lab {each.run_id}, {each.on}"
        f"{'' if each.decided else '; not decided'})."
        for each in largest
    ]


def _called(found: Comparison, at: int) -> str:
    """``A (fast)``: within brackets a name has none of its own."""
    name = found.contenders[at].name.replace(" (", ", ").replace(")", "")
    return f"{LETTERS[at]} ({name})"


def tied(comparison: Comparison, judged: Sequence[RoleComparison]) -> str:
    """Where nobody is best alone: who leads together, and by how much the next is behind."""
    ahead = [role for role in judged if len(role.groups) > 1]
    if not ahead:
        close = f"In all {counted(len(judged), 'role')} the figures are too close to call."
        return f"{close}{_same_disk(comparison)}"
    first = ahead[0]
    leaders = set(first.groups[0].members)
    alike = sum(set(role.groups[0].members) == leaders for role in ahead)
    who = listed([LETTERS[at] for at in sorted(leaders)])
    behind = first.groups[1].behind
    slower = "" if behind is None else f": {times(behind.value)} the next"
    return (
        f"{who} tie for best in {alike} of {counted(len(judged), 'role')}; "
        f"{first.subject}{slower}{but(comparison, first)}."
    )


def but(comparison: Comparison, role: RoleComparison) -> str:
    """What takes from a verdict, where it must not be overlooked."""
    found = []
    if any(reason.aspect == "same_disk" for reason in comparison.reasons):
        found.append("some are on the same disk")
    if any(entry is not None and entry.doubtful for entry in role.entries):
        found.append("some of the points are doubtful")
    return f", but {' and '.join(found)}" if found else ""


def no_level(comparison: Comparison) -> str:
    """What is said of curves of one kind that have no number of threads in common."""
    return (
        f"no level was measured by {'both' if len(comparison.contenders) == 2 else 'two of them'}"
    )


def nothing_usable(contenders: Sequence[Contender]) -> str:
    """Why nothing is compared, in sentences; "" where every contender has a point to use."""
    sentences = [
        f"No comparison: of {one.name}, {_all(one.points)} rejected. {_sentence(one.doubt)}".strip()
        for one in rejected(contenders)
    ]
    return " ".join(sentences)


def _sentence(doubt: Doubt | None) -> str:
    return "" if doubt is None else sentence(doubt)


def _all(points: int) -> str:
    return "the only point was" if points == 1 else f"all {counted(points, 'point')} were"


def verdict(role: RoleComparison) -> str:
    """``A by 2.13× (2.05–2.21)``, ``too close to call``, or why there is none.

    Of more than two, who ties with whom: ``A and B tie, C 2.10× slower``.
    """
    if role.several:
        return standing(role.groups, LETTERS) or "not compared"
    match role.outcome:
        case RoleOutcome.WON if role.winner is not None and role.ahead is not None:
            unsure = "" if role.ahead.known else ", interval unknown"
            return f"{LETTERS[role.winner]} by {ratio_text(role.ahead)}{unsure}"
        case RoleOutcome.TOO_CLOSE if role.ahead is not None:
            return f"too close to call, {ratio_text(role.ahead)}"
        case RoleOutcome.LEVELS_DIFFER:
            return "not compared: other numbers of threads"
        case RoleOutcome.LOADS_DIFFER:
            return "not compared: one beside a load"
        case _:
            return UNKNOWN


def figure_text(role: RoleComparison, entry: Entry, per_s: str = "/s") -> str:
    """A contender's figure in a role with the mark of its trust: ``21.3 k/s?``."""
    text = rounded(entry.figure, saying(role)) + (per_s if role.unit is Unit.PER_S else "")
    return f"{text}{MARKS[entry.point.trust]}"


def saying(role: RoleComparison) -> Say:
    """How a role's figures are written in a narrow cell, without the unit of a rate."""
    return short if role.unit is Unit.PER_S else duration_us


def rounded(figure: Estimate, say: Say = short) -> str:
    """A figure with no digit that its interval denies."""
    return ranged(figure.value, figure.low, figure.high, say)[0]


def level_text(role: RoleComparison, entry: Entry) -> str:
    """`` @4``: with how many threads it was measured, where the role's title does not say it."""
    level = entry.point.setting.threads
    shown = role.title.endswith(f", {counted(level, 'thread')}") or role.unit is Unit.US
    return "" if shown else f" @{level}"


def levels_shown(roles: Iterable[RoleComparison]) -> bool:
    """Whether any of the figures has its level beside it."""
    return any(entry and level_text(role, entry) for role in roles for entry in role.entries)


def spread(figure: Estimate, say: Say = short) -> str:
    """``±2 %``; where that is wide ``(16–26k)``.

    What is less sure than a third is called unsure: its bounds are in the document.
    """
    if math.isnan(figure.spread):
        return ""
    if figure.spread > UNSURE:
        return " unsure"
    if is_narrow(figure.value, figure.low, figure.high):
        return f" ±{percent(figure.spread)}"
    _, low, high = ranged(figure.value, figure.low, figure.high, say)
    return f" ({low}–{high})"
