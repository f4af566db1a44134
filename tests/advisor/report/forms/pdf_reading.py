"""Reads a PDF as a viewer does: its pages, their text, outline, links and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pypdf import PdfReader


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link is on its page, in points from the lower left corner, and where it leads."""

    left: float
    bottom: float
    right: float
    top: float
    to_page: int
    to_height: float


class Pdf:
    """A file; its pages are counted from 1."""

    def __init__(self, content: bytes) -> None:
        self._reader = PdfReader(BytesIO(content), strict=True)
        self.pages = self._reader.pages
        self.title = self._reader.metadata.title if self._reader.metadata else ""
        self.author = self._reader.metadata.author if self._reader.metadata else ""
        root: Any = self._reader.trailer["/Root"]
        self.language = str(root["/Lang"])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the first page in points."""
        box = self.pages[0].mediabox
        return round(box.width), round(box.height)

    def text(self, page: int) -> str:
        """What stands on a page, its foot left out; the cover has none."""
        found = self.pages[page - 1].extract_text()
        return found if page == 1 else found.rpartition("\n")[0]

    def lines(self, page: int) -> list[str]:
        """The text by its lines."""
        return [line for line in self.text(page).splitlines() if line.strip()]

    def places(self, page: int) -> list[tuple[str, float, float]]:
        """Each piece of text with the place that it begins at, from the lower left corner."""
        found: list[tuple[str, float, float]] = []

        def see(text: str, page_: Sequence[float], at: Sequence[float], *_rest: object) -> None:
            if text.strip():
                left = at[4] * page_[0] + at[5] * page_[2] + page_[4]
                found.append((text, left, at[4] * page_[1] + at[5] * page_[3] + page_[5]))

        self.pages[page - 1].extract_text(visitor_text=see)
        return found

    def links(self, page: int) -> list[Link]:
        """Those on a page."""
        held: Any = self.pages[page - 1].get("/Annots", [])
        found = []
        for one in (each.get_object() for each in held):
            to: Any = one["/Dest"].get_object()
            number = self._reader.get_page_number(to[0].get_object())
            left, bottom, right, top = map(float, one["/Rect"])
            found.append(Link(left, bottom, right, top, (number or 0) + 1, float(to[3])))
        return found

    def pictures(self) -> list[tuple[int, int]]:
        """Width and height, in pixels, of each picture that is in the file."""
        found = []
        for page in self.pages:
            resources: Any = page["/Resources"]
            for one in resources.get("/XObject", {}).values():
                held: Any = one.get_object()
                if "/Width" in held:
                    found.append((int(held["/Width"]), int(held["/Height"])))
        return found

    def outline(self) -> list[tuple[int, str, int]]:
        """Level, text and page of each line."""
        return list(self._lines(self._reader.outline, 1))

    def _lines(self, found: Any, level: int) -> Iterator[tuple[int, str, int]]:
        for each in found:
            if isinstance(each, list):
                yield from self._lines(each, level + 1)
            else:
                yield level, each.title, (self._reader.get_destination_page_number(each) or 0) + 1
