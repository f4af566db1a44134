"""What shall be tried: a target and a change, as advice has it or as somebody types it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from advisor.runs.trial.request import TrialRequest
from advisor.trial.advised import AdvisedValues
from app.fields.trial import TrialForm
from app.runtime.translation import tr
from probes.errors import UsageError
from probes.targets.address import TargetSpec


@dataclass(frozen=True, slots=True)
class TrialWish:
    """A target, and what a rule advises for it; None where the user names the change."""

    target: TargetSpec
    advised: AdvisedValues | None = field(default=None)

    @property
    def typed(self) -> str:
        """The change as it would be typed: ``innodb_io_capacity=1000``."""
        if self.advised is None:
            return ""
        return ", ".join(f"{name}={value}" for name, value in self.advised.values.items())

    def request(self, typed: str, fields: Mapping[str, Any]) -> TrialRequest:
        """The trial; what was typed otherwise is no rule's advice. Raises UsageError."""
        given = {name: value for name, value in fields.items() if value != ""}
        form = TrialForm(**given | {"replicas": replicas_of(fields)})
        if self.advised is not None and typed.strip() == self.typed:
            advised = self.advised
            return replace(form, rule=advised.rule).request(
                self.target, advised.values, advised.forecast
            )
        values = _listed(typed)
        if not values:
            raise UsageError(tr("A trial tries something."), tr("Name a setting and its value."))
        return replace(form, values=values).request(self.target)


def replicas_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The replicas whose lag is to be guarded, as they are named."""
    return _listed(str(fields.get("replicas", "")))


def _listed(typed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in typed.split(",") if part.strip())
