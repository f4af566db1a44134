"""The files that somebody sent: single ones, folders, and archives, each of them guarded.

Nothing of an archive is written to disk, and no name in it is followed. What is too much is refused
as a whole before it is unpacked: its list is read first, and its content is counted as it comes.
"""

from __future__ import annotations

import gzip
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO

from probes.errors import ImportRefused, UsageError
from probes.figures import size
from probes.imports.content import MOST_BYTES, read_bytes, shown, text_of
from probes.texts.lacking import WHAT_SERVER_TEXTS_ARE
from probes.texts.reading.pieces import ServerText

MOST_FILES = 2000
"""Of a folder or an archive: pt-stalk leaves some 30 for each time that it looks."""

MOST_UNPACKED_BYTES = 64 << 20
"""Of all texts together."""

MOST_LISTED = 20_000
"""Entries of an archive that are looked at, folders among them."""

_DEEPEST = 12
_PASSED_NAMES = frozenset({"__MACOSX", ".git", ".DS_Store", "Thumbs.db"})
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError,
            NotImplementedError, RuntimeError)  # fmt: skip


@dataclass(slots=True)
class SentTexts:
    """The texts, and the files that were left out, each with why."""

    texts: list[ServerText] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    taken_bytes: int = 0

    @property
    def passed(self) -> tuple[tuple[str, str], ...]:
        """Files that no text was made of, each with the reason."""
        return tuple(self.skipped)

    def take(self, name: str, data: bytes, written_at: float | None) -> None:
        """Keep a file's text; what is none is left out. Raises ImportRefused for too much."""
        self.taken_bytes += len(data)
        if self.taken_bytes > MOST_UNPACKED_BYTES or len(self.texts) >= MOST_FILES:
            raise _too_much(name)
        try:
            content = text_of(data, name)
        except ImportRefused as error:
            self.skipped.append((shown(name), error.sentence))
            return
        self.texts.append(ServerText(shown(name), content, written_at))


def sent_texts(paths: Sequence[Path]) -> SentTexts:
    """All texts of files, folders, .zip, .tar, .tar.gz and .gz, in their order.

    Raises UsageError for what is not there, and ImportRefused for an archive or a folder that no
    client sends.
    """
    found = SentTexts()
    if not paths:
        raise UsageError("No file is named to import.", WHAT_SERVER_TEXTS_ARE)
    for path in paths:
        if path.is_dir():
            _take_folder(path, found)
        elif path.is_file() and (open_archive := _archive_kind(path)) is not None:
            _take_archive(path, open_archive, found)
        else:
            found.take(path.name, read_bytes(path), _written_at(path))
    return found


def _take_folder(folder: Path, found: SentTexts) -> None:
    """The plain files of a folder and of those in it; no link is followed."""
    listed = 0
    for directory, folders, names in os.walk(folder):
        place = Path(directory)
        folders[:] = sorted(each for each in folders if each not in _PASSED_NAMES)
        if len(place.relative_to(folder).parts) >= _DEEPEST:
            folders[:] = []
        for name in sorted(names):
            listed += 1
            if listed > MOST_FILES:
                raise _too_many(folder, MOST_FILES)
            file = place / name
            shown_name = file.relative_to(folder).as_posix()
            if name in _PASSED_NAMES:
                continue
            if not stat.S_ISREG(file.lstat().st_mode):
                found.skipped.append((shown(shown_name), "it is no plain file"))
                continue
            if file.stat().st_size == 0:
                continue
            if _archive_kind(file) is not None:
                found.skipped.append((shown(shown_name), "it is an archive: name it alone"))
                continue
            try:
                found.take(shown_name, read_bytes(file), _written_at(file))
            except UsageError as error:
                found.skipped.append((shown(shown_name), error.sentence))


def _written_at(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _archive_kind(path: Path) -> str | None:
    """What an archive is, by its first bytes; None for a plain file."""
    with path.open("rb") as file:
        begin = file.read(265)
    if begin.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if begin.startswith(b"\x1f\x8b"):
        return "gzip"
    if begin.startswith((b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")):
        raise ImportRefused(
            f"{shown(path)} is packed in a form that is not read.",
            "Pack it as .zip or .tar.gz, or unpack it and name the folder.",
        )
    return "tar" if begin[257:262] == b"ustar" else None


def _take_archive(path: Path, kind: str, found: SentTexts) -> None:
    try:
        if kind == "zip":
            _take_zip(path, found)
        elif kind == "tar":
            _take_tar(path, found)
        else:
            _take_gzip(path, found)
    except ImportRefused:
        raise
    except _DAMAGED as error:
        raise ImportRefused(
            f"{shown(path)} is damaged, or no archive that can be read.",
            "Ask for it once more, or unpack it and name the folder.",
            repr(error)[:200],
        ) from error


def _take_zip(path: Path, found: SentTexts) -> None:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        _check_list(path, len(entries), sum(each.file_size for each in entries))
        for entry in entries:
            kind = entry.external_attr >> 16
            if entry.is_dir() or not _is_wanted(entry.filename, found):
                continue
            if stat.S_IFMT(kind) not in (0, stat.S_IFREG):
                found.skipped.append((shown(entry.filename), "it is no plain file"))
                continue
            if entry.flag_bits & 1:
                raise ImportRefused(
                    f"{shown(path)} is locked with a password.", "Unpack it and name the folder."
                )
            with archive.open(entry) as file:
                moment = datetime(*entry.date_time[:6], tzinfo=UTC).timestamp()
                found.take(entry.filename, _bounded(file, entry.filename, found), moment)


def _take_tar(path: Path, found: SentTexts) -> None:
    with _unpacked(path) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        for listed, entry in enumerate(archive, 1):
            if listed > MOST_LISTED:
                raise _too_many(path, MOST_LISTED)
            if entry.isdir() or not _is_wanted(entry.name, found):
                continue
            if not entry.isreg() or entry.sparse:
                found.skipped.append((shown(entry.name), "it is no plain file"))
                continue
            file = archive.extractfile(entry)
            if file is not None:
                content = _bounded(file, entry.name, found)
                found.take(entry.name, content, float(entry.mtime))


def _unpacked(path: Path) -> IO[bytes] | gzip.GzipFile:
    packed = path.open("rb")
    begin = packed.read(2)
    packed.seek(0)
    if begin != b"\x1f\x8b":
        return packed
    return _Counted(packed)


class _Counted(gzip.GzipFile):
    """A stream that ends with a fault where it unpacks to more than any client sends."""

    def __init__(self, packed: IO[bytes]) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed
        self._came = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self._came += len(data)
        if self._came > 2 * MOST_UNPACKED_BYTES:
            raise _too_much("it")
        return data

    def close(self) -> None:
        super().close()
        self._packed.close()


def _take_gzip(path: Path, found: SentTexts) -> None:
    """A tar that was packed, or a single text."""
    with gzip.open(path) as unpacked:
        begin = unpacked.read(265)
    if begin[257:262] == b"ustar":
        _take_tar(path, found)
        return
    name = path.name.removesuffix(".gz")
    with gzip.open(path) as unpacked:
        found.take(name, _bounded(unpacked, name, found), _written_at(path))


def _is_wanted(name: str, found: SentTexts) -> bool:
    """Whether an entry's name is one of a file within the archive's own folder."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if name.startswith(("/", "\\")) or ".." in parts or ":" in (parts[0] if parts else ":"):
        found.skipped.append((shown(name), "its name leads out of the archive"))
        return False
    return not _PASSED_NAMES & set(parts)


def _bounded(file: IO[bytes] | gzip.GzipFile, name: str, found: SentTexts) -> bytes:
    """The whole of a file, as long as it is no larger than one may be."""
    left = min(MOST_BYTES, MOST_UNPACKED_BYTES - found.taken_bytes)
    data = file.read(left + 1)
    if len(data) > left:
        raise _too_much(name)
    return data


def _check_list(path: Path, files: int, unpacked_bytes: int) -> None:
    if files > MOST_LISTED:
        raise _too_many(path, MOST_LISTED)
    if unpacked_bytes > 2 * MOST_UNPACKED_BYTES:
        raise _too_much(path.name)


def _too_many(path: Path, most: int) -> ImportRefused:
    return ImportRefused(
        f"{shown(path)} has more than {most:,} files.", "Name those of the server alone."
    )


def _too_much(name: str) -> ImportRefused:
    return ImportRefused(
        f"{shown(name)} is larger than all texts of a server ({size(MOST_UNPACKED_BYTES)}).",
        "Name the files of the server alone.",
    )
