"""The watch page's table of files: which ones the server's time goes to."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.wording.watch.file_rows import file_rows, telling
from app.presenters.watch.timeline import OTHERS, TONES
from probes.watch.watched import Watched

FILE_COLUMNS = (
    "File",
    "Role",
    "Reads",
    "Writes",
    "Syncs",
    "Bytes",
    "At a time",
)


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file, or all that have no row of their own; ``texts`` are by ``FILE_COLUMNS``.

    ``path`` is the whole one, "" for several files.
    """

    texts: tuple[str, ...]
    tone: str
    path: str


def file_table(watched: Watched) -> tuple[FileRow, ...]:
    """The files that most time goes to, then the others; none without a report of them."""
    seen = watched.by_file
    if seen is None:
        return ()
    of_rows = [(TONES.get(each.role, OTHERS), each.path) for each in telling(seen)]
    rows = file_rows(seen)
    of_rows += [(OTHERS, "")] * (len(rows) - len(of_rows))
    return tuple(
        FileRow(texts, tone, path) for texts, (tone, path) in zip(rows, of_rows, strict=True)
    )
