"""What whoever mends a fault asks for first: versions, places, and what was logged."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from app.runtime.commit import version
from probes.figures import counted
from probes.redaction import cleaned

NOTHING = "Nothing logged."


def diagnostics(home: Path | None, shown: str, runs: int, targets: int, log: Sequence[str]) -> str:
    """One text to copy: no secret, no name of a target, and ~ for the account's own folder.

    ``shown`` says with what the window is drawn.
    """
    place = "none" if home is None else str(home).replace(str(Path.home()), "~", 1)
    lines = [
        f"Leadline {version(asking=False)}",
        f"Python {sys.version.split()[0]}, {shown}",
        f"{platform.system()} {platform.release()}, {platform.machine()}",
        f"Home: {place}",
        f"{counted(targets, 'target')}, {counted(runs, 'run')}",
        "",
        *(log or [NOTHING]),
    ]
    return cleaned("\n".join(lines))
