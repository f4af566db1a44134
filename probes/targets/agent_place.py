"""Bringing the agent and the load program to a target, and taking them away whatever happens."""

from __future__ import annotations

import os
import re
import time
from contextlib import ExitStack
from pathlib import Path

from probes.boundary.malformed import shown
from probes.cancel import CancelToken
from probes.errors import AgentFailed
from probes.targets.agent_file import AGENT, LOAD_PROGRAM, program_file, program_name, sha256
from probes.targets.target import Stream, Target

_MODE = 0o700
_CHECKSUM = re.compile(rb"\b[0-9a-f]{64}\b")
_READY_S = 15.0
_STEP_S = 0.5
_CALLED = {AGENT: "The agent", LOAD_PROGRAM: "The load program"}

# The shell stays until its standard input closes, which a cut connection or a killed Leadline does
# too, and then removes what it made. Signals are ignored because a session's end may send some.
# A script shows whether a place is mounted noexec before megabytes travel there.
_KEEP_PLACE = """
trap '' HUP INT TERM PIPE
umask 077
for place in "$XDG_RUNTIME_DIR" /tmp /var/tmp "$HOME"; do
  [ -n "$place" ] && [ -d "$place" ] && [ -w "$place" ] || continue
  made=$(mktemp -d "$place/.leadline-XXXXXXXX" 2>/dev/null) || continue
  printf '#!/bin/sh\\nexit 0\\n' > "$made/try" && chmod 700 "$made/try"
  if "$made/try" 2>/dev/null; then
    rm -f "$made/try"
    printf '%s\\n' "$made"
    cat > /dev/null
    rm -rf -- "$made"
    exit 0
  fi
  rm -rf -- "$made"
done
exit 1
"""


class AgentPlace:
    """Our programs on one target; each is brought at most once. ``close`` leaves nothing behind."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._kept = ExitStack()
        self._paths: dict[str, str] = {}
        self._directory = ""

    def path(self, program: str = AGENT) -> str:
        """Where a program is, ready to run. Raises AgentFailed and TargetError."""
        if program not in self._paths:
            text = self._target.run(["uname", "-sm"]).stdout.decode("ascii", "replace")
            system = shown(text.strip()) if text.strip() else ""
            name = program_name(program, system, self._target.name)
            with program_file(name) as file:
                self._paths[program] = self._in_place(file) or self._copied(file, program)
        return self._paths[program]

    def close(self) -> None:
        """Remove what was brought."""
        self._paths.clear()
        self._directory = ""
        self._kept.close()

    def _in_place(self, file: Path) -> str:
        """The shipped file itself where it runs as it is; installers may lose its mode."""
        path = str(file)
        # A file that was unpacked for a moment only would be gone at its use.
        lasting = self._target.is_local and file.parent.name == "agents" and not _is_mounted(file)
        return path if lasting and self._runs(path) else ""

    def _copied(self, file: Path, program: str) -> str:
        self._directory = self._directory or self._kept_directory()
        path = f"{self._directory}/{program}"
        self._target.put_file(file, path, _MODE)
        arrived = self._checksum(path)
        if arrived != sha256(file.read_bytes()):
            raise AgentFailed(
                f"{_CALLED[program]} was damaged on its way to {self._target.name}.",
                "Try again; look at the target's free space and at the network.",
                details=f"the checksum of what arrived is {arrived}",
            )
        if not self._runs(path):
            raise AgentFailed(
                f"{_CALLED[program]} does not run on {self._target.name}.",
                "Does a security policy forbid programs in temporary directories?",
                details=path,
            )
        return path

    def _kept_directory(self) -> str:
        """A fresh private directory where programs may run."""
        keeping = self._target.stream(["sh", "-c", _KEEP_PLACE], token=CancelToken())
        stream = self._kept.enter_context(keeping)
        line = _first_line(stream)
        if not line:
            raise AgentFailed(
                f"No directory on {self._target.name} lets a program be put there and run.",
                "One of $XDG_RUNTIME_DIR, /tmp, /var/tmp and the home directory must be "
                "writable and not mounted noexec.",
            )
        return line.decode("utf-8", "surrogateescape")

    def _runs(self, path: str) -> bool:
        return self._target.run([path, "version"]).status == 0

    def _checksum(self, path: str) -> str:
        result = self._target.run(["sha256sum", "--", path])
        if result.status == 0:
            found = _CHECKSUM.search(result.stdout)
            return found[0].decode("ascii") if found else "missing"
        return sha256(self._target.read_file(path, limit_bytes=1 << 30))


def _is_mounted(file: Path) -> bool:
    """Whether an AppImage has mounted it, for this account alone: sudo could not run it."""
    mounted = os.environ.get("APPDIR", "")
    return bool(mounted) and file.is_relative_to(mounted)


def _first_line(stream: Stream) -> bytes | None:
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        line = stream.read_line(_STEP_S)
        if line != b"":
            return line
    return None
