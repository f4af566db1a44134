"""The help stands in place of the page, and whatever else is asked for leads back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.controllers.selection import Selection
from app.theme.appearance import Appearance
from app.views.frame.help_page import HelpPage
from app.views.frame.sidebar import Sidebar
from app.views.widgets.layouts import Pile


class Helping(QObject):
    """Makes the page when it is first asked for."""

    def __init__(
        self,
        appearance: Appearance,
        stack: Pile,
        selection: Selection,
        sidebar: Sidebar,
        back: Callable[[], None],
    ) -> None:
        """``back`` shows the page that was in front before."""
        super().__init__(stack)
        self._appearance, self._stack, self._back = appearance, stack, back
        self.page: HelpPage | None = None
        selection.chosen.connect(self.leave)
        # Who presses what is chosen already wants to see it, too.
        sidebar.tree.clicked.connect(self.leave)

    def show(self) -> None:
        """The keys and the licences; any tab, a chosen run and Escape lead back."""
        if self.page is None:
            self.page = HelpPage(self._appearance)
            self.page.left.connect(self.leave)
            self._stack.addWidget(self.page)
            self._appearance.dress(self.page)
        self._stack.setCurrentWidget(self.page)
        self.page.head.button.setFocus()

    def leave(self) -> None:
        """Back, where the help is in front."""
        if self.page is not None and self._stack.currentWidget() is self.page:
            self._back()
