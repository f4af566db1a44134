"""What is asked of a server's texts; what reads them is loaded with the first that come."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from probes.texts.typed import Typed

SERVER = "server texts"
"""The kind of what came as the texts of a server."""


@dataclass(frozen=True, slots=True)
class ServerTexts:
    """Files, folders and archives of one server, what was ``pasted``, and what is said beside."""

    name: str
    files: tuple[Path, ...] = ()
    pasted: str = ""
    typed: Typed = field(default_factory=Typed)
