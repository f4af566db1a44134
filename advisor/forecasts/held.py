"""A forecast held against what was measured."""

from __future__ import annotations

from dataclasses import dataclass

from probes.ranges import Range


@dataclass(frozen=True, slots=True)
class Held:
    """The forecast of one measured figure; both are operations per second."""

    threads: int
    """Connections, in the forecast as in the measurement."""
    measured_per_s: float
    forecast_per_s: Range

    @property
    def error(self) -> float:
        """How far the forecast is above (below 0: below) the measurement, as a share of it."""
        return self.forecast_per_s.value / self.measured_per_s - 1

    @property
    def inside(self) -> bool:
        """Whether the measurement lies in the forecast's band."""
        return self.measured_per_s in self.forecast_per_s
