"""Whom a report is for, who made it and when, and the logo on its first page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from advisor.report.document.svg_logo import (
    MOST_PIXELS,
    NoSvgError,
    SvgError,
    check_svg,
    png_size,
)
from advisor.typed_path import typed_path
from probes.boundary.malformed import shown
from probes.errors import UsageError

LONGEST_LINE = 120
MOST_LOGO_BYTES = 2 * 1024 * 1024
_PNG = b"\x89PNG\r\n\x1a\n"
_ADVICE = "Name a PNG or SVG file of at most 2 MiB, or leave the logo out."
_PLAIN_ADVICE = "Export it from its program as a plain SVG, or as PNG."


class LogoKind(StrEnum):
    """How a logo is drawn, as the type of its bytes."""

    PNG = "image/png"
    SVG = "image/svg+xml"


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture that stands alone: it names no other file."""

    kind: LogoKind
    content: bytes


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the report's maker says of one rule's advice; "" where nothing was said of that.

    ``who`` and ``until`` stand in the place of those that are proposed, as they were typed.
    """

    rule: str
    words: str = ""
    who: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Cover:
    """What its first page says beside the title; "" and None are left out.

    ``system`` is what the client calls the server, ``date`` the day of the report and ``valid``
    until when it holds, as they are written there. ``confidential`` is at the head of each
    page, as the logo does. ``anonymous`` is a report that names no host and no account.
    ``sections`` are the names of those that it holds, None for all; ``opening`` stands before them,
    paragraphs parted by empty lines; ``own`` are its maker's words beside advice.
    """

    client: str = ""
    author: str = ""
    date: str = ""
    logo: Logo | None = None
    anonymous: bool = False
    sections: frozenset[str] | None = None
    opening: str = ""
    system: str = ""
    version: str = ""
    valid: str = ""
    contact: str = ""
    confidential: str = ""
    own: tuple[OwnWords, ...] = ()

    def of_lines(self) -> Cover:
        """The same with each line as it is printed; raises UsageError for one that can't be."""
        lines: dict[str, Any] = {name: " ".join(getattr(self, name).split()) for name in LINES}
        for name, line in lines.items():
            check_line(LINES[name], line)
        return replace(self, **lines)

    def with_logo(self, logo: str) -> Cover:
        """The same with the logo of a file, "" for none; raises UsageError for what is no logo."""
        return replace(self, logo=read_logo(typed_path(logo))) if logo.strip() else self

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Its lines by their labels."""
        return tuple(
            (label, line) for name, label in LINES.items() if (line := getattr(self, name))
        )

    def holds(self, section: str) -> bool:
        """Whether a section is wanted."""
        return self.sections is None or section in self.sections

    def own_of(self, rule: str) -> OwnWords:
        """What its maker says of a rule's advice."""
        return next((each for each in self.own if each.rule == rule), OwnWords(rule))


LINES = {
    "client": "client",
    "system": "system",
    "date": "date",
    "version": "version",
    "valid": "valid until",
    "author": "author",
    "contact": "contact",
    "confidential": "confidentiality",
}
"""The lines of a cover in their order, with their labels."""


def check_line(what: str, line: str) -> None:
    """Raise UsageError for a line that can't be printed or is too long."""
    if not line.isprintable():
        raise UsageError(f"The {what} can't hold control characters.")
    if len(line) > LONGEST_LINE:
        raise UsageError(f"The {what} can't be longer than {LONGEST_LINE} letters.")


NO_COVER = Cover()


def day(at: datetime) -> str:
    """``23 November 2026``: a day as a cover has it."""
    return f"{at.day} {at:%B} {at.year}"


def read_logo(path: Path) -> Logo:
    """A logo from its file; raises UsageError where it is no picture, too large or not whole."""
    content = _content(path)
    if content.startswith(_PNG):
        _check_png(path, content)
        return Logo(LogoKind.PNG, content)
    try:
        check_svg(content)
    except NoSvgError as error:
        raise UsageError(f"The logo {path} is neither PNG nor SVG.", _ADVICE) from error
    except SvgError as error:
        raise UsageError(f"The logo {path} {error}", _PLAIN_ADVICE) from error
    return Logo(LogoKind.SVG, content)


def _content(path: Path) -> bytes:
    try:
        # A pipe would be waited for, and a device might never end.
        if path.exists() and not path.is_file():
            raise UsageError(f"The logo {shown(str(path), 200)} is no file.", _ADVICE)
        with path.open("rb") as file:
            content = file.read(MOST_LOGO_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The logo {path} can't be read: {error.strerror}.", _ADVICE) from error
    except ValueError as error:  # a NUL, which no path has
        raise UsageError(f"{shown(str(path), 200)} is no path of a logo.", _ADVICE) from error
    if len(content) > MOST_LOGO_BYTES:
        raise UsageError(f"The logo {path} is larger than 2 MiB.", _ADVICE)
    return content


def _check_png(path: Path, content: bytes) -> None:
    """Its head names a size that can be drawn, and its end is there."""
    try:
        width, height = png_size(content)
    except ValueError as error:
        raise UsageError(f"The logo {path} is not a whole PNG file.", _ADVICE) from error
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise UsageError(f"The logo {path} is {width} by {height} pixels: too large.", _ADVICE)
