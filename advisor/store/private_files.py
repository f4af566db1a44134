"""Files and folders of Leadline's own: for this account alone, whatever others once could do."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from probes.errors import StoreError

FILE_MODE = 0o600
_FOLDER_MODE = 0o700


def make_folder(folder: Path) -> None:
    """Make a folder, and what is missing above it, for this account alone; raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)


def folder_refused(folder: Path, error: OSError) -> StoreError:
    """The fault that nothing can be written into a folder beside the database."""
    return StoreError(
        f"The folder {folder} can't be written ({error.strerror}).",
        "Give your account the right to write there, or name another folder in LEADLINE_HOME.",
        str(error),
    )


def make_file(path: Path) -> None:
    """Make an empty file for this account alone; raises OSError, also where it is there already."""
    path.touch(mode=FILE_MODE, exist_ok=False)


def keep_store(path: Path) -> None:
    """Make a database's file where it is missing, and close it and all beside it to others.

    Beside it lie its logs, its lock files, and what was once kept of a damaged one; SQLite makes
    its logs with the file's own mode. Where that can't be done, opening the file shows why.
    """
    with suppress(OSError):
        make_file(path)
    with suppress(OSError):
        for each in path.parent.iterdir():
            if each.name.startswith(path.name) and not each.is_symlink():
                _close_to_others(each)
        # The name itself may be a link to where the file is kept.
        _close_to_others(path)


def write_text(path: Path, text: str) -> None:
    """Write a file for this account alone; raises OSError."""
    with suppress(FileExistsError):
        make_file(path)
    _close_to_others(path)
    path.write_text(text, encoding="utf-8")


def _close_to_others(path: Path) -> None:
    """Take all rights from group and others; some other account's file stays as it is.

    So does what is no file: as root a link to /dev/null would take that from everybody.
    """
    if sys.platform == "win32":
        return
    seen = path.stat()
    mode, own = stat.S_IMODE(seen.st_mode), seen.st_uid == os.geteuid()
    if own and stat.S_ISREG(seen.st_mode) and mode & 0o077:
        with suppress(OSError):
            path.chmod(mode & 0o700)
