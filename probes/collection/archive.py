"""Opening what the script packed: a few texts of limited size, and nothing else."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from probes.boundary.malformed import shown
from probes.collection.script import FORMAT
from probes.errors import ImportRefused

MANIFEST, SERVER, MACHINE, MOMENTS = "manifest.txt", "mysql.txt", "machine.txt", "moments.txt"
ENDING, SQL_ENDING = "-collect.tar.gz", "-collect.txt"
FIRST_WORD = "leadline-collect"
"""What a manifest begins with."""

_MOST_BYTES = 64 << 20
"""Of all texts together; half a minute of a server with ten thousand files has some 5 MB."""

_MOST_PACKED_BYTES = 32 << 20
_MOST_MEMBERS = 12
_NAMES = frozenset({MANIFEST, SERVER, MACHINE, MOMENTS})
_GZIP = b"\x1f\x8b"
_BEGINNING = 4096
_SQL_HEADER = b"collection\tversion\ttaken_at\tname\tline"
"""The names of what the SQL selects first."""

_AGAIN = "Ask for the archive as the script of `leadline collect` wrote it."


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of an archive: what the script was, and what it collected, by names of files."""

    manifest: Mapping[str, str]
    texts: Mapping[str, str]


def is_collection(path: Path) -> bool:
    """Whether a file begins as the script packs them, or is what its SQL printed; never raises."""
    try:
        if not path.is_file():  # opening a pipe would wait for somebody to write into it
            return False
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
        if not beginning.startswith(_GZIP):
            return _SQL_HEADER in beginning and FIRST_WORD.encode() in beginning
        with _members(path) as members:
            return _inner(next(iter(members)).name) in _NAMES | {""}
    except (ImportRefused, StopIteration, OSError):
        return False


def read_archive(path: Path) -> Texts:
    """The texts of an archive; raises ImportRefused for whatever else is in it, and OSError."""
    if path.exists() and not path.is_file():
        raise ImportRefused("It is no plain file.", _AGAIN)
    with path.open("rb") as file:
        if file.read(len(_GZIP)) != _GZIP:
            return _of_sql(path)
    with _members(path) as members:
        texts = dict(_texts(members))
    if MANIFEST not in texts or SERVER not in texts:
        raise ImportRefused(f"It lacks {MANIFEST} or {SERVER}, so it was cut off.", _AGAIN)
    return Texts(read_manifest(texts[MANIFEST]), texts)


def _of_sql(path: Path) -> Texts:
    """What the SQL printed: one text, whose first answer is the manifest."""
    if path.stat().st_size > _MOST_PACKED_BYTES:
        raise ImportRefused(f"It has more than {_MOST_PACKED_BYTES >> 20} MiB.", _AGAIN)
    text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    _, names, rest = text.partition(_SQL_HEADER.decode())
    row = [*rest.split("\n"), ""][1]
    manifest = dict(zip(names.split("\t"), row.split("\t"), strict=False))
    manifest[FIRST_WORD] = manifest.get("collection", "").partition(" ")[2]
    return Texts(_of_this_form(manifest), {SERVER: text})


def read_manifest(text: str) -> dict[str, str]:
    """What the script reports about itself, by name; raises ImportRefused for a later one's."""
    return _of_this_form(dict(line.partition(" ")[::2] for line in text.splitlines()[:50]))


def _of_this_form(manifest: dict[str, str]) -> dict[str, str]:
    form = manifest.get(FIRST_WORD, "")
    if form != str(FORMAT):
        raise ImportRefused(
            f"It was collected in the form {shown(form)}; this Leadline reads {FORMAT}.",
            "Update Leadline to read it." if form else _AGAIN,
        )
    return manifest


def _texts(members: tarfile.TarFile) -> Iterator[tuple[str, str]]:
    left = _MOST_BYTES
    for number, member in enumerate(members):
        if number >= _MOST_MEMBERS:
            raise ImportRefused(
                f"It holds more than the {len(_NAMES)} files of a collection.", _AGAIN
            )
        name = _inner(member.name)
        if member.isdir() and not name:
            continue
        if not member.isfile() or name not in _NAMES:
            raise ImportRefused(
                f"It holds {shown(member.name)}, which is no file of a collection.", _AGAIN
            )
        left -= member.size
        if left < 0:
            raise ImportRefused(f"It unpacks to more than {_MOST_BYTES >> 20} MiB.", _AGAIN)
        content = members.extractfile(member)
        if content is not None:
            yield name, content.read().decode("utf-8", "replace")


def _inner(name: str) -> str:
    """The name of a file in the archive's one folder, "" for that; the whole name otherwise."""
    folder, _, inner = name.removeprefix("./").rstrip("/").partition("/")
    return inner if folder.endswith("-collect") and "/" not in inner else name


@contextmanager
def _members(path: Path) -> Iterator[tarfile.TarFile]:
    """The archive, read from its beginning to its end and never kept as a whole."""
    try:
        if path.stat().st_size > _MOST_PACKED_BYTES:
            raise ImportRefused(f"It has more than {_MOST_PACKED_BYTES >> 20} MiB.", _AGAIN)
        with (
            gzip.open(path) as unpacked,
            tarfile.open(fileobj=_Limited(unpacked), mode="r|") as members,
        ):
            yield members
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ImportRefused(
            "It is no archive, or was cut off on its way.", _AGAIN, repr(error)[:200]
        ) from error


class _Limited(io.BufferedIOBase):
    """A stream that ends in a refusal where an archive unpacks to more than it may."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream, self._left = stream, _MOST_BYTES + (1 << 20)

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes; raises ImportRefused behind the last that may be."""
        found = self._stream.read(self._left + 1 if size is None or size < 0 else size)
        self._left -= len(found)
        if self._left < 0:
            raise ImportRefused(f"It unpacks to more than {_MOST_BYTES >> 20} MiB.", _AGAIN)
        return found
