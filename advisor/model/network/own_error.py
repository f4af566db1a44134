"""How far a change's forecasts lie from what servers do, beyond what their figures leave open.

By kind of change, and the further the further it leads from the watched point. It is part of every
band of a watched server's forecast; `make bench SUBJECT=wild` says whether the bands hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class ChangeKind(StrEnum):
    """What is changed."""

    POOL_UP = "larger pool"
    POOL_DOWN = "smaller pool"
    REDO = "redo log"
    DOUBLEWRITE = "doublewrite"
    DURABILITY = "durability"
    IO_CAPACITY = "io_capacity"
    CONNECTIONS = "connections"
    PAGE_SIZE = "page size"


class OwnError(NamedTuple):
    """Standard deviations of the rate's logarithm: of any such change, and of each doubling."""

    any: float
    doubling: float = 0.0


OWN_ERRORS: Mapping[ChangeKind, OwnError] = {
    ChangeKind.POOL_UP: OwnError(0.10, 0.05),
    ChangeKind.POOL_DOWN: OwnError(0.09, 0.03),
    ChangeKind.REDO: OwnError(0.14, 0.02),
    ChangeKind.DOUBLEWRITE: OwnError(0.15),
    ChangeKind.DURABILITY: OwnError(0.15),
    ChangeKind.IO_CAPACITY: OwnError(0.10, 0.02),
    ChangeKind.CONNECTIONS: OwnError(0.0, 0.12),
    ChangeKind.PAGE_SIZE: OwnError(0.12, 0.04),
}
"""By the choosing half of the wild bench: with these nine of ten of its bands hold, of each kind.

What was measured there is itself off by some 9 % (two equal servers are that far apart), which is
in these figures. Page sizes are our choice: no server can be watched with one and asked for
another on the same data."""


def own_error(kind: ChangeKind, factor: float = 1.0) -> float:
    """The standard deviation of the logarithm of the rate after a change by ``factor``.

    Each doubling errs apart from the others, so that their errors add up as squares.
    """
    error = OWN_ERRORS[kind]
    return math.hypot(error.any, error.doubling * math.sqrt(abs(math.log2(factor))))
