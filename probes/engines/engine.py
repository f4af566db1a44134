"""What every engine can do: measure the steps of a plan on one target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from probes.cancel import CancelToken
from probes.events import EngineEvent
from probes.mysql.work import MySQLWork
from probes.plans.plan import Plan
from probes.plans.spend.chooser import Chooser
from probes.points import Setting


class Engine(Protocol):
    """Measures on one target; one plan at a time."""

    @property
    def name(self) -> str:
        """``agent``, ``fio`` or ``sysbench``."""

    def refuses(self, setting: Setting) -> str:
        """Why this engine can't measure ``setting``, as a sentence; "" when it can."""

    def measure(
        self, plan: Plan, chooser: Chooser, *, mysql: MySQLWork | None, token: CancelToken
    ) -> Iterator[EngineEvent]:
        """Carry out the steps that ``chooser`` names, one after the other, until it names none.

        Raises Cancelled soon after ``token`` is raised, EngineFailed (AgentFailed of the agent)
        when the engine dies or falls silent, ConnectionLost when the way to it is cut, GuardTripped
        when a live server suffered, and the typed error of a fatal fault.
        """
