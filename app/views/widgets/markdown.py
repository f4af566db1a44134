"""Markdown pages in the window's own type sizes."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser

from app.theme import tokens
from app.theme.appearance import ui_font

SEMIBOLD = 600
HEADING_SIZES = {1: tokens.TYPE_FIGURE, 2: tokens.TYPE_SENTENCE}


def page_browser(name: str) -> QTextBrowser:
    """A browser as high as its text, which what it stands in scrolls; ``name`` is for readers."""
    browser = QTextBrowser()
    browser.setProperty("role", "page")
    browser.setAccessibleName(name)
    browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    browser.document().documentLayout().documentSizeChanged.connect(
        lambda size: browser.setFixedHeight(math.ceil(size.height()) + 4)
    )
    return browser


def show_markdown(browser: QTextBrowser, text: str) -> None:
    """Lay ``text`` out; Qt's own headings are far too large for a panel."""
    browser.setMarkdown(text)
    block = browser.document().begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        if level:
            _set_heading(block, HEADING_SIZES.get(level, tokens.TYPE_BODY))
        else:
            _soften(block)
        block = block.next()
    browser.moveCursor(QTextCursor.MoveOperation.Start)


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
