"""The commands that the documents show, and what their pages say that these print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<because>[^\n]+?) -->\n)?"
    r"```(?P<language>sh|console)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_GAP = "..."
"""A line of its own in what a page says is printed: any number of lines."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A command line on a page, as words; ``because`` says why it is not run there, or is "".

    ``printed`` are the lines that the page says it prints; none where it says nothing. ``block`` is
    the line that its block begins with.
    """

    page: str
    line: int
    words: tuple[str, ...]
    because: str
    printed: tuple[str, ...] = ()
    block: int = 0

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {shlex.join(self.words)}"

    def agrees(self, output: str) -> bool:
        """Whether ``output`` is what the page says."""
        if not self.printed:
            return True
        lines = (
            r"(?:.*\n)*" if line == _GAP else re.escape(line) + r"\s*\n" for line in self.printed
        )
        return re.fullmatch("".join(lines) + r"\s*", f"{plain(output).rstrip()}\n") is not None


def plain(text: str) -> str:
    """What a program prints, as people type it: with spaces that are all of one kind."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def shown(path: Path) -> Iterator[Shown]:
    """The commands of a page, in its order."""
    text = path.read_text(encoding="utf-8")
    page = path.relative_to(ROOT).as_posix()
    for block in _BLOCK.finditer(text):
        first = text.count("\n", 0, block.start("text")) + 1
        lines = block["text"].splitlines()
        told = block["language"] == "console"
        starts = [at for at, line in enumerate(lines) if line.startswith("$ ") or not told]
        for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            words = tuple(shlex.split(lines[at].removeprefix("$ "), comments=True))
            if words:
                printed = tuple(lines[at + 1 : end]) if told else ()
                because = block["because"] or ""
                yield Shown(page, first + at, words, because, printed, first)
