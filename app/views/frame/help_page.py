"""What F1 shows in place of a page: keys, documentation, glossary and licences, with a search."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from app.presenters.frame.manual import HelpSection, found, led_to, manual
from app.presenters.texts.typesetting import plain_tip
from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import label
from app.views.widgets.layouts import column, row
from app.views.widgets.markdown import MarkdownBrowser
from app.views.widgets.page_head import AsidePage
from app.views.widgets.search_field import SearchField

LIST_WIDTH, ROW_HEIGHT = 300, 26
SECTION = Qt.ItemDataRole.UserRole


class HelpPage(AsidePage):
    """A list of pages with their sections, and one section beside it."""

    name, picture = tr("Help"), "book-open"

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.search = SearchField(appearance, tr("A word or a setting"), tr("Search the help"))
        self.search.textChanged.connect(self._list)
        self.topics = QTreeWidget()
        self.topics.setAccessibleName(tr("Topics"))
        self.topics.setHeaderHidden(True)
        self.topics.setColumnCount(1)
        self._next = Debounce(self, 0, self._show)
        self.topics.currentItemChanged.connect(lambda _now, _before: self._next.start())
        self._none = label(tr("Nothing matches."), "quiet")
        self.text = MarkdownBrowser(tr("The topic"))
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._follow)
        self.back = Button(appearance, tr("Back"), "arrow-left", "quiet")
        self.back.clicked.connect(self.left)
        listed = column(space=tokens.SPACE_S)
        listed.addLayout(row(self.search, self.back, space=tokens.SPACE_XS))
        listed.addWidget(self._none)
        listed.addWidget(self.topics, 1)
        left = QWidget()
        left.setLayout(listed)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setHandleWidth(tokens.SPACE_XL)
        halves.setChildrenCollapsible(False)
        halves.addWidget(left)
        halves.addWidget(self.text)
        halves.setStretchFactor(1, 1)
        halves.setSizes([LIST_WIDTH, 1000])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_M)
        layout.addWidget(halves)
        # Links keep the colour that they were written in.
        appearance.follow(self._show)
        self._list()

    def take_focus(self) -> None:
        """To the search."""
        self.search.setFocus()
        self.search.selectAll()

    def choose(self, page: str) -> None:
        """Show a page by its name, whatever was searched for."""
        self.search.clear()
        self._go(next(one for one in manual() if one.page == page))

    def _list(self) -> None:
        """All pages with their sections; where something was typed, the sections that have it."""
        typed = self.search.text().strip()
        self.topics.clear()
        if typed:
            items = [_item(one.name, one) for one in found(manual(), typed)]
        else:
            items = list(_pages(manual()))
        self.topics.setRootIsDecorated(not typed)
        self.topics.addTopLevelItems(items)
        self._none.setVisible(not items)
        if items:
            self.topics.setCurrentItem(items[0])

    def _show(self) -> None:
        item = self.topics.currentItem()
        section = None if item is None else item.data(0, SECTION)
        if item is None or not isinstance(section, HelpSection):
            return
        item.setExpanded(True)
        self.text.show_markdown(section.shown)
        typed = self.search.text().strip()
        if typed:
            self.text.find(typed)

    def _follow(self, link: QUrl) -> None:
        there = led_to(link.toString())
        if there is None:
            QDesktopServices.openUrl(link)
        else:
            self.search.clear()
            self._go(there)

    def _go(self, section: HelpSection) -> None:
        """Choose a section in the whole list."""
        walk = QTreeWidgetItemIterator(self.topics)
        while (item := walk.value()) is not None:
            if item.data(0, SECTION) == section:
                self.topics.setCurrentItem(item)
                self.topics.scrollToItem(item)
                return
            walk += 1


def _pages(sections: Iterable[HelpSection]) -> Iterable[QTreeWidgetItem]:
    """A page has its sections below it; its own item shows the first of them."""
    for _, group in groupby(sections, lambda one: one.page):
        first, *others = group
        page = _item(first.title, first)
        below = [first, *others] if first.heading else others
        page.addChildren([_item(one.heading, one) for one in below])
        yield page


def _item(text: str, section: HelpSection) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setToolTip(0, plain_tip(text))
    item.setSizeHint(0, QSize(0, ROW_HEIGHT))
    item.setData(0, SECTION, section)
    return item
