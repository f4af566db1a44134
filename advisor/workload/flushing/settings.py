"""What a limit on flushing may be: round, and in a whole multiple of the plan beside it."""

from __future__ import annotations

import math

from advisor.model.server.round_figures import round_up
from advisor.variables.standing import Standing
from advisor.workload.flushing.load import LOWEST


def whole_multiple(wanted: float, base: float, most: float) -> int:
    """The highest whole multiple of ``base`` up to ``wanted``; twice it at least, within ``most``.

    Once it, where that is no more. InnoDB divides its upper limit by its plan as whole numbers.
    """
    many = max(1, int(wanted // base))
    return int((2 if many < 2 and 2 * base <= most else many) * base)


def with_limit(
    most: Standing | None, plan: int, within: float, wanted: float = math.inf
) -> tuple[tuple[Standing, str], ...]:
    """Give the upper limit, where it has to be another beside a plan that goes up to ``plan``.

    It becomes a whole multiple of that, as eager as before at least where that is ``within``, or as
    ``wanted`` where that is less.
    """
    if most is None:
        return ()
    kept = max(min(most.number, wanted), plan)
    limit = math.ceil(kept / plan) * plan
    if most.number < plan or limit > within:
        limit = whole_multiple(kept, plan, within)
    return () if limit == most.number else ((most, str(limit)),)


def round_setting(wanted: float) -> int:
    """A round setting that is at least ``wanted``, and that every server accepts."""
    return max(LOWEST, round_up(wanted))
