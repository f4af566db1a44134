"""What a front asks of a use case."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.run import RunKind
from probes.cancel import CancelToken
from probes.kinds.kind import CHECK_KINDS, DECIDING_KINDS, Kind
from probes.plans.plan import PlanName
from probes.plans.wishes import Wishes
from probes.targets.address import TargetSpec

NO_TABLE = "-"
"""``table`` when the server's tables shall not be read."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """One press of the button.

    ``sandbox`` measures a private throwaway server beside the probe directory. ``window_s`` is the
    distance of the two status samples. ``table`` ("schema.table") is what point selects read on a
    running server: "" takes the largest that fits, ``NO_TABLE`` none. ``start_anyway`` does not
    wait for the end of another run that measures the same drive. ``trace`` is as in WatchRequest.
    """

    target: TargetSpec
    plan: PlanName = PlanName.QUICK
    sandbox: bool = False
    window_s: float = 10.0
    table: str = ""
    wishes: Wishes = field(default_factory=Wishes)
    start_anyway: bool = False
    trace: bool = True

    @property
    def run_kind(self) -> RunKind:
        """What the run is kept as."""
        return RunKind.CHECK

    @property
    def kinds(self) -> frozenset[Kind]:
        """All that rules need; mixtures where what settles most is chosen."""
        return DECIDING_KINDS if self.wishes.deciding else CHECK_KINDS

    @property
    def own_schema(self) -> bool:
        """A check never writes to a server."""
        return False


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """Chosen probes alone.

    ``own_schema`` is the user's consent to a schema of Leadline's own on the running server, for
    the time of the run; updates need it, or ``sandbox``. The rest is as in CheckRequest.
    """

    target: TargetSpec
    kinds: frozenset[Kind]
    plan: PlanName = PlanName.QUICK
    wishes: Wishes = field(default_factory=Wishes)
    sandbox: bool = False
    own_schema: bool = False
    table: str = ""
    window_s: float = 0.0
    start_anyway: bool = False
    trace: bool = True

    @property
    def run_kind(self) -> RunKind:
        """What the run is kept as."""
        return RunKind.PROBE


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """A look at a running server without any load of ours; ``window_s`` is how long.

    ``trace``: the kernel traces the server's calls and the disks' requests, where the account may,
    or ``sudo -n`` does it for a target that allows that. Once ``enough`` is raised the watch ends
    with what it has seen, which is kept.
    """

    target: TargetSpec
    window_s: float = 30.0
    trace: bool = True
    enough: CancelToken = field(default_factory=CancelToken, compare=False)

    @property
    def run_kind(self) -> RunKind:
        """What the run is kept as."""
        return RunKind.WATCH


Request = CheckRequest | ProbeRequest
