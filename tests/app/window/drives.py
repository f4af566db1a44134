"""Directories on a real disk that stand for drives."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def drives_called(names: str) -> Iterator[list[str]]:
    """One for each letter; they go with the context."""
    with ExitStack() as held:
        yield [
            held.enter_context(tempfile.TemporaryDirectory(prefix=f"drive {name} ", dir="/var/tmp"))
            for name in names
        ]
