"""What a front asks of the lab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from advisor.lab.asked import Asked
from probes.targets.address import TargetSpec
from probes.version import ServerVersion

Asking = Callable[[Sequence[ServerVersion]], Asked]
"""Makes the question once the target's server programs are known."""


@dataclass(frozen=True, slots=True)
class LabRequest:
    """One lab on a target. ``asking`` makes its question.

    ``servers`` are commands of server programs on the target (() finds one), ``directories`` where
    data lies (() the target's own). ``start_anyway`` does not wait for another run that uses the
    drive. ``seed`` orders the turns.
    """

    target: TargetSpec
    asking: Asking
    servers: tuple[tuple[str, ...], ...] = ()
    directories: tuple[str, ...] = ()
    start_anyway: bool = False
    seed: int = field(default=1)
