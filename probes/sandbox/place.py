"""The private directories of a throwaway server, and removing what is Leadline's own."""

from __future__ import annotations

from dataclasses import dataclass

from probes.targets.target import Target

PREFIX = ".leadline-"
"""Starts the name of every directory that Leadline makes; the guard removes no other."""

SHORT_PLACES = ("/run", "/tmp")  # noqa: S108 - a fresh directory of mode 0700 is made in it
"""Where a socket goes when the probe directory has too long a path for one."""


@dataclass(frozen=True, slots=True)
class SandboxPlace:
    """Absolute paths on the target. ``owned`` are the directories to remove afterwards."""

    directory: str
    socket: str
    owned: tuple[str, ...]

    @property
    def data(self) -> str:
        """The server's data directory."""
        return f"{self.directory}/data"

    @property
    def temporary(self) -> str:
        """The server's directory for temporary files."""
        return f"{self.directory}/temporary"


def remove(target: Target, *directories: str) -> None:
    """Remove directories that Leadline made, with all that is in them. Raises TargetError."""
    ours = [path for path in directories if path.rpartition("/")[2].startswith(PREFIX)]
    if ours:
        target.run(["rm", "-rf", "--", *ours])
