"""The built programs that ship with Leadline: the agent, and the lab's load program."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from probes.architecture import in_go
from probes.errors import AgentFailed

_BUILT = frozenset({"amd64", "arm64"})
_SUMS = "SHA256SUMS"

AGENT, LOAD_PROGRAM = "leadline-agent", "leadline-load"


def program_name(program: str, system: str, target_name: str) -> str:
    """The file's name for what ``uname -sm`` says; raises AgentFailed where none was built."""
    words = system.split()
    if len(words) != 2 or words[0] != "Linux":
        raise AgentFailed(
            f"The agent runs on Linux alone; {target_name} is {system or 'another system'}.",
            "Measure a Linux target over SSH, or a MySQL server over the network.",
        )
    architecture = in_go(words[1])
    if architecture not in _BUILT:
        raise AgentFailed(
            f"There is no agent for the processor of {target_name} ({words[1]}).",
            "Agents are built for x86-64 and 64-bit Arm.",
        )
    return f"{program}-linux-{architecture}"


@contextmanager
def program_file(name: str) -> Iterator[Path]:
    """A shipped program as a file for the length of the context.

    Raises AgentFailed when it is missing, or is not the one that was built.
    """
    folder = resources.files("resources").joinpath("agents")
    built = folder.joinpath(name)
    if not built.is_file():
        raise AgentFailed(
            f"This copy of Leadline holds no {name}.",
            "Run 'make agent' in a source tree, or reinstall the package.",
        )
    _check(folder, name, sha256(built.read_bytes()))
    with resources.as_file(built) as path:
        yield path


def sha256(content: bytes) -> str:
    """The checksum in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _check(folder: Traversable, name: str, checksum: str) -> None:
    sums = folder.joinpath(_SUMS)
    if not sums.is_file():
        return
    lines = (line.split() for line in sums.read_text(encoding="ascii").splitlines())
    expected = {words[1].lstrip("*"): words[0] for words in lines if len(words) == 2}
    if expected.get(name) != checksum:
        raise AgentFailed(
            f"{name} in this copy of Leadline is damaged: its checksum is not the built one's.",
            "Run 'make agent' in a source tree, or reinstall the package.",
            details=f"expected {expected.get(name, 'none')}, found {checksum}",
        )
