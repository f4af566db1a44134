"""Pages that stand in place of the one in front: help, all servers, a trial, a lab."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from app.controllers.selection import Selection
from app.theme.appearance import Appearance
from app.views.frame.header import TargetHeader
from app.views.frame.sidebar import Sidebar
from app.views.widgets.layouts import Pile
from app.views.widgets.page_head import AsidePage


@dataclass(frozen=True, slots=True)
class Places:
    """Parts of the frame that a page of no target has to do with."""

    appearance: Appearance
    stack: Pile
    selection: Selection
    sidebar: Sidebar
    header: TargetHeader


class Aside(QObject):
    """A page of no target stands in place of one, and whatever else is asked for leads back.

    It is made when it is first asked for.
    """

    def __init__(
        self, places: Places, make: Callable[[], AsidePage], back: Callable[[], None]
    ) -> None:
        """``back`` shows the page that was in front before."""
        super().__init__(places.stack)
        self._places, self._make, self._back = places, make, back
        self.page: AsidePage | None = None
        places.selection.chosen.connect(self.leave)
        # Who presses what is chosen already wants to see it, too.
        places.sidebar.tree.clicked.connect(self.leave)
        places.stack.currentChanged.connect(self._page_changed)

    def show(self) -> None:
        """Any tab, a chosen run and Escape lead back."""
        if self.page is None:
            self.page = self._make()
            self.page.left.connect(self.leave)
            self._places.stack.addWidget(self.page)
            self._places.appearance.dress(self.page)
        self._places.stack.setCurrentWidget(self.page)
        self.page.take_focus()

    def leave(self) -> None:
        """Back, where it is in front."""
        if self.in_front:
            self._back()

    @property
    def in_front(self) -> bool:
        """Whether it is what the window shows."""
        return self.page is not None and self._places.stack.currentWidget() is self.page

    def _page_changed(self) -> None:
        """What is over the page is its own name, or the chosen target's again.

        Each of them hears of it, also where another one has come to the front.
        """
        if self.page is None:
            return
        shown = self._places.stack.currentWidget()
        name, picture = (shown.name, shown.picture) if isinstance(shown, AsidePage) else ("", "")
        self._places.header.show_aside(name, picture)
        self._places.sidebar.show_aside(aside=bool(name))


@dataclass(frozen=True, slots=True)
class Asides:
    """Those that stand beside the six pages."""

    help: Aside
    servers: Aside
    trial: Aside
    lab: Aside
    history: Aside
