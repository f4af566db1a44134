"""Contenders side by side: curves of one kind, who wins in which role, and what forbids to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from types import MappingProxyType
from typing import TYPE_CHECKING

from advisor.compare.contender import Contender
from advisor.compare.matching import CurveKind, Matched, by_kind, matched
from advisor.compare.reasons import Reason, reasons
from advisor.compare.roles import RoleComparison, roles
from advisor.compare.tails import longer_tails
from probes.errors import UsageError
from probes.points import Curve

if TYPE_CHECKING:
    from advisor.compare.under_mysql import DrivesInLab

MOST = 12
"""More curves than this can't be distinguished in one picture, nor rows in one table."""

LETTERS = ascii_uppercase
"""What contenders are called in sentences and tables, by their place."""

NO_PRICES: Mapping[str, float] = MappingProxyType({})


def lettered(at: int, name: str) -> str:
    """``B: fast``: a contender with its letter, by its place."""
    return f"{LETTERS[at]}: {name}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every tuple of entries, points, curves and ratios has one place for each contender.

    So has ``prices``: what each costs, in any one unit, None where nobody gave a price. ``labs`` is
    what servers have done on these drives.
    """

    contenders: tuple[Contender, ...]
    roles: tuple[RoleComparison, ...]
    matched: tuple[Matched, ...]
    reasons: tuple[Reason, ...]
    prices: tuple[float | None, ...] = ()
    labs: tuple[DrivesInLab, ...] = ()

    @property
    def priced(self) -> bool:
        """Whether the price of any is known."""
        return any(price is not None for price in self.prices)

    def price_per_thousand(self, role: RoleComparison, index: int) -> float | None:
        """What 1,000 operations per second of a role cost with a contender; None if unknown."""
        price, entry = self.prices[index], role.entries[index]
        if price is None or entry is None or not entry.point.rate_per_s > 0:
            return None
        return price / entry.point.rate_per_s * 1000


def compare(
    contenders: Sequence[Contender],
    prices: Mapping[str, float] = NO_PRICES,
    labs: tuple[DrivesInLab, ...] = (),
) -> Comparison:
    """Compare two to twelve contenders; raises UsageError for fewer or more. Pure.

    ``prices`` are by the contenders' keys.
    """
    check_number(contenders)
    sides = [by_kind(each) for each in contenders]
    alike = matched(sides)
    return Comparison(
        tuple(contenders),
        roles(sides),
        alike,
        _reasons(contenders, sides, alike),
        tuple(prices.get(each.key) for each in contenders),
        labs,
    )


def lettered_reasons(comparison: Comparison) -> tuple[Reason, ...]:
    """What forbids to compare, with letters for names: for whoever has these beside them."""
    called = [
        replace(each, name=letter)
        for letter, each in zip(LETTERS, comparison.contenders, strict=False)
    ]
    return _reasons(called, [by_kind(each) for each in called], comparison.matched)


def _reasons(
    contenders: Sequence[Contender],
    sides: Sequence[Mapping[CurveKind, Curve]],
    alike: Sequence[Matched],
) -> tuple[Reason, ...]:
    crossed = longer_tails(alike, [each.name for each in contenders])
    return (
        *reasons(contenders, sides),
        *(Reason("tail_latency", sentence) for sentence in crossed),
    )


def check_number(contenders: Sequence[Contender]) -> None:
    """Raise UsageError where there are fewer than two contenders, or more than ``MOST``."""
    if len(contenders) < 2:
        raise UsageError(
            f"{len(contenders)} can't be compared.", f"Name two to {MOST} runs or references."
        )
    if len(contenders) > MOST:
        raise UsageError(
            f"{len(contenders)} can't be compared: {MOST} at most fit into one comparison.",
            "Leave some out, or compare them in parts that share the best one.",
        )
