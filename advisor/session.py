"""The use cases that both fronts call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.events import CheckEvent, ConnectionReport
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.plans.plan import PlanName
from probes.targets.address import Prompts, TargetSpec


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """One press of the button.

    ``sandbox`` measures a private throwaway server beside the probe directory. ``window_s`` is the
    distance of the two status samples.
    """

    target: TargetSpec
    plan: PlanName = PlanName.QUICK
    sandbox: bool = False
    window_s: float = 10.0


def check(
    store: Store, request: CheckRequest, prompts: Prompts, token: CancelToken
) -> Iterator[CheckEvent]:
    """Inventory, measure and judge a target; the last event is ``Finished``.

    What arrived before a cancel, a fault or a closed generator stays in the store with the run's
    state. Raises LeadlineError; ``Cancelled`` when ``token`` was raised.
    """
    raise NotImplementedError


def preview(request: CheckRequest, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
    """Connect and make the plan without starting it; ends with ``PlanMade``."""
    raise NotImplementedError


def look(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
    """Take the inventory alone, with no status window; ends with ``InventoryTaken``."""
    raise NotImplementedError


def test_connection(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> ConnectionReport:
    """Connect as a check would and say what was found; raises LeadlineError."""
    raise NotImplementedError
