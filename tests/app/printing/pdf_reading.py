"""Reads a PDF as a viewer does: from its last table of objects to pages, outline and links."""

from __future__ import annotations

import re
from collections.abc import Iterator


class Pdf:
    """A file whose objects all stand where its tables say; anything else fails."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._places: dict[int, int] = {}
        end = re.search(rb"startxref\s+(\d+)\s+%%EOF\s*$", content)
        assert end is not None
        trailer = self._tables(int(end[1]))
        self.root = self.object(self._reference(trailer, b"Root"))
        self.info = self.object(self._reference(trailer, b"Info"))
        pages = self.object(self._reference(self.root, b"Pages"))
        kids = re.search(rb"/Kids\s*\[(.*?)\]", pages, re.DOTALL)
        assert kids is not None
        self.pages = [int(each) for each in re.findall(rb"(\d+) 0 R", kids[1])]
        assert all(b"/Type /Page" in self.object(each) for each in self.pages)

    def _tables(self, start: int) -> bytes:
        """Read the newest table first; what an older one says of an object counts no more."""
        table = re.match(rb"xref\n(.*?)trailer\s*<<(.*?)>>", self._content[start:], re.DOTALL)
        assert table is not None
        lines = table[1].splitlines()
        while lines:
            first, many = map(int, lines.pop(0).split())
            for number, line in enumerate(lines[:many], first):
                if line.split()[2] == b"n":
                    self._places.setdefault(number, int(line.split()[0]))
            lines = lines[many:]
        before = re.search(rb"/Prev (\d+)", table[2])
        if before is not None:
            self._tables(int(before[1]))
        return table[2]

    def object(self, number: int) -> bytes:
        """What stands at its place."""
        found = re.compile(rb"\s*%d 0 obj\s*(.*?)\s*endobj" % number, re.DOTALL).match(
            self._content, self._places[number]
        )
        assert found is not None
        return found[1]

    def _reference(self, content: bytes, name: bytes) -> int:
        found = re.search(rb"/%s (\d+) 0 R" % name, content)
        assert found is not None
        return int(found[1])

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the first page in points."""
        found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", self._content)
        assert found is not None
        return float(found[1]), float(found[2])

    def links(self, page: int) -> list[tuple[tuple[float, ...], int, float]]:
        """Of a page, from 1: each link's place, and the page (from 1) and height that it leads to.

        A place is left, bottom, right and top, in points.
        """
        held = self.object(self._reference(self.object(self.pages[page - 1]), b"Annots"))
        return [
            (tuple(map(float, rect.split())), self.pages.index(int(to)) + 1, float(up))
            for rect, to, up in re.findall(
                rb"/Subtype /Link .*?/Rect \[(.*?)\] /Dest \[(\d+) 0 R /XYZ null ([\d.]+) null\]",
                held,
            )
        ]

    def pictures(self) -> list[tuple[int, int]]:
        """Width and height, in pixels, of each picture that is in the file."""
        kept = [self.object(number) for number in self._places]
        sizes = [
            re.search(rb"/Width (\d+)\s+/Height (\d+)", one)
            for one in kept
            if b"/Subtype /Image" in one
        ]
        return [(int(size[1]), int(size[2])) for size in sizes if size is not None]

    def outline(self) -> list[tuple[int, str, int]]:
        """Level, text and page (from 1) of each line, as a viewer walks them."""
        assert b"/PageMode /UseOutlines" in self.root
        return list(self._lines(self.object(self._reference(self.root, b"Outlines")), 1))

    def _lines(self, parent: bytes, level: int) -> Iterator[tuple[int, str, int]]:
        if b"/First" not in parent:
            return
        number, last = self._reference(parent, b"First"), self._reference(parent, b"Last")
        while True:
            line = self.object(number)
            title = re.search(rb"/Title <FEFF([0-9A-F]*)>", line)
            page = re.search(rb"/Dest \[(\d+) 0 R /XYZ null [\d.]+ null\]", line)
            assert title is not None
            assert page is not None
            text = bytes.fromhex(title[1].decode()).decode("utf-16-be")
            yield level, text, self.pages.index(int(page[1])) + 1
            yield from self._lines(line, level + 1)
            if number == last:
                return
            number = self._reference(line, b"Next")
