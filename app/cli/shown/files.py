"""Results into a file: the whole of it or nothing."""

from __future__ import annotations

from pathlib import Path

from advisor.whole_file import check_replaceable, replace_whole
from probes.errors import LeadlineError, UsageError


def check_writable(path: Path) -> None:
    """Make sure of the file before minutes are spent on what goes into it; raises UsageError."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a directory.", "Name a file with -o.")
        check_replaceable(path)
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
        replace_whole(path, content)
    except BrokenPipeError:
        raise  # a reader that has seen enough
    except OSError as error:
        raise LeadlineError(
            f"{path} can't be written ({error.strerror}).",
            "Make room there, or name another file with -o. What was measured is kept: "
            "`leadline runs` lists it.",
        ) from error
