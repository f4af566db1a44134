"""What the window remembers from one start to the next: sizes and choices, never a secret."""

from __future__ import annotations

import os
from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QSettings

from app.theme.appearance import Mode
from probes.home import home


class Preferences:
    """Settings of this user: beside the database with LEADLINE_HOME, else where Qt keeps them."""

    def __init__(self) -> None:
        if os.environ.get("LEADLINE_HOME"):
            path = str(home() / "window.ini")
            self._settings = QSettings(path, QSettings.Format.IniFormat)
        else:
            self._settings = QSettings("leadline", "leadline")

    @property
    def mode(self) -> Mode:
        """The chosen appearance; an unknown word means the system's."""
        text = self.text("appearance", Mode.SYSTEM.value)
        return next((mode for mode in Mode if mode.value == text), Mode.SYSTEM)

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._settings.setValue("appearance", mode.value)

    def forget(self) -> None:
        """Remember nothing, as before the first start."""
        self._settings.clear()

    def text(self, name: str, default: str = "") -> str:
        """A remembered word."""
        value = self._settings.value(name, default)
        return value if isinstance(value, str) else default

    def set_text(self, name: str, value: str) -> None:
        """Remember a word."""
        self._settings.setValue(name, value)

    def lines(self, name: str) -> list[str]:
        """Remembered lines of text."""
        return self.text(name).splitlines()

    def set_lines(self, name: str, lines: Iterable[str]) -> None:
        """Remember lines of text."""
        self.set_text(name, "\n".join(lines))

    def switch(self, name: str, default: bool = False) -> bool:
        """A remembered yes or no."""
        return self.text(name, "yes" if default else "no") == "yes"

    def set_switch(self, name: str, value: bool) -> None:
        """Remember a yes or no."""
        self.set_text(name, "yes" if value else "no")

    def state(self, name: str) -> QByteArray | None:
        """A remembered geometry or splitter state."""
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else None

    def set_state(self, name: str, value: QByteArray) -> None:
        """Remember a geometry or splitter state."""
        self._settings.setValue(name, value)

    def save(self) -> None:
        """Write to disk now."""
        self._settings.sync()
