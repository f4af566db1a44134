"""What all forms say of a comparison that nobody wins alone, and what takes from a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.compare.comparison import LETTERS, Comparison
from advisor.compare.contender import Contender
from advisor.compare.rejected import rejected
from advisor.compare.roles import RoleComparison
from advisor.wording.measured.doubts import sentence
from probes.doubts import Doubt
from probes.figures import counted, listed, times


def tied(comparison: Comparison, judged: Sequence[RoleComparison]) -> str:
    """Where nobody is best alone: who leads together, and by how much the next is behind."""
    ahead = [role for role in judged if len(role.groups) > 1]
    if not ahead:
        return f"In all {counted(len(judged), 'role')} the figures are too close to call."
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
    said = [
        f"No comparison: of {one.name}, {_all(one.points)} rejected. {_said(one.doubt)}".strip()
        for one in rejected(contenders)
    ]
    return " ".join(said)


def _said(doubt: Doubt | None) -> str:
    return "" if doubt is None else sentence(doubt)


def _all(points: int) -> str:
    return "the only point was" if points == 1 else f"all {counted(points, 'point')} were"
