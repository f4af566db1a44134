"""The recordings: real results of fio 3.33, sysbench 1.0.20 and sysstat, and handmade ones in the
forms of older and newer versions (the figures in those are made up)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probes.imports import Imported, read_import

Job = dict[str, Any]
"""An entry of fio's JSON."""

RECORDINGS = Path(__file__).parent / "recordings"


class Recordings:
    """Reads recordings as they are, or changed."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch

    def text(self, name: str) -> str:
        return (RECORDINGS / name).read_text(encoding="utf-8")

    def read(self, name: str) -> Imported:
        return read_import(RECORDINGS / name)

    def changed(self, name: str, *changes: tuple[str, str]) -> Imported:
        """Read a recording in which each first text, which must be there, is the second."""
        text = self.text(name)
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return self.of(text)

    def edited(self, name: str, change: Callable[[Job], object], note: str = "") -> Imported:
        """Read a result of fio whose first job was changed, with what fio said before it."""
        text = self.text(name)
        document = json.loads(text[text.index("{") :])
        change(document["jobs"][0])
        return self.of(note + json.dumps(document, indent=1))

    def of(self, content: str | bytes, name: str = "result") -> Imported:
        """Read a file with this content."""
        path = self._scratch / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_import(path)


@pytest.fixture
def recordings(tmp_path: Path) -> Recordings:
    return Recordings(tmp_path)
