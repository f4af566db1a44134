"""What is kept between test runs: downloaded servers, and data directories as they are made."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

_FOLDER = Path(
    os.environ.get("LEADLINE_TEST_SERVERS") or "~/.cache/leadline-test-servers"
).expanduser()
"""Looked up before any test gives itself another home: that one would download its servers anew."""


def cache() -> Path:
    """The folder that LEADLINE_TEST_SERVERS names, or one in the user's cache; made if missing."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    return _FOLDER


def made_once(name: str, make: Callable[[Path], Path]) -> Path:
    """The directory ``name`` of the cache, made by the first who asks.

    ``make`` is given an empty folder and returns the directory that it made in there.
    """
    kept = cache() / name
    with FileLock(cache() / f"{name}.lock"):
        if not kept.is_dir():
            with tempfile.TemporaryDirectory(dir=cache(), prefix=".making-") as folder:
                make(Path(folder)).rename(kept)
    return kept


def copied(directory: Path, to: Path) -> None:
    """Copy a data directory; what is nothing but zeros, as most of a redo log, takes no time."""
    subprocess.run(
        ["cp", "--archive", "--sparse=always", str(directory), str(to)],
        check=True,
        capture_output=True,
    )
