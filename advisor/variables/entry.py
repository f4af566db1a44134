"""What is known of one variable, by flavour and version."""

from __future__ import annotations

from dataclasses import dataclass

from probes.version import Flavour, ServerVersion


@dataclass(frozen=True, slots=True)
class Span:
    """One setting in the versions ``since <= version < before`` of one flavour.

    ``default`` is None where it depends on the machine; ``low`` and ``high`` bound a number.
    """

    flavour: Flavour
    since: tuple[int, ...]
    before: tuple[int, ...] = (999,)
    default: str | None = None
    dynamic: bool = False
    low: int | None = None
    high: int | None = None

    def covers(self, version: ServerVersion) -> bool:
        """Whether ``version`` lies in the span."""
        return version.at_least(self.flavour, *self.since) and version.before(
            self.flavour, *self.before
        )
