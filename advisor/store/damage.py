"""What is kept of one run can't be read: reported for that run, while all others stay readable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from probes.boundary.malformed import Malformed
from probes.errors import StoreError


class DamagedError(StoreError):
    """A part of the database is damaged; the file as a whole is not."""


@contextmanager
def of_run(path: Path, run_id: int) -> Iterator[None]:
    """What is read within belongs to a run; raises DamagedError where it is no such thing."""
    try:
        yield
    except Malformed as error:
        raise DamagedError(
            f"What is kept of run {run_id} is damaged: {error}.",
            f"The other runs are not touched by it. `leadline runs delete {run_id}` removes it.",
            f"{path}: {error}",
        ) from error
