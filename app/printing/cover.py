"""The first page of a document on paper: logo, title, whose it is, and what is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from advisor.report.document.blocks import Document, Span, Words, plain
from advisor.report.document.cover import Logo, LogoKind
from app.printing.pieces import Piece, RowPiece, SetText, TextPiece, line
from app.printing.sheet import LINE, POINT, QUIET, TEXT, Sheet, type_of
from probes.errors import UsageError

Picture = QSvgRenderer | QImage

LOGO_WIDTH, LOGO_HEIGHT = 180 * POINT, 64 * POINT
LABELS = 84 * POINT
"""The width of the labels before what they say."""

NUMBER = 30 * POINT
"""The width of a page's number."""

_KEEP = Qt.AspectRatioMode.KeepAspectRatio


@dataclass(frozen=True, slots=True)
class Section:
    """A line of what is in the document: its text, its anchor, and its page from 0."""

    text: str
    anchor: str
    page: int


@dataclass
class LogoPiece(Piece):
    """A logo as large as there is room, never out of shape; the room alone where there is none."""

    picture: Picture | None

    @property
    def height(self) -> float:
        """The same with every logo."""
        return LOGO_HEIGHT

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw the picture, where there is one."""
        room = QRectF(left, top, LOGO_WIDTH, LOGO_HEIGHT)
        if isinstance(self.picture, QSvgRenderer):
            size = self.picture.defaultSize().toSizeF().scaled(room.size(), _KEEP)
            self.picture.render(painter, QRectF(room.topLeft(), size))
        elif self.picture is not None:
            size = self.picture.size().toSizeF().scaled(room.size(), _KEEP)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(room.topLeft(), size), self.picture)


@dataclass
class RulePiece(Piece):
    """A line from edge to edge."""

    width: float

    @property
    def height(self) -> float:
        """None: it stands in the space above what follows."""
        return 0.0

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw it."""
        line(painter, QPointF(left, top), self.width, TEXT, 1.0)


def cover_pieces(
    document: Document, logo: Picture | None, sections: Sequence[Section], sheet: Sheet
) -> Iterator[Piece]:
    """What stands on the cover, from its top on."""
    width = sheet.column
    yield LogoPiece(logo)
    title = SetText(plain(document.title), type_of(26, weight=600), width)
    yield TextPiece(title, before=60 * POINT)
    yield RulePiece(width, before=18 * POINT)
    space = 14 * POINT
    for rows, points in ((document.cover.rows, 12.0), (document.facts, 9.5)):
        for label, said in rows:
            yield _row(label, said, points, width, space)
            space = 3 * POINT
        space = 13 * POINT
    if document.notice:
        notice = SetText(plain(document.notice), type_of(10.5, weight=600), width)
        yield TextPiece(notice, before=space)
        space = 10 * POINT
    space += 14 * POINT
    for each in sections:
        yield _line(each, width, space)
        space = 0.0


def _row(label: str, said: str, points: float, width: float, space: float) -> Piece:
    font = type_of(points)
    name = SetText(plain(label), font, LABELS, colour=QUIET)
    text = SetText(plain(said), font, width - LABELS)
    return RowPiece(((0.0, name), (LABELS, text)), width, 0.0, before=space)


def _line(section: Section, width: float, space: float) -> Piece:
    """A section's name and its page: both lead there."""
    font = type_of(9.5)

    def leads(text: str) -> Words:
        return (Span(text, to=section.anchor),)

    name = SetText(leads(section.text), font, width - NUMBER - 10 * POINT)
    number = SetText(leads(str(section.page + 1)), font, NUMBER, right=True)
    cells = ((0.0, name), (width - NUMBER, number))
    return RowPiece(cells, width, 1.3 * POINT, LINE, before=space)


def read_logo(logo: Logo) -> Picture:
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
