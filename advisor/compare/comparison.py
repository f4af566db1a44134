"""Contenders side by side: curves of one kind, who wins in which role, and what forbids to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.compare.contender import Contender
from advisor.compare.matching import Matched, by_kind, matched
from advisor.compare.reasons import Reason, reasons
from advisor.compare.roles import RoleComparison, roles
from advisor.compare.tails import longer_tails
from probes.errors import UsageError

MOST = 6
"""More curves than this can't be told apart in one picture."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every tuple of entries, points, curves and ratios has one place for each contender."""

    contenders: tuple[Contender, ...]
    roles: tuple[RoleComparison, ...]
    matched: tuple[Matched, ...]
    reasons: tuple[Reason, ...]


def compare(contenders: Sequence[Contender]) -> Comparison:
    """Compare two to six contenders; raises UsageError for fewer or more. Pure."""
    if not 2 <= len(contenders) <= MOST:
        raise UsageError(
            f"{len(contenders)} can't be compared.", f"Name two to {MOST} runs or references."
        )
    sides = [by_kind(each) for each in contenders]
    alike = matched(sides)
    names = [each.name for each in contenders]
    crossed = (Reason("tail_latency", sentence) for sentence in longer_tails(alike, names))
    return Comparison(
        tuple(contenders), roles(sides), alike, (*reasons(contenders, sides), *crossed)
    )
