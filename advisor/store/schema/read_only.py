"""Reading a database that can't be written: from a copy in memory, on which nothing is kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from advisor.store.database import Database, FileFault


def can_be_written(path: Path) -> bool:
    """Whether this account may write the file and, for its log, beside it; True where none is.

    So it is where no file can be, as under too long a name: opening it says why.
    """
    try:
        there = path.exists()
    except OSError:
        return True
    return not there or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def read_only_copy(path: Path) -> Database:
    """What the file at ``path`` and its log hold, in memory; raises StoreError."""
    try:
        return Database.copy_of(path, own=True)
    except FileFault:
        # SQLite needs files beside the log, which it can't make there.
        return _copied_elsewhere(path)


def _copied_elsewhere(path: Path) -> Database:
    log = path.with_name(f"{path.name}-wal")
    try:
        with TemporaryDirectory(prefix="leadline-") as folder:
            for each in (path, log):
                if each.exists():
                    shutil.copyfile(each, Path(folder) / each.name)
            database = Database.copy_of(Path(folder) / path.name, own=True)
    except OSError as error:
        raise FileFault(
            path,
            f"can't be read ({error.strerror})",
            "Give your account the right to read it, or name another folder in LEADLINE_HOME.",
            str(error),
        ) from error
    database.path = path
    return database
