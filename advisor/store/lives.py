"""Which runs are still being measured: each holds a file lock that ends with its process.

A lock works alike on every system, is not fooled by a process number that is used again, and is let
go by the kernel however the process ends.
"""

from __future__ import annotations

import uuid
from pathlib import Path

from filelock import FileLock, Timeout

from advisor.store.private_files import FILE_MODE, make_folder
from probes.errors import StoreError


class Lives:
    """The lock files beside a database; holds those of the runs that this connection started."""

    def __init__(self, database: Path) -> None:
        self._folder = database.with_name(f"{database.name}.running")
        self._held: dict[str, FileLock] = {}

    def begin(self) -> str:
        """Take a new lock; returns its name. Raises StoreError when the folder can't be written."""
        name = uuid.uuid4().hex
        lock = self._lock(name)
        try:
            make_folder(self._folder)
            lock.acquire()
        except OSError as error:
            raise StoreError(
                f"The folder {self._folder} can't be written ({error.strerror}).",
                "Give your account the right to write there,"
                " or name another folder in LEADLINE_HOME.",
                str(error),
            ) from error
        self._held[name] = lock
        return name

    def end(self, name: str) -> None:
        """Let a lock go, if it is ours."""
        lock = self._held.pop(name, None)
        if lock is not None:
            self._remove(name)
            lock.release()

    def lasts(self, name: str) -> bool:
        """Whether some process, or another connection of this one, still holds the lock."""
        lock = self._lock(name)
        if name in self._held:
            return True
        try:
            if not self._path(name).exists():
                return False
            with lock:
                self._remove(name)
        except (OSError, Timeout):
            return True
        return False

    def close(self) -> None:
        """Let go of what is still held."""
        for name in list(self._held):
            self.end(name)

    def _lock(self, name: str) -> FileLock:
        return FileLock(self._path(name), timeout=0, mode=FILE_MODE, thread_local=False)

    def _remove(self, name: str) -> None:
        try:
            self._path(name).unlink(missing_ok=True)
        except PermissionError:
            # Windows removes no open file; filelock does it there when the lock is let go.
            return

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.lock"
