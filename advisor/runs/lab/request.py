"""What a front asks of the lab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.lab.asked import Asked
from probes.statistics.ranges import Range
from probes.targets.address import TargetSpec
from probes.version import ServerVersion

Forecasting = Callable[[Asked], Mapping[str, Range]]
"""What the model expects of variants, as times the base's rate, before any of them is tried."""

Asking = Callable[[Sequence[ServerVersion]], Asked]
"""Makes the question once the target's server programs are known."""


@dataclass(frozen=True, slots=True)
class LabRequest:
    """One lab on a target. ``asking`` makes its question.

    ``servers`` are commands of server programs on the target (() finds one), ``directories`` where
    data lies (() the target's own). ``start_anyway`` does not wait for another run that uses the
    drive. ``seed`` orders the turns. ``forecasting`` is asked before them.
    """

    target: TargetSpec
    asking: Asking
    servers: tuple[tuple[str, ...], ...] = ()
    directories: tuple[str, ...] = ()
    start_anyway: bool = False
    seed: int = field(default=1)
    forecasting: Forecasting | None = None
