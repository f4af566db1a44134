"""What a person says beside a server's texts."""

from __future__ import annotations

from dataclasses import dataclass, field

from probes.targets.address import StatedMachine


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person says beside the texts: the version, the machine, how far two statuses lie."""

    version: str = ""
    machine: StatedMachine = field(default_factory=StatedMachine)
    apart_s: float | None = None
