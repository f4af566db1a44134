"""Markdown pages in the window's own type sizes."""

from __future__ import annotations

import math

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser

from app.theme import tokens
from app.theme.appearance import ui_font

SEMIBOLD = 600
HEADING_SIZES = {1: tokens.TYPE_FIGURE, 2: tokens.TYPE_SENTENCE}


class MarkdownBrowser(QTextBrowser):
    """Shows Markdown; ``whole``: as high as its text, which what it stands in scrolls."""

    def __init__(self, name: str, *, whole: bool = False) -> None:
        """``name`` is for readers of the screen."""
        super().__init__()
        self._whole = whole
        self._page: QTextDocument | None = None
        self.setProperty("role", "page")
        self.setAccessibleName(name)
        if whole:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_markdown(self, text: str) -> None:
        """Lay ``text`` out; Qt's own headings are far too large for a panel."""
        before, page = self._page, QTextDocument(self)
        page.setUndoRedoEnabled(False)
        page.setDefaultFont(self.document().defaultFont())
        page.setMarkdown(text)
        # Before it is in a browser, which lays a table out with every word that changes.
        block = page.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level:
                _set_heading(block, HEADING_SIZES.get(level, tokens.TYPE_BODY))
            else:
                _soften(block)
            block = block.next()
        policy = self.verticalScrollBarPolicy()
        if not self._whole:
            # A long page is laid out once, not without the bar at first; a short one takes no time.
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setDocument(page)
        self.setVerticalScrollBarPolicy(policy)
        self._page = page
        if before is not None:
            before.deleteLater()
        if self._whole:
            layout = page.documentLayout()
            layout.documentSizeChanged.connect(self._grow)
            self._grow(layout.documentSize())

    def _grow(self, size: QSizeF) -> None:
        self.setFixedHeight(math.ceil(size.height()) + 4)


def _set_heading(block: QTextBlock, size: int) -> None:
    cursor = QTextCursor(block)
    cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
    look = QTextCharFormat()
    look.setFont(ui_font(size, SEMIBOLD))
    cursor.setCharFormat(look)
    space = QTextBlockFormat()
    space.setTopMargin(tokens.SPACE_L)
    space.setBottomMargin(tokens.SPACE_XS)
    QTextCursor(block).mergeBlockFormat(space)


def _soften(block: QTextBlock) -> None:
    """Bold words in the heaviest weight that ships, instead of one that Qt makes up."""
    for spot in block.textFormats():
        if spot.format.fontWeight() > SEMIBOLD:
            cursor = QTextCursor(block)
            start = block.position() + spot.start
            cursor.setPosition(start)
            cursor.setPosition(start + spot.length, QTextCursor.MoveMode.KeepAnchor)
            look = QTextCharFormat()
            look.setFontWeight(SEMIBOLD)
            cursor.mergeCharFormat(look)
