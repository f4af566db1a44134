"""The menus: everything the window can do, with its shortcut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from app.presenters.frame.help_topics import ABOUT, GLOSSARY, KEYS, MANUAL
from app.presenters.texts.typesetting import plain_tip
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import icons
from app.theme.appearance import MODES, Mode
from app.views.dialogs.closing import STOP_KEYS
from app.views.frame.header import PAGES as HEADER_PAGES
from app.window.parts import Parts

FILES = "files/recent"
MOST = 8


@dataclass(frozen=True, slots=True)
class FrameActions:
    """What can be done from the first picture of the window on."""

    search: Callable[[], object]
    take_files: Callable[[Sequence[Path]], object]
    try_sample: Callable[[], object]
    quit: Callable[[], object]
    stop: Callable[[], object]
    name_run: Callable[[], object]
    delete_run: Callable[[], object]
    undo: Callable[[], object]
    show_page: Callable[[int], object]
    toggle_sidebar: Callable[[], object]
    choose_appearance: Callable[[Mode], object]
    notify: Callable[[str], object]
    show_settings: Callable[[], object]
    show_help: Callable[[str], object]
    show_diagnostics: Callable[[], object]


@dataclass(frozen=True, slots=True)
class PageActions:
    """What can be done once the pages are there."""

    add_target: Callable[[], object]
    go_to: Callable[[], object]
    search_advice: Callable[[], object]
    import_files: Callable[[], object]
    import_server: Callable[[], object]
    report: Callable[[], object]
    export_chart: Callable[[], object]
    export_advice: Callable[[], object]
    copy_plan: Callable[[], object]
    probe: Callable[[], object]
    watch: Callable[[], object]
    bench: Callable[[], object]
    look: Callable[[], object]
    all_servers: Callable[[], object]
    try_change: Callable[[], object]
    trial: Callable[[], object]
    ask_lab: Callable[[], object]
    lab: Callable[[], object]
    history: Callable[[], object]


class Menus(QObject):
    """Fills the menu bar of a window."""

    def __init__(self, bar: QMenuBar, parts: Parts, frame: FrameActions) -> None:
        super().__init__(bar)
        self._bar, self._frame = bar, frame
        self._appearance, self._preferences = parts.appearance, parts.preferences
        self._pictured: list[tuple[QAction, str]] = []
        self._later: list[QAction] = []
        self._modes: dict[Mode, QAction] = {}
        self._pages: PageActions | None = None
        self._file()
        self._run()
        self._view()
        self._help()
        parts.appearance.changed.connect(self._dress)
        self._dress()

    def _menu(self, title: str) -> QMenu:
        menu: QMenu = self._bar.addMenu(title)
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._rest))
        return menu

    def _rest(self) -> None:
        """A menu that was left leaves its title as the others are."""
        if QApplication.activePopupWidget() is None:
            # None is no action, whatever the stub says.
            self._bar.setActiveAction(None)  # type: ignore[arg-type]

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
        self,
        menu: QMenu,
        text: str,
        keys: str,
        icon: str,
        of: Callable[[PageActions], Callable[[], object]],
    ) -> None:
        """What needs the pages, off until they are there."""

        def call() -> None:
            if self._pages is not None:
                of(self._pages)()

        action = self._action(menu, text, keys, icon, call)
        action.setEnabled(False)
        self._later.append(action)

    def enable(self, pages: PageActions) -> None:
        """The pages are there."""
        self._pages = pages
        for action in self._later:
            action.setEnabled(True)

    def _file(self) -> None:
        frame, menu, later = self._frame, self._menu(tr("&File")), self._later_action
        later(menu, tr("&Add a target…"), "Ctrl+N", "plus", lambda do: do.add_target)
        later(menu, tr("Go t&o…"), "Ctrl+K", "search", lambda do: do.go_to)
        self._action(menu, tr("&Search"), "Ctrl+F", "search", frame.search)
        later(menu, tr("Search the a&dvice"), "Ctrl+Shift+F", "", lambda do: do.search_advice)
        menu.addSeparator()
        later(menu, tr("&Import measurements…"), "Ctrl+I", "file-input", lambda do: do.import_files)
        texts = tr("Import a server's te&xts…")
        later(menu, texts, "Ctrl+Shift+I", "", lambda do: do.import_server)
        recent = menu.addMenu(tr("Rece&nt cases"))
        self.recent = RecentCases(recent, self._preferences, frame.take_files)
        later(menu, tr("&Report for a client…"), "Ctrl+P", "book-open", lambda do: do.report)
        later(menu, tr("&Export the chart…"), "Ctrl+E", "download", lambda do: do.export_chart)
        later(
            menu,
            tr("Export the ad&vice or the case…"),
            "Ctrl+Shift+E",
            "",
            lambda do: do.export_advice,
        )
        later(menu, tr("&Copy the change plan"), "Ctrl+Shift+C", "copy", lambda do: do.copy_plan)
        menu.addSeparator()
        sample = self._action(menu, tr("&Try the sample"), "", "", frame.try_sample)
        sample.setEnabled(False)
        self._later.append(sample)
        menu.addSeparator()
        self._action(menu, tr("Settin&gs…"), "Ctrl+,", "", frame.show_settings)
        self._action(menu, tr("&Quit"), "Ctrl+Q", "", frame.quit)

    def _run(self) -> None:
        frame, menu, later = self._frame, self._menu(tr("&Run")), self._later_action
        later(menu, tr("&Measure the drive"), "Ctrl+R", "play", lambda do: do.probe)
        later(menu, tr("&Watch the server"), "Ctrl+Shift+R", "eye", lambda do: do.watch)
        trying = tr("&Try a change on the server…")
        later(menu, trying, "Ctrl+T", "scale", lambda do: do.try_change)
        later(menu, tr("As&k the lab…"), "Ctrl+L", "layers", lambda do: do.ask_lab)
        later(menu, tr("&Compare drives…"), "Ctrl+Shift+B", "hard-drive", lambda do: do.bench)
        self._action(menu, tr("&Stop measuring"), STOP_KEYS, "octagon-x", frame.stop)
        menu.addSeparator()
        later(menu, tr("&Read the target again"), "F5", "refresh-cw", lambda do: do.look)
        self._action(menu, tr("&Name the chosen run…"), "F2", "pencil", frame.name_run)
        self._action(menu, tr("&Delete the chosen run or target"), "", "trash-2", frame.delete_run)
        self._action(menu, tr("&Undo what the notice offers"), "Ctrl+Z", "", frame.undo)

    def _view(self) -> None:
        frame, menu = self._frame, self._menu(tr("&View"))
        for page, text in enumerate(HEADER_PAGES):
            self._action(menu, text, f"Ctrl+{page + 1}", "", partial(frame.show_page, page))
        self._later_action(menu, tr("All &servers"), "Ctrl+0", "layers", lambda do: do.all_servers)
        over_time = tr("The server &over time")
        self._later_action(menu, over_time, "Ctrl+H", "chart-line", lambda do: do.history)
        self._later_action(menu, tr("The &trial"), "", "", lambda do: do.trial)
        self._later_action(menu, tr("The &lab"), "", "", lambda do: do.lab)
        menu.addSeparator()
        self._action(menu, tr("Side&bar"), "Ctrl+B", "panel-left", frame.toggle_sidebar)
        menu.addSeparator()
        appearance = menu.addMenu(tr("Appea&rance"))
        group = QActionGroup(appearance)
        for mode, text in MODES:
            action = appearance.addAction(text)
            action.setCheckable(True)
            action.triggered.connect(partial(self._choose, mode))
            group.addAction(action)
            self._modes[mode] = action

    def _choose(self, mode: Mode, _checked: bool = False) -> None:
        self._frame.choose_appearance(mode)

    def _help(self) -> None:
        frame, menu = self._frame, self._menu(tr("&Help"))
        pages = (
            (tr("&Documentation"), "F1", "book-open", MANUAL),
            (tr("&Glossary"), "", "", GLOSSARY),
            (tr("&Keyboard"), "", "", KEYS),
            (tr("&About and licences"), "", "info", ABOUT),
        )
        for text, keys, icon, page in pages:
            self._action(menu, text, keys, icon, partial(frame.show_help, page))
        menu.addSeparator()
        self._action(menu, tr("D&iagnostics…"), "", "", frame.show_diagnostics)

    def _dress(self) -> None:
        self._modes[self._appearance.mode].setChecked(True)
        for action, name in self._pictured:
            action.setIcon(icons.icon(name, self._appearance.palette.quiet))


class RecentCases:
    """Fills a menu with them, the last one first; whether they are there still is not asked.

    A path may lead to another machine, and the menu would wait for it.
    """

    def __init__(
        self, menu: QMenu, preferences: Preferences, take: Callable[[Sequence[Path]], object]
    ) -> None:
        """``take`` opens files."""
        self.menu, self._preferences, self._take = menu, preferences, take
        self._fill()

    @property
    def files(self) -> list[Path]:
        """What is remembered, the last one first."""
        return [Path(line) for line in self._preferences.lines(FILES)]

    def note(self, used: Iterable[Path]) -> None:
        """These were opened or written, the last one last."""
        first = [file.absolute() for file in used][::-1]
        self._keep([*first, *(file for file in self.files if file not in first)])

    def forget(self, gone: Iterable[Path]) -> None:
        """These can't be opened any more."""
        left = {file.absolute() for file in gone}
        self._keep([file for file in self.files if file not in left])

    def _keep(self, files: Sequence[Path]) -> None:
        kept = list(dict.fromkeys(files))[:MOST]
        if kept != self.files:
            self._preferences.set_lines(FILES, map(str, kept))
            self._fill()

    def _fill(self) -> None:
        self.menu.clear()
        for file in self.files:
            action = self.menu.addAction(f"{file.stem}   {file.parent}".replace("&", "&&"))
            action.setToolTip(plain_tip(str(file)))
            action.triggered.connect(partial(self._open, file))
        if self.files:
            self.menu.addSeparator()
            self.menu.addAction(tr("&Clear this list"), lambda: self._keep(()))
        self.menu.setEnabled(bool(self.files))

    def _open(self, file: Path, _checked: bool = False) -> None:
        self._take([file])
