"""What a front asks of a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from advisor.runs.trial.events import TrialPlanned
from advisor.trial.record import TrialAsked
from probes.statistics.ranges import Range
from probes.targets.address import TargetSpec
from probes.trial.guard import GuardBeat
from probes.trial.settings import TriedSetting
from probes.version import ServerVersion

Consent = Callable[[TrialPlanned], bool]
"""Shows what will be done and returns whether a person wants that; nothing is set before."""

WATCH_S = 30.0
"""How long the server is looked at before: its noise sets the blocks, and the guard's limits."""

GuardHeard = Callable[[GuardBeat], None]


def _unheard(_beat: GuardBeat) -> None:
    """Where nobody shows it."""


LOOK_TIMES = 4
"""A change that is made once is looked at for that many times as long (our choice)."""


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """One trial on a target. ``wished`` are values by setting, in the order that was typed.

    ``worth`` is the least difference that is worth keeping, as a share. ``rule`` is whose advice it
    is and ``forecast`` how many times faster statements were forecast to be; "" and None without.
    ``persist``: where it is kept, the server keeps it for its next start, too. ``seed`` orders the
    blocks; ``watch_s`` is how long the server is looked at before. ``restart``: a person makes the
    change by a restart, and nothing is set. ``replicas`` are servers whose lag is guarded.
    ``heard`` gets what the guard sees, once a second, in the trial's own thread.
    """

    target: TargetSpec
    wished: Mapping[str, str] = field(default_factory=dict)
    budget_s: float = 900.0
    worth: float = 0.0
    rule: str = ""
    forecast: Range | None = None
    persist: bool = False
    seed: int = 1
    watch_s: float = WATCH_S
    restart: bool = False
    replicas: tuple[TargetSpec, ...] = ()
    heard: GuardHeard = field(default=_unheard, compare=False)

    def asked_of(self, settings: tuple[TriedSetting, ...], version: ServerVersion) -> TrialAsked:
        """What is kept of it: of a server of this version, the settings that are tried there."""
        return TrialAsked(
            settings, version.text, self.budget_s, self.worth, self.rule, self.forecast
        )

    @property
    def look_s(self) -> float:
        """How long a change that is made once is looked at, before and after."""
        return LOOK_TIMES * self.watch_s
