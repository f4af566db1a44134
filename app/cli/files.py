"""Results into a file: the whole of it or nothing."""

from __future__ import annotations

import os
from pathlib import Path

from probes.errors import LeadlineError, UsageError

_AT_MOST = 0o755
"""What a file may allow that takes the place of another: to write it, its owner alone."""


def check_writable(path: Path) -> None:
    """Make sure of the file before minutes are spent on what goes into it; raises UsageError."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a directory.", "Name a file with -o.")
        if _in_place(path):
            return
        beside = _beside(path)
        beside.touch()
        beside.unlink()
    except OSError as error:
        raise UsageError(
            f"{path} can't be written ({error.strerror}).", "Name another file with -o."
        ) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader finds the old one or the new one, never half of it."""
    if isinstance(content, str):
        # A name may hold bytes that are no text in any character set.
        content = content.encode("utf-8", "replace")
    try:
        if _in_place(path):
            path.write_bytes(content)
        else:
            _replace(Path(os.path.realpath(path)), content)
    except BrokenPipeError:
        raise  # a reader that has seen enough
    except OSError as error:
        raise LeadlineError(
            f"{path} can't be written ({error.strerror}).",
            "Make room there, or name another file with -o. What was measured is kept: "
            "`leadline runs` lists it.",
        ) from error


def _replace(path: Path, content: bytes) -> None:
    beside = _beside(path)
    try:
        beside.write_bytes(content)
        if path.exists():
            beside.chmod(path.stat().st_mode & _AT_MOST)
        beside.replace(path)
    finally:
        # Nothing half-written stays behind, on a full disk least of all.
        if beside.is_file():
            beside.unlink()


def _in_place(path: Path) -> bool:
    """Whether it is a pipe or device: there is nothing to put in its place."""
    return path.exists() and not path.is_file()


def _beside(path: Path) -> Path:
    """The file to write first, in the folder of the file that a link may lead to."""
    path = Path(os.path.realpath(path))
    return path.with_name(f".{path.name}.{os.getpid()}.part")
