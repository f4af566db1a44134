"""A document on pages: cover, what is in it, the pieces where they stand, numbers at the foot."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from advisor.report.client.cover import Logo, LogoKind
from advisor.report.client.document import Document, Paragraph, Role, plain
from advisor.report.safe_text import visible
from app.printing.pieces import Piece, SetText, line
from app.printing.sheet import LINE, POINT, QUIET, TEXT, Sheet, type_of
from app.printing.typeset import FRAME, Typesetter
from probes.errors import UsageError

Result = TypeVar("Result")

LOGO_WIDTH, LOGO_HEIGHT = 180 * POINT, 64 * POINT
BAR = 1.5 * POINT
"""The line beside what belongs together."""

_KEEP = Qt.AspectRatioMode.KeepAspectRatio

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
class Pages:
    """A document that was laid out; ``count`` pages, the first of them the cover."""

    document: Document
    sheet: Sheet
    body: tuple[Page, ...]
    marks: tuple[Mark, ...]

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.body) + 1

    def draw(self, painter: QPainter, number: int) -> None:
        """Draw a page, from 0, in tenths of a point."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if number == 0:
            _cover(painter, self)
            return
        left, sheet = self.sheet.margin, self.sheet
        page = self.body[number - 1]
        _frames(painter, page, left)
        for each in page.placed:
            inside = left + (FRAME if each.piece.group else 0.0)
            each.piece.draw(painter, inside, each.top)
        y = sheet.height - sheet.margin - 12 * POINT
        line(painter, QPointF(left, y), sheet.column)
        base = y + 12 * POINT
        _foot(painter, self.document.title, left, base)
        _foot(painter, f"Page {number + 1} of {self.count}", left + sheet.column, base, right=True)


def lay_out(document: Document, sheet: Sheet) -> Generator[None, None, Pages]:
    """Lay a document out in steps of some milliseconds; returns its pages at the end.

    Raises UsageError where the logo can't be drawn: whoever draws the pages later hears of it now.
    """
    if document.cover.logo is not None:
        _read(document.cover.logo)
        yield
    setter, pieces = Typesetter.of(sheet.column), list[Piece]()
    for block in document.blocks:
        for piece in setter.pieces(block):
            pieces.append(piece)
            yield
    last = Paragraph(plain(document.last), Role.LABEL)
    pieces += (replace(piece, keeps=False) for piece in setter.pieces(last))
    body = yield from _paged(pieces, sheet)
    marks = [
        Mark(*each.piece.mark, number, each.top)
        for number, page in enumerate(body, 1)
        for each in page.placed
        if each.piece.mark is not None
    ]
    return Pages(document, sheet, tuple(body), tuple(marks))


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
    height, place = piece.height, len(queue) - 1
    before = piece
    while before.keeps and place >= 0:
        following = queue[place]
        height += following.before + _least(following)
        before, place = following, place - 1
    starts = piece.group and (not page.placed or page.placed[-1].piece.group != piece.group)
    if starts:
        whole = piece.height
        for each in reversed(queue):
            if each.group != piece.group:
                break
            whole += each.before + each.height
        if whole <= sheet.room and left < LOOSE * sheet.room:
            return max(height, whole)
    return height


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


def _cover(painter: QPainter, pages: Pages) -> None:
    """Logo, title, lines of the cover and of the run; then what is in it."""
    sheet, document = pages.sheet, pages.document
    left, y = sheet.margin, sheet.margin
    if document.cover.logo is not None:
        _logo(painter, document.cover.logo, QRectF(left, y, LOGO_WIDTH, LOGO_HEIGHT))
    y += LOGO_HEIGHT + 60 * POINT
    title = SetText(plain(document.title), type_of(26, weight=600), sheet.column)
    title.draw(painter, left, y, 0, title.lines)
    y += title.tops[-1] + 18 * POINT
    line(painter, QPointF(left, y), sheet.column, TEXT, 1.0)
    y += 14 * POINT
    for rows, points in ((document.cover.rows, 12.0), (document.facts, 9.5)):
        place = QRectF(left, y, sheet.column, sheet.height)
        y = _rows(painter, rows, points, place) + 10 * POINT
    if document.notice:
        notice = SetText(plain(document.notice), type_of(10.5, weight=600), sheet.column)
        notice.draw(painter, left, y, 0, notice.lines)
        y += notice.tops[-1] + 10 * POINT
    _contents(painter, pages, y + 14 * POINT)


def _rows(
    painter: QPainter, rows: Sequence[tuple[str, str]], points: float, place: QRectF
) -> float:
    """Draw labels and texts from the top of a place on; returns where they end."""
    font, indent, y = type_of(points), 84 * POINT, place.top()
    for label, said in rows:
        name = SetText(plain(label), font, indent, colour=QUIET)
        text = SetText(plain(said), font, place.width() - indent)
        name.draw(painter, place.left(), y, 0, name.lines)
        text.draw(painter, place.left() + indent, y, 0, text.lines)
        y += max(name.tops[-1], text.tops[-1]) + 3 * POINT
    return y


def _contents(painter: QPainter, pages: Pages, y: float) -> None:
    """The sections with their pages, as far as there is room."""
    left, right = pages.sheet.margin, pages.sheet.margin + pages.sheet.column
    font = type_of(9.5)
    step = font.pixelSize() * 1.55
    for mark in pages.marks:
        if mark.level > 1 or y + step > pages.sheet.height - pages.sheet.margin:
            continue
        text = SetText(plain(mark.text), font, right - left - 40 * POINT)
        text.draw(painter, left, y, 0, 1)
        number = SetText(plain(str(mark.page + 1)), font, 30 * POINT, right=True)
        number.draw(painter, right - 30 * POINT, y, 0, 1)
        y += step
        line(painter, QPointF(left, y - step * 0.12), right - left)


def _logo(painter: QPainter, logo: Logo, room: QRectF) -> None:
    """As large as there is room, never out of shape."""
    picture = _read(logo)
    if isinstance(picture, QSvgRenderer):
        size = picture.defaultSize().toSizeF().scaled(room.size(), _KEEP)
        picture.render(painter, QRectF(room.topLeft(), size))
        return
    size = picture.size().toSizeF().scaled(room.size(), _KEEP)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(QRectF(room.topLeft(), size), picture)


def _read(logo: Logo) -> QSvgRenderer | QImage:
    """The picture as Qt reads it; raises UsageError where it can't."""
    if logo.kind is LogoKind.SVG:
        renderer = QSvgRenderer(QByteArray(logo.content))
        if renderer.isValid() and not renderer.defaultSize().isEmpty():
            return renderer
    else:
        image = QImage.fromData(logo.content)
        if not image.isNull():
            return image
    raise UsageError(
        "The logo can't be drawn: its picture is damaged.",
        "Save it again as PNG or plain SVG, or leave it out.",
    )
