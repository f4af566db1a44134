"""Which runs are still being measured: each holds a file lock that ends with its process.

A lock works alike on every system, is not fooled by a process number that is used again, and is let
go by the kernel however the process ends.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path

from filelock import FileLock, Timeout

from advisor.store.private_files import FILE_MODE, folder_refused, make_folder

SPARE_BYTES = 512 * 1024
"""What it takes to write a run's end, its plan of some 100 KB included, and the log's frames."""


class Lives:
    """The lock files beside a database; holds those of the runs that this connection started.

    Beside each lies a file that only takes room: given up, it lets a run on a full disk be closed.
    """

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
            self._keep_room(name)
        except OSError as error:
            self._remove(name)
            lock.release()
            raise folder_refused(self._folder, error) from error
        self._held[name] = lock
        return name

    def end(self, name: str) -> None:
        """Let a lock go, if it is ours."""
        lock = self._held.pop(name, None)
        if lock is not None:
            self._remove(name)
            lock.release()

    def give_room(self, name: str) -> None:
        """Give up the room that was kept for the end of one of our runs."""
        if name in self._held:
            self._spare(name).unlink(missing_ok=True)

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

    def _keep_room(self, name: str) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(self._spare(name), flags, 0o600), "wb") as spare:
            # Bytes at random, as zeros would take no room on a filesystem that compresses.
            spare.write(os.urandom(SPARE_BYTES))

    def _remove(self, name: str) -> None:
        self._spare(name).unlink(missing_ok=True)
        try:
            self._path(name).unlink(missing_ok=True)
        except PermissionError:
            # Windows removes no open file; filelock does it there when the lock is let go.
            return

    def _spare(self, name: str) -> Path:
        return self._folder / f"{name}.spare"

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.lock"
