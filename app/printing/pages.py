"""A document on pages: cover, what is in it, the pieces where they stand, numbers at the foot."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from advisor.report.document.blocks import Document, Paragraph, Role, plain
from advisor.report.safe_text import visible
from app.printing.cover import Section, cover_pieces, read_logo
from app.printing.pieces import Piece, line
from app.printing.sheet import LINE, POINT, QUIET, Sheet, type_of
from app.printing.typeset import FRAME, Typesetter

Result = TypeVar("Result")

BAR = 1.5 * POINT
"""The line beside what belongs together."""

FULL = 0.25
"""What is less filled than this goes on instead of beginning a new page."""

LOOSE = 0.25
"""What would leave more of a page empty is cut instead of kept together."""


@dataclass(frozen=True)
class Placed:
    """A piece with its place on a page."""

    piece: Piece
    top: float


@dataclass
class Page:
    """The pieces of a page."""

    placed: list[Placed] = field(default_factory=list)


@dataclass(frozen=True)
class Mark:
    """A line of the outline: its level from 1, its text, its page from 0, and where on it."""

    level: int
    text: str
    page: int
    top: float


@dataclass(frozen=True)
class Link:
    """A place on a page that leads to another one; pages from 0."""

    page: int
    area: QRectF
    to_page: int
    to_top: float


@dataclass(frozen=True)
class Pages:
    """A document that was laid out: its cover, then the pages of its ``body``."""

    document: Document
    sheet: Sheet
    cover: Page
    body: tuple[Page, ...]
    marks: tuple[Mark, ...]

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.body) + 1

    def draw(self, painter: QPainter, number: int) -> None:
        """Draw a page, from 0, in tenths of a point."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, sheet = self.sheet.margin, self.sheet
        page = self.body[number - 1] if number else self.cover
        _frames(painter, page, left)
        for each in page.placed:
            each.piece.draw(painter, self._left(each.piece), each.top)
        if not number:
            return
        y = sheet.height - sheet.margin - 12 * POINT
        line(painter, QPointF(left, y), sheet.column)
        base = y + 12 * POINT
        _foot(painter, self.document.title, left, base)
        _foot(painter, f"Page {number + 1} of {self.count}", left + sheet.column, base, right=True)

    def links(self) -> Iterator[Link]:
        """Every word that leads to a place that was laid out."""
        pages = (self.cover, *self.body)
        ends: dict[str, tuple[int, float]] = {}
        for number, page in enumerate(pages):
            for each in page.placed:
                ends.setdefault(each.piece.anchor, (number, each.top))
        for number, page in enumerate(pages):
            for each in page.placed:
                for area, anchor in each.piece.links(self._left(each.piece), each.top):
                    if anchor in ends:
                        yield Link(number, area, *ends[anchor])

    def _left(self, piece: Piece) -> float:
        """Where a piece begins."""
        return self.sheet.margin + (FRAME if piece.group else 0.0)


def lay_out(document: Document, sheet: Sheet) -> Generator[None, None, Pages]:
    """Lay a document out in steps of some milliseconds; returns its pages at the end.

    Raises UsageError where the logo can't be drawn: whoever draws the pages later hears of it now.
    """
    logo = None if document.cover.logo is None else read_logo(document.cover.logo)
    yield
    setter, pieces = Typesetter.of(sheet.column), list[Piece]()
    for block in document.blocks:
        for piece in setter.pieces(block):
            pieces.append(piece)
            yield
    last = Paragraph(plain(document.last), Role.LABEL)
    pieces += (replace(piece, keeps=False) for piece in setter.pieces(last))
    body = yield from _paged(pieces, sheet)
    marks, sections = list[Mark](), list[Section]()
    for number, page in enumerate(body, 1):
        for each in page.placed:
            if each.piece.mark is not None:
                mark = Mark(*each.piece.mark, number, each.top)
                marks.append(mark)
                if mark.level == 1:
                    sections.append(Section(mark.text, each.piece.anchor, number))
    cover = _stacked(cover_pieces(document, logo, sections, sheet), sheet)
    return Pages(document, sheet, cover, tuple(body), tuple(marks))


def _stacked(pieces: Iterable[Piece], sheet: Sheet) -> Page:
    """One below the other, as far as there is room on a page."""
    page, y = Page(), sheet.margin
    for piece in pieces:
        y += piece.before
        if y + piece.height > sheet.height - sheet.margin:
            break
        page.placed.append(Placed(piece, y))
        y += piece.height
    return page


def _paged(pieces: Sequence[Piece], sheet: Sheet) -> Generator[None, None, list[Page]]:
    """Put pieces on pages: headings with what follows, groups whole where that leaves no hole.

    A page is a step; returns them all.
    """
    pages, top, bottom = [Page()], sheet.margin, sheet.margin + sheet.room
    y, queue = top, list(reversed(pieces))
    while queue:
        piece, page = queue.pop(), pages[-1]
        start = y + (piece.before if page.placed else 0.0)
        here, rest = _fitting(piece, queue, page, sheet, bottom - start)
        if here is None or (piece.new_page and y > top + FULL * sheet.room):
            pages.append(Page())
            yield
            y = top
            queue.append(replace(piece, new_page=False, again=None))
            if piece.again is not None:
                queue.append(piece.again)
            continue
        page.placed.append(Placed(here, start))
        y = start + here.height
        if rest is not None:
            queue.append(rest)
    return pages


def _fitting(
    piece: Piece, queue: Sequence[Piece], page: Page, sheet: Sheet, room: float
) -> tuple[Piece | None, Piece | None]:
    """What of a piece stands in the room of this page, and what is left for the next."""
    if _needed(piece, queue, page, sheet, room) <= room:
        return piece, None
    cut = piece.cut(room) if piece.height > room else None
    if cut is not None:
        return cut
    # What is higher than any page can't wait for a better one.
    return (None, piece) if page.placed else (piece, None)


def _needed(piece: Piece, queue: Sequence[Piece], page: Page, sheet: Sheet, left: float) -> float:
    """The room that it takes with what must stand beside it."""
    group = page.placed[-1].piece.group if page.placed else 0
    needed = taken = 0.0
    height, place = piece.height, len(queue) - 1
    while True:
        if piece.group and piece.group != group:
            whole = _whole(piece, queue[: place + 1])
            if whole <= sheet.room and left - taken < LOOSE * sheet.room:
                needed = max(needed, taken + whole)
        if not piece.keeps or place < 0:
            return max(needed, height)
        group, piece, place = piece.group, queue[place], place - 1
        taken = height + piece.before
        height = taken + _least(piece)


def _whole(first: Piece, queue: Sequence[Piece]) -> float:
    """The room of all pieces of its group."""
    whole = first.height
    for each in reversed(queue):
        if each.group != first.group:
            break
        whole += each.before + each.height
    return whole


def _least(piece: Piece) -> float:
    """What of a piece must stand below a heading: a part, where it can be cut."""
    cut = piece.cut(piece.height * 0.75)
    return piece.height if cut is None or piece.keeps else cut[0].height


def _frames(painter: QPainter, page: Page, left: float) -> None:
    """A line beside all pieces of a group."""
    edges: dict[int, tuple[float, float]] = {}
    for each in page.placed:
        if group := each.piece.group:
            top, _ = edges.get(group, (each.top, 0.0))
            edges[group] = (top, each.top + each.piece.height)
    for top, bottom in edges.values():
        painter.fillRect(QRectF(left, top, BAR, bottom - top), QColor(LINE))


def _foot(painter: QPainter, text: str, x: float, base: float, *, right: bool = False) -> None:
    font = type_of(7.5)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(QColor(QUIET))
    shown = visible(text).replace("\n", " ")
    if right:
        x -= metrics.horizontalAdvance(shown)
    painter.drawText(QPointF(x, base), shown[:100])
