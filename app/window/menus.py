"""The menus: everything the window can do, with its shortcut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import icons
from app.theme.appearance import Appearance, Mode
from app.views.dialogs.closing import STOP_KEYS
from app.views.frame.header import PAGES as HEADER_PAGES
from app.window.recent_cases import RecentCases

if TYPE_CHECKING:
    from app.window.main_window import MainWindow
    from app.window.pages import Pages

Key = TypeVar("Key")

MODES = (
    (Mode.SYSTEM, "As the &system"),
    (Mode.LIGHT, "&Light"),
    (Mode.DARK, "&Dark"),
    (Mode.CONTRAST, "High &contrast"),
)


class Menus(QObject):
    """Builds the menu bar of a window."""

    def __init__(
        self, window: MainWindow, appearance: Appearance, preferences: Preferences
    ) -> None:
        super().__init__(window)
        self._window, self._appearance, self._preferences = window, appearance, preferences
        self._pictured: list[tuple[QAction, str]] = []
        self._later: list[QAction] = []
        self._file()
        self._run()
        self._view()
        self._help()
        appearance.changed.connect(self._dress)
        self._dress()

    def _menu(self, title: str) -> QMenu:
        menu: QMenu = self._window.menuBar().addMenu(title)
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._rest))
        return menu

    def _rest(self) -> None:
        """A menu that was left leaves its title as the others are."""
        if QApplication.activePopupWidget() is None:
            # None is no action, whatever the stub says.
            self._window.menuBar().setActiveAction(None)  # type: ignore[arg-type]

    def _action(
        self, menu: QMenu, text: str, keys: str, icon: str, call: Callable[[], object]
    ) -> QAction:
        action = menu.addAction(text)
        if keys:
            action.setShortcut(QKeySequence(keys))
            action.setAutoRepeat(False)
        if icon:
            self._pictured.append((action, icon))
        action.triggered.connect(lambda _checked=False: call())
        return action

    def _later_action(
        self, menu: QMenu, text: str, keys: str, icon: str, call: Callable[[Pages], object]
    ) -> None:
        """What needs the pages, off until they are there."""
        action = self._action(menu, text, keys, icon, lambda: call(self._window.pages))
        action.setEnabled(False)
        self._later.append(action)

    def enable(self) -> None:
        """The pages are there."""
        for action in self._later:
            action.setEnabled(True)

    def _file(self) -> None:
        window, menu, later = self._window, self._menu(tr("&File")), self._later_action
        later(menu, tr("&Add a target…"), "Ctrl+N", "plus", lambda pages: pages.targets.add())
        later(menu, tr("&Go to…"), "Ctrl+K", "search", lambda pages: pages.commands.ask())
        self._action(menu, tr("&Search"), "Ctrl+F", "search", window.sidebar.search.setFocus)
        later(menu, tr("Search the a&dvice"), "Ctrl+Shift+F", "", lambda pages: pages.find_advice())
        menu.addSeparator()
        later(
            menu,
            tr("&Import measurements…"),
            "Ctrl+I",
            "file-input",
            lambda pages: pages.importing.ask(),
        )
        self.recent = RecentCases(
            menu.addMenu(tr("Rece&nt cases")), self._preferences, window.take_files
        )
        later(
            menu, tr("&Report for a client…"), "Ctrl+P", "book-open", lambda pages: pages.report()
        )
        later(menu, tr("&Export the chart…"), "Ctrl+E", "download", lambda pages: pages.export())
        advice = lambda pages: pages.export_advice()  # noqa: E731
        later(menu, tr("Export the ad&vice or the case…"), "Ctrl+Shift+E", "", advice)
        later(
            menu,
            tr("&Copy the change plan"),
            "Ctrl+Shift+C",
            "copy",
            lambda pages: pages.copy_plan(),
        )
        menu.addSeparator()
        later(menu, tr("&Try the sample"), "", "", lambda _pages: window.try_sample())
        menu.addSeparator()
        self._action(menu, tr("&Quit"), "Ctrl+Q", "", window.close)

    def _run(self) -> None:
        window, menu, later = self._window, self._menu(tr("&Run")), self._later_action
        later(menu, tr("&Probe"), "Ctrl+R", "play", lambda pages: pages.probe_now())
        later(menu, tr("&Watch the server"), "Ctrl+Shift+R", "eye", lambda pages: pages.watch_now())
        bench = lambda pages: pages.benching.ask()  # noqa: E731
        later(menu, tr("&Bench directories…"), "Ctrl+Shift+B", "hard-drive", bench)
        self._action(menu, tr("&Stop measuring"), STOP_KEYS, "octagon-x", window.ask_to_stop)
        menu.addSeparator()
        later(menu, tr("&Look at the target again"), "F5", "refresh-cw", lambda pages: pages.look())
        rename = window.sidebar.name_chosen
        self._action(menu, tr("&Name the chosen run…"), "F2", "pencil", rename)
        delete = window.sidebar.delete_chosen
        self._action(menu, tr("&Delete the chosen run or target"), "", "trash-2", delete)
        self._action(menu, tr("&Undo the deletion"), "Ctrl+Z", "", window.deleting.undo)

    def _view(self) -> None:
        window, menu = self._window, self._menu(tr("&View"))
        for page, text in enumerate(HEADER_PAGES):
            show = lambda page=page: window.show_page(page)  # noqa: E731
            self._action(menu, text, f"Ctrl+{page + 1}", "", show)
        menu.addSeparator()
        self._action(menu, tr("Side&bar"), "Ctrl+B", "panel-left", window.toggle_sidebar)
        menu.addSeparator()
        modes = [(mode, text) for mode, text in MODES]
        appearance = menu.addMenu(tr("Appea&rance"))
        self._choices(appearance, modes, self._appearance.mode, window.choose_appearance)

    def _choices(
        self,
        menu: QMenu,
        choices: Sequence[tuple[Key, str]],
        now: Key,
        choose: Callable[[Key], object],
    ) -> None:
        """Of which one holds."""
        group = QActionGroup(menu)
        for key, text in choices:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(key == now)
            action.triggered.connect(lambda _checked=False, key=key: choose(key))
            group.addAction(action)

    def _help(self) -> None:
        window, menu = self._window, self._menu(tr("&Help"))
        self._action(menu, tr("&Keyboard and licences"), "F1", "info", window.show_help)
        self._action(menu, tr("&Diagnostics…"), "", "", window.show_diagnostics)

    def _dress(self) -> None:
        for action, name in self._pictured:
            action.setIcon(icons.icon(name, self._appearance.palette.quiet))
