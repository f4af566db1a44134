"""A MariaDB in a real container of podman, made of this machine's own files without a copy."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers.mariadb import MariaDB, private_mariadb

_OPTIONS = (
    # crun refuses hybrid control groups, and limits above this machine's own.
    *("--runtime", "runc", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"),
    *("--network", "host", "--log-driver", "none"),
)
MEMORY_BYTES, CPUS, HOSTNAME = 768 << 20, 1.5, "llbox"
"""What the container is limited to, and what it calls its machine."""


@dataclass(frozen=True)
class Contained:
    """A running container and the server in it; ``server.socket`` has one path in and out."""

    name: str
    server: MariaDB

    @property
    def address(self) -> str:
        """How a target names it."""
        return f"podman://{self.name}"

    @property
    def mysql(self) -> str:
        """What ``--mysql`` says of its server."""
        return f"socket={self.server.socket}"


def podman(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run podman; skips the test where there is none."""
    program = shutil.which("podman")
    if program is None:
        pytest.skip("there is no podman here")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@contextmanager
def contained_by_podman(name: str) -> Iterator[Contained]:
    """Start it; skips the test where podman can make no container here."""
    tried = podman("run", "--rm", *_OPTIONS, "--rootfs", "/:O", "true")
    if tried.returncode != 0:
        pytest.skip(f"podman makes no container here: {tried.stderr.strip()[-200:]}")

    def command(directory: Path, argv: Sequence[str]) -> list[str]:
        limits = ["--memory", str(MEMORY_BYTES), "--cpus", str(CPUS), "--hostname", HOSTNAME]
        given = ["--env", "MARIADB_ROOT_PASSWORD=not kept", "--volume", f"{directory}:{directory}"]
        run = ["podman", "run", "--rm", "--name", name, *_OPTIONS, *limits, *given]
        return [*run, "--rootfs", "/:O", *argv]

    try:
        with private_mariadb(command=command) as server:
            yield Contained(name, server)
    finally:
        podman("rm", "--force", "--time", "0", name)


def inspected(name: str) -> dict[str, object]:
    """What podman itself says of a container."""
    (found,) = json.loads(podman("container", "inspect", name).stdout)
    assert isinstance(found, dict)
    return found
