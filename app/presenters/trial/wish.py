"""What shall be tried: a target and a change, as advice has it or as somebody types it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
        form = TrialForm(**{name: value for name, value in fields.items() if value != ""})
        if self.advised is not None and typed.strip() == self.typed:
            advised = self.advised
            return TrialForm(
                rule=advised.rule, budget=form.budget, worth=form.worth, persist=form.persist
            ).request(self.target, advised.values, advised.forecast)
        values = tuple(part.strip() for part in typed.split(",") if part.strip())
        if not values:
            raise UsageError(tr("A trial tries something."), tr("Name a setting and its value."))
        return TrialForm(
            values=values, budget=form.budget, worth=form.worth, persist=form.persist
        ).request(self.target)
