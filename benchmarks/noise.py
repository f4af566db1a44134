"""A file of incompressible bytes, read once."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CHUNK_BYTES = 1 << 20


@contextmanager
def noise_file(file: Path, size_bytes: int) -> Iterator[Path]:
    """Write the file, read it once past the page cache, and remove it in the end.

    A cache below the file system would else answer second reads faster than first ones.
    """
    try:
        with file.open("wb") as out:
            for _ in range(size_bytes // _CHUNK_BYTES):
                out.write(os.urandom(_CHUNK_BYTES))
            out.flush()
            os.fsync(out.fileno())
        _read_once(file)
        yield file
    finally:
        file.unlink(missing_ok=True)


def _read_once(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY | os.O_DIRECT)
    # O_DIRECT wants memory that begins at a page.
    with mmap.mmap(-1, _CHUNK_BYTES) as memory:
        try:
            while os.readv(descriptor, [memory]):
                continue
        finally:
            os.close(descriptor)
