"""Which lab is asked for: where, which question, and under a load like which watch's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from advisor.case import Case
from advisor.forecasts.of_lab import forecasts_of
from advisor.forecasts.server.watched_load import watched_load
from advisor.runs.lab.request import LabRequest
from app.fields.lab import LabForm
from probes.targets.address import TargetSpec


@dataclass(frozen=True, slots=True)
class LabWish:
    """A target; ``case`` is its latest watch at work, which a load can be like, and its name."""

    target: TargetSpec
    case: Case | None = None
    called: str = ""

    def request(self, fields: Mapping[str, Any], *, like: bool) -> LabRequest:
        """The lab; ``like``: under a load like the watch's. Raises UsageError."""
        form = LabForm(**{name: value for name, value in fields.items() if value != ""})
        if not like or self.case is None:
            return form.request(self.target)
        request = form.request(self.target, watched_load(self.case, self.called))
        return replace(request, forecasting=partial(forecasts_of, self.case))
