"""The agents that ship inside the package, one for each processor that a target may have."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from importlib.resources import as_file, files
from pathlib import Path

from probes.errors import AgentFailed

ARCHITECTURES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
"""What ``uname -m`` says, and the name of the agent that fits."""


def agent_file(system: str, machine: str, where: str) -> AbstractContextManager[Path]:
    """The agent for a system as ``uname -s`` and ``uname -m`` name it, as a file of this computer.

    ``where`` names the target in the sentence of the AgentFailed that is raised when none fits.
    """
    architecture = ARCHITECTURES.get(machine.lower())
    if system.lower() != "linux" or architecture is None:
        raise AgentFailed(
            f"{where} runs {system} on {machine}; the agent measures Linux on x86-64 and arm64.",
            "Measure a Linux server over SSH instead.",
        )
    resource = files("resources") / "agents" / f"leadline-agent-linux-{architecture}"
    if not resource.is_file():
        raise AgentFailed(
            f"This Leadline was built without its agent for linux/{architecture}.",
            "Install it again; from a source tree run `make agent`.",
        )
    return as_file(resource)


def sha256(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
