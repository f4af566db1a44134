"""Texts in sections, as the script writes what a machine reports: a title, then its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_TITLE = "== "
_NOTE = "!"


@dataclass(frozen=True, slots=True)
class Section:
    """A file, or what the script found out (its title begins with "@"); ``notes`` are its own."""

    title: str
    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The first word of its title."""
        return self.title.partition(" ")[0]

    @property
    def about(self) -> str:
        """What stands behind the first word."""
        return self.title.partition(" ")[2]

    @property
    def text(self) -> str:
        """Its lines, each with its end."""
        return "".join(f"{line}\n" for line in self.lines)

    def all(self, name: str) -> list[str]:
        """What stands behind ``name``, in the lines that begin with it."""
        return [line[len(name) + 1 :] for line in self.lines if line.partition(" ")[0] == name]

    def first(self, name: str) -> str:
        """The first of them, "" where there is none."""
        return next(iter(self.all(name)), "")


def sections(text: str) -> Iterator[Section]:
    """The sections of a text, in its order; what stands before the first is left out."""
    section: Section | None = None
    for line in text.split("\n"):
        if line.startswith(_TITLE):
            if section is not None:
                yield section
            section = Section(line[len(_TITLE) :])
        elif section is not None and line.startswith(" "):
            section.lines.append(line[1:])
        elif section is not None and line.startswith(_NOTE):
            section.notes.append(line[len(_NOTE) :])
    if section is not None:
        yield section
