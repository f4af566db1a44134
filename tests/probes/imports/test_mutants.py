"""Recordings with what a terminal obeys or a reader trips over put in, two thousand times."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.probes.imports.conftest import RECORDINGS
from tests.probes.imports.test_fuzz import HOSTILE, NAMES, _read

COUNT = 2000
PARTS = 10
PIECES = (
    *HOSTILE, b"\x1b[2J", b"\x1b]0;x\x07", b"\n", b"\r\n", b"\x9b", b"\0", b"\\u001b[2J", b"\\n",
    "\u2028".encode(), "\u202e".encode(), "\u00a0".encode(), b'"', b",", b"",
)  # fmt: skip
_WORD = re.compile(rb"[\w.]+")


def mutant(seed: int) -> bytes:
    """A recording with one to six pieces of it replaced."""
    chance = random.Random(seed)
    content = (RECORDINGS / chance.choice(NAMES)).read_bytes()
    for _ in range(chance.randint(1, 6)):
        word = chance.choice(list(_WORD.finditer(content)) or [None])
        at = chance.randrange(len(content) + 1)
        start, end = word.span() if word and chance.random() < 0.6 else (at, at)
        content = content[:start] + chance.choice(PIECES) + content[end:]
    return content


@pytest.mark.parametrize("part", range(PARTS))
def test_mutants_are_read_or_refused_in_one_line(tmp_path: Path, part: int) -> None:
    for seed in range(part, COUNT, PARTS):
        _read(tmp_path / "file", mutant(seed))
