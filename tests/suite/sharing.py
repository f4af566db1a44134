"""Which worker takes which files of tests: those that share what is dear all go to one.

Each worker would start another server of MySQL, which takes seconds of processor time even where it
idles, and each would judge the same cases anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).parents[2]
SERVER = "mysql97"
_ASKED_FOR = re.compile(rf'\b{SERVER}: MySQL\b|"{SERVER}"')
_OF_ITS_OWN = f"def {SERVER}("
_JUDGED = {
    "tests.knowledge.production.cases import": "whole servers",
    "outcomes_of(": "cases of rules",
}
"""What files ask for that one worker judges once, by how they are known."""


class SharedServer(LoadFileScheduling):  # type: ignore[misc]
    """Files of tests go to workers one by one, those with the fixture ``mysql97`` as one,
    and those that ask for the same judgements."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(super()._split_scope(nodeid))


@cache
def scope(file: str) -> str:
    """What a file of tests is given to a worker with: its own name, or what it shares."""
    path = ROOT / file
    text = path.read_text("utf-8") if path.is_file() else ""
    if _ASKED_FOR.search(text) and _OF_ITS_OWN not in text:
        return SERVER
    return next((shared for asks, shared in _JUDGED.items() if asks in text), file)
