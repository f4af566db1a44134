"""What F1 shows in place of a page: the keys, what Leadline leaves alone, and the licences."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QTextBrowser, QVBoxLayout, QWidget

from app.presenters.frame.shortcuts import SHORTCUTS
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.card import CardFrame
from app.views.widgets.labels import label
from app.views.widgets.layouts import scrolled
from app.views.widgets.markdown import show_markdown
from app.views.widgets.page_head import AsidePage, Offer, PageHead
from probes._version import __version__

KEYS_WIDTH = 150
COLUMNS = 2


class HelpPage(AsidePage):
    """As high as its texts."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.head = PageHead(appearance, tokens.SPACE_M)
        body = QWidget()
        body.setObjectName("pageBody")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        inner.setSpacing(tokens.SPACE_L)
        cards = QGridLayout()
        cards.setSpacing(tokens.SPACE_L)
        for column in range(COLUMNS):
            cards.setColumnStretch(column, 1)
        for at, (title, keys) in enumerate(SHORTCUTS):
            cards.addWidget(_card(title, keys), at // COLUMNS, at % COLUMNS)
        inner.addLayout(cards)
        text = QTextBrowser()
        text.setProperty("role", "page")
        text.setAccessibleName(tr("About Leadline"))
        text.setOpenExternalLinks(True)
        text.setMinimumHeight(320)
        about = files("resources").joinpath("texts", "about.md")
        show_markdown(text, about.read_text("utf-8"))
        inner.addWidget(text)
        inner.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(scrolled(body, tr("Keys and licences")), 1)
        self.head.display(
            tr("Leadline {version}: everything works by keyboard.", version=__version__),
            Offer(tr("Back"), "arrow-left", self.left.emit, kind=""),
        )

    def take_focus(self) -> None:
        """To the way back."""
        self.head.button.setFocus()


def _card(title: str, keys: tuple[tuple[str, str], ...]) -> CardFrame:
    card = CardFrame(title)
    grid = card.add_labelled(KEYS_WIDTH)
    for line, (pressed, does) in enumerate(keys):
        grid.addWidget(label(pressed, "quiet"), line, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(does, wrap=True), line, 1, Qt.AlignmentFlag.AlignTop)
    return card
