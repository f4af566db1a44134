"""Results into a file: the whole of it or nothing."""

from __future__ import annotations

import os
from pathlib import Path

from probes.errors import LeadlineError, UsageError


def check_writable(path: Path) -> None:
    """Make sure of the file before minutes are spent on what goes into it; raises UsageError."""
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise UsageError(f"{path} is a directory.", "Name a file with -o.")
        return
    beside = _beside(path)
    try:
        beside.touch()
        beside.unlink()
    except OSError as error:
        raise UsageError(
            f"{path} can't be written ({error.strerror}).", "Name another file with -o."
        ) from error


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader finds the old one or the new one, never half of it."""
    try:
        if path.exists() and not path.is_file():
            # A pipe or device: there is nothing to put in its place.
            path.write_text(text, encoding="utf-8")
            return
        beside = _beside(path)
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise LeadlineError(
            f"{path} can't be written ({error.strerror}).",
            "The run is kept: `leadline runs` finds it, and `leadline runs show` writes it again.",
        ) from error


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")
