"""What a trial may leave on a server, on disk before it is set there: the way back survives us.

A file for each trial stands beside the database from before the first value is set until the server
was seen to have what it should. One that is left names a server that may still have a tried value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from advisor.store.codec import dump_plain
from advisor.store.private_files import FILE_MODE, folder_refused, make_folder
from advisor.store.typed import build
from probes.boundary.malformed import Malformed
from probes.targets.address import TargetSpec
from probes.trial.settings import TriedSetting


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A trial that is not known to have gone back: where it was, and what its settings were."""

    run_id: int
    target: TargetSpec
    settings: tuple[TriedSetting, ...]
    began_at: str

    @property
    def text(self) -> str:
        """``innodb_io_capacity = 1000 (before: 200)``."""
        return ", ".join(
            f"{each.name} = {each.new} (before: {each.old})" for each in self.settings if each.new
        )


class TrialJournal:
    """The folder of entries beside a database."""

    def __init__(self, database: Path) -> None:
        self._folder = database.with_name(f"{database.name}.trials")

    def begin(self, entry: JournalEntry) -> None:
        """Write an entry so that no power cut takes it; raises StoreError."""
        content = dump_plain(asdict(entry)).encode()
        try:
            make_folder(self._folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(self._path(entry.run_id), flags, FILE_MODE), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            self._sync_folder()
        except OSError as error:
            raise folder_refused(self._folder, error) from error

    def end(self, run_id: int) -> None:
        """Take an entry out: the server has what it should. Raises StoreError."""
        try:
            self._path(run_id).unlink(missing_ok=True)
            self._sync_folder()
        except OSError as error:
            raise folder_refused(self._folder, error) from error

    def entries(self) -> Iterator[JournalEntry | Path]:
        """What is left, by the trial's number; a file that can't be read stands for itself."""
        for path in sorted(self._folder.glob("*.json")):
            try:
                yield build(JournalEntry, json.loads(path.read_text("utf-8")), "the journal")
            except (Malformed, ValueError, OSError):
                yield path

    def _path(self, run_id: int) -> Path:
        return self._folder / f"{run_id}.json"

    def _sync_folder(self) -> None:
        # Windows opens no folders; it writes names through.
        if not hasattr(os, "O_DIRECTORY"):
            return
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def left_text(entry: JournalEntry | Path) -> str:
    """What an entry that is left means, and what to do."""
    if isinstance(entry, Path):
        return (
            f"A trial's journal, {entry}, can't be read: a server may have a value that was tried. "
            "Look at the settings of the servers that you tried something on; remove the file then."
        )
    return (
        f"A trial on {entry.target.name} did not come to its end: the server may still have "
        f"{entry.text}. `leadline try --mend` looks, and sets it back."
    )
