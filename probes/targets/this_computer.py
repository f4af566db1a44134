"""Which system Leadline itself runs on, and what can be measured from there."""

from __future__ import annotations

import platform
import sys

from probes.errors import TargetError, UsageError

_NAMES = {"Darwin": "macOS"}


def system_name() -> str:
    """What this computer runs, as people call it: "Linux", "Windows", "macOS"."""
    name = platform.system()
    return _NAMES.get(name, name) or "an unknown system"


def runs_agents() -> bool:
    """Whether the agent, which is built for Linux, could run on this computer."""
    return sys.platform.startswith("linux")


def require_measurable() -> None:
    """Raises TargetError where this computer can't be a target."""
    if not runs_agents():
        raise TargetError(
            f"This computer runs {system_name()}, and Leadline measures Linux machines alone.",
            "Name one behind SSH (ssh://user@host), or a MySQL server (mysql://user@host).",
        )


def require_lookups() -> None:
    """Raises UsageError where a server's lookups can't be timed from this computer."""
    if not runs_agents():
        raise UsageError(
            f"This computer runs {system_name()}, and the agent that times a server's lookups runs"
            " on Linux alone.",
            "Judge the server without load (--no-load), watch it, or start Leadline on a Linux"
            " machine near it.",
        )
