"""The case files that were opened or written last, offered again in the File menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from app.presenters.texts.typesetting import plain_tip
from app.runtime.preferences import Preferences
from app.runtime.translation import tr

FILES = "files/recent"
MOST = 8


class RecentCases:
    """Fills a menu with them, the last one first; whether they are there still is not asked.

    A path may lead to another machine, and the menu would wait for it.
    """

    def __init__(
        self, menu: QMenu, preferences: Preferences, take: Callable[[Sequence[Path]], object]
    ) -> None:
        """``take`` opens files."""
        self._menu, self._preferences, self._take = menu, preferences, take
        self._fill()

    @property
    def files(self) -> list[Path]:
        """What is remembered, the last one first."""
        return [Path(line) for line in self._preferences.text(FILES).splitlines()]

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
            self._preferences.set_text(FILES, "\n".join(map(str, kept)))
            self._fill()

    def _fill(self) -> None:
        self._menu.clear()
        for file in self.files:
            action = self._menu.addAction(f"{file.stem}   {file.parent}".replace("&", "&&"))
            action.setToolTip(plain_tip(str(file)))
            action.triggered.connect(partial(self._open, file))
        if self.files:
            self._menu.addSeparator()
            self._menu.addAction(tr("&Clear this list"), lambda: self._keep(()))
        self._menu.setEnabled(bool(self.files))

    def _open(self, file: Path, _checked: bool = False) -> None:
        self._take([file])
