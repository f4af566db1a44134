"""Who measures a drive: one run at a time, whichever program beside this database it belongs to.

Each drive has a file lock, which the kernel lets go however its process ends. Beside it lies a note
of who holds it; a note without its lock says nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from advisor.store.private_files import FILE_MODE, folder_refused, make_folder


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose turn it is: the target's name, the process, and since when (UTC, ISO 8601).

    All are empty where the note was not written yet, or can't be read.
    """

    target: str = ""
    pid: int = 0
    since: str = ""


class DriveTurn:
    """The right to measure some drives; a context manager that gives back what it holds."""

    def __init__(self, folder: Path, drives: Iterable[str]) -> None:
        """``drives`` name each drive with its machine, alike for everybody who reaches it."""
        self._folder = folder
        # In one order for all, so that two that want the same drives can't each hold one.
        self._names = sorted({sha256(drive.encode()).hexdigest()[:24] for drive in drives})
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.close()

    def take(self, target: str) -> Holder | None:
        """Take all the drives for a run on ``target``, or none of them.

        None when they are held now, else who has the first that is not free. Raises StoreError when
        the folder can't be written.
        """
        try:
            make_folder(self._folder)
            with ExitStack() as taken:
                for name in self._names:
                    try:
                        taken.enter_context(self._lock(name).acquire())
                    except Timeout:
                        return self._holder(name)
                    self._note(name, target)
                self._held.push(taken.pop_all())
        except OSError as error:
            raise folder_refused(self._folder, error) from error
        return None

    def _lock(self, name: str) -> FileLock:
        return FileLock(
            self._folder / f"{name}.lock", timeout=0, thread_local=False, mode=FILE_MODE
        )

    def _note(self, name: str, target: str) -> None:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        note = self._folder / f"{name}.json"
        fresh = note.with_suffix(".new")
        with os.fdopen(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "w"
        ) as file:
            json.dump(asdict(Holder(target, os.getpid(), since)), file)
        fresh.replace(note)

    def _holder(self, name: str) -> Holder:
        try:
            holder = json.loads((self._folder / f"{name}.json").read_text("utf-8")[:4096])
            return Holder(str(holder["target"]), int(holder["pid"]), str(holder["since"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Holder()
