"""What real servers showed of themselves."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.defaults import Machine, default
from probes.version import ServerVersion

SERVERS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("servers.toml").read_text(encoding="utf-8")
)

MACHINE = Machine(cpus=2, memory_bytes=23 << 30, open_files=20_000)
"""What the recorded servers ran on."""


def version_of(server: str) -> str:
    return str(SERVERS[server]["version"])


def variables_of(server: str) -> dict[str, str]:
    return {name: row["value"] for name, row in SERVERS[server].items() if name != "version"}


def all_variables_of(server: str) -> dict[str, str]:
    """All variables that Leadline knows of, at the server's defaults on the recorded machine."""
    version = ServerVersion.parse(version_of(server))
    shown: dict[str, str] = {}
    for name in SETTINGS:
        value = default(version, name, MACHINE, shown) if span(version, name) else None
        if value is not None:
            shown[name] = value
    return shown | variables_of(server)
