"""Whom a report is for, who made it and when, and the logo on its first page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

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
class Cover:
    """What its first page says beside the title; "" and None are left out.

    ``date`` is the day of the report as it is written there. ``anonymous`` is a report that names
    no host and no account. ``sections`` are the names of those that it holds, None for all;
    ``opening`` stands before them, paragraphs parted by empty lines.
    """

    client: str = ""
    author: str = ""
    date: str = ""
    logo: Logo | None = None
    anonymous: bool = False
    sections: frozenset[str] | None = None
    opening: str = ""

    @classmethod
    def typed(
        cls, client: str, author: str, date: str, logo: str, *, anonymous: bool = False
    ) -> Cover:
        """A cover as it was typed, ``logo`` a file's name; raises UsageError for what is none."""
        client, author, date = (" ".join(text.split()) for text in (client, author, date))
        made = cls(client, author, date, anonymous=anonymous)
        for what, text in (("client", made.client), ("author", made.author), ("date", made.date)):
            if not text.isprintable():
                raise UsageError(f"The {what} can't hold control characters.")
            if len(text) > LONGEST_LINE:
                raise UsageError(f"The {what} can't be longer than {LONGEST_LINE} letters.")
        return replace(made, logo=read_logo(typed_path(logo))) if logo.strip() else made

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Its lines by their labels."""
        lines = (("client", self.client), ("author", self.author), ("date", self.date))
        return tuple(each for each in lines if each[1])


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
