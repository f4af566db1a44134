"""Pages as a PDF file: vectors and real text, with an outline and links."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QPageLayout, QPainter, QPdfWriter

from advisor.report.document.blocks import Document
from advisor.report.safe_text import visible
from app.printing.navigation import Bookmark, Jump, with_navigation
from app.printing.pages import Pages, lay_out
from app.printing.sheet import POINT, Sheet
from probes.steps import result_of

DOTS_PER_INCH = 1200
POINTS_PER_INCH = 72
ABOVE = 6
"""Points that a viewer shows above what it was led to."""


def pdf_steps(document: Document, sheet: Sheet) -> Generator[None, None, bytes]:
    """Make a document's PDF in steps of some milliseconds; returns the file's bytes at the end.

    Raises UsageError where the logo can't be drawn.
    """
    pages = yield from lay_out(document, sheet)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    with _painted(buffer, pages) as (writer, painter):
        for number in range(pages.count):
            if number:
                writer.newPage()
            pages.draw(painter, number)
            yield
    bookmarks = [
        Bookmark(each.level, each.text, each.page, _up(sheet, each.top)) for each in pages.marks
    ]
    return with_navigation(bytes(buffer.data().data()), bookmarks, list(_jumps(pages)))


def _jumps(pages: Pages) -> Iterator[Jump]:
    """The links as a PDF has them."""
    height = pages.sheet.height
    for each in pages.links():
        area = each.area
        corners = (area.left(), height - area.bottom(), area.right(), height - area.top())
        left, bottom, right, top = (corner / POINT for corner in corners)
        place = left, bottom, right, top
        yield Jump(each.page, place, each.to_page, _up(pages.sheet, each.to_top))


def _up(sheet: Sheet, top: float) -> float:
    """What a viewer shows at its top, to show what stands there: points from the page's end."""
    return (sheet.height - top) / POINT + ABOVE


def to_pdf(document: Document, sheet: Sheet) -> bytes:
    """The PDF of a document, at once; raises UsageError where the logo can't be drawn."""
    return result_of(pdf_steps(document, sheet))


@contextmanager
def _painted(buffer: QBuffer, pages: Pages) -> Iterator[tuple[QPdfWriter, QPainter]]:
    """A writer whose painter draws in tenths of a point from the paper's corner."""
    writer = QPdfWriter(buffer)
    # On one line: what is looked up in the file afterwards begins lines of its own.
    writer.setTitle(" ".join(visible(pages.document.title).split()))
    writer.setAuthor(pages.document.cover.author)
    writer.setCreator("Leadline")
    writer.setResolution(DOTS_PER_INCH)
    writer.setPageSize(pages.sheet.size)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Point)
    painter = QPainter(writer)
    try:
        scale = DOTS_PER_INCH / POINTS_PER_INCH / POINT
        painter.scale(scale, scale)
        yield writer, painter
    finally:
        painter.end()
