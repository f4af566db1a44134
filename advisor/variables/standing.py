"""A server variable as it stands on one server."""

from __future__ import annotations

from dataclasses import dataclass

from probes.inventory.facts import COMMAND_LINE, PERSISTED, Variable


@dataclass(frozen=True, slots=True)
class Standing(Variable):
    """A setting as it stands.

    ``default`` marks the version's default in place of a server's own value: the server that was
    looked at was Leadline's throwaway one, whose settings are not the user's.
    """

    default: bool = False

    @property
    def is_stated(self) -> bool:
        """Whether somebody has set it, in a file or on the command line: it stays at a start."""
        return self.origin.startswith("/") or self.origin in {COMMAND_LINE, PERSISTED}

    @property
    def now(self) -> str:
        """The user's present value, "" when there is no server of theirs."""
        return "" if self.default else self.value

    @property
    def number(self) -> float:
        """The value as a number; raises ValueError when it is none."""
        return float(self.value)

    @property
    def on(self) -> bool:
        """Whether the value says yes."""
        return self.value.upper() in {"ON", "1", "YES"}
