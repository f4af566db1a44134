"""Paths on this computer as users type them."""

from __future__ import annotations

from pathlib import Path

from probes.errors import UsageError


def typed_path(text: str) -> Path:
    """The path, ``~`` and ``~name`` in front spelled out; raises UsageError for an unknown one."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        home = text.partition("/")[0]
        raise UsageError(
            f"{text} can't be found: nobody here has the home directory {home}.",
            "Write the path in full, from / on.",
        ) from error
