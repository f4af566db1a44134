"""All settings of the window in one place: looks, reports, limits, prices, where data lies."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from advisor.report.document.templates import Paper
from app.fields.probe import WISHES, ProbeForm
from app.presenters.probe.usual_limits import USUAL, keep_limit, usual_limit
from app.runtime.drive_prices import DrivePrices
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import MODES, Appearance, Mode
from app.views.dialogs.prices import UNIT, PriceFields
from app.views.dialogs.report import PAPER
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.callout import Callout
from app.views.widgets.labels import breakable, label
from app.views.widgets.layouts import Pile, form, row, scrolled
from probes.errors import UsageError
from probes.targets.address import TargetSpec

WIDTH, HEIGHT = 560, 480
LINES = {
    "author": tr("&Author"),
    "contact": tr("Con&tact"),
    "confidential": tr("Con&fidentiality"),
    "logo": tr("&Logo"),
}
"""Lines of a report that are the same for every client."""

GENERAL, REPORTS, LIMITS, PRICES = "general", "reports", "limits", "prices"
SECTIONS = (
    (GENERAL, tr("&General")),
    (REPORTS, tr("&Reports")),
    (LIMITS, tr("&Limits")),
    (PRICES, tr("&Prices")),
)
UPDATES = tr("Your package manager brings newer versions of Leadline.")
ABOUT_LIMITS = tr("Each measurement begins with these; its own page can change them.")
NO_PRICES = tr("No drive has a price yet: Compare asks for them.")


class SettingsDialog(QDialog):
    """What is changed here holds at once, limits and prices when it is closed."""

    def __init__(
        self,
        appearance: Appearance,
        preferences: Preferences,
        prices: DrivePrices,
        *,
        choose: Callable[[Mode], object],
        home: Path | None,
        parent: QWidget,
    ) -> None:
        """``choose`` takes the appearance; ``home`` is where the database lies, None in memory."""
        super().__init__(parent)
        appearance.dress(self)
        self._preferences, self._known = preferences, prices
        self.setWindowTitle(tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedSize(WIDTH, HEIGHT)
        self.modes = Segments(tuple((mode.value, name.replace("&", "")) for mode, name in MODES))
        self.modes.setAccessibleName(tr("Appearance"))
        self.modes.pick(appearance.mode.value)
        self.modes.picked.connect(lambda key: choose(Mode(key)))
        self.lines = {name: QLineEdit(preferences.text(f"report/{name}")) for name in LINES}
        self.paper = Segments(tuple((each.value, each.value) for each in Paper))
        self.paper.pick(preferences.text(PAPER, Paper.A4.value))
        self.paper.picked.connect(lambda key: preferences.set_text(PAPER, key))
        for name, line in self.lines.items():
            line.editingFinished.connect(lambda name=name: self._keep(name))
        self.limits = {name: QLineEdit(usual_limit(preferences, name)) for name in USUAL}
        for name, line in self.limits.items():
            line.setPlaceholderText(WISHES[name].hint)
        self.prices = PriceFields([*prices.names.items()], prices.known)
        self.callout = Callout(appearance)
        close = Button(appearance, tr("Close"), "", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.sections = Segments(SECTIONS)
        self.sections.setAccessibleName(tr("Settings"))
        self._pile = Pile()
        for page in (self._general(appearance, home), *self._forms()):
            self._pile.addWidget(page)
        self.sections.picked.connect(self.show_section)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(row(self.sections, None))
        layout.addWidget(self._pile, 1)
        layout.addWidget(self.callout)
        layout.addLayout(row(None, close))
        self.show_section(GENERAL)
        self.modes.button(self.modes.key).setFocus()

    def show_section(self, name: str) -> None:
        """Go to one of ``SECTIONS``."""
        self.sections.pick(name)
        self._pile.setCurrentIndex([key for key, _ in SECTIONS].index(name))

    def _general(self, appearance: Appearance, home: Path | None) -> QWidget:
        place = tr("In memory, until the window closes") if home is None else str(home)
        where = label(breakable(place), wrap=True, select=True)
        self.folder = Button(appearance, tr("Open the folder"), "folder-open", "quiet")
        self.folder.setVisible(home is not None)
        address = QUrl.fromLocalFile(place)
        self.folder.clicked.connect(lambda: QDesktopServices.openUrl(address))
        line = row(where, self.folder)
        line.setStretch(0, 1)
        data = QWidget()
        data.setLayout(line)
        page = _Section(label(tr("Appearance"), "heading"), self.modes)
        page.add(label(tr("Data"), "heading"), data, label(UPDATES, "small", wrap=True))
        return page

    def _forms(self) -> tuple[QWidget, QWidget, QWidget]:
        reports, limits = _Section(), _Section(label(ABOUT_LIMITS, "small", wrap=True))
        paper = (tr("Paper"), self.paper, row(self.paper, None))
        captions = {**{name: WISHES[name].caption for name in USUAL}, "added_ms": _ADDED}
        named = ((LINES[name], line) for name, line in self.lines.items())
        reports.lines.insertLayout(0, form(*named, paper))
        limits.lines.insertLayout(1, form(*((captions[n], one) for n, one in self.limits.items())))
        text = UNIT if self.prices.fields else NO_PRICES
        prices = _Section(label(text, "small", wrap=True), self.prices)
        return reports, limits, scrolled(prices, tr("Prices"))

    def _keep(self, name: str) -> None:
        self._preferences.set_text(f"report/{name}", self.lines[name].text())

    def accept(self) -> None:
        """Keep limits and prices, unless one of them can't be read: then its section is shown."""
        try:
            self._keep_limits()
            self._keep_prices()
        except _UnreadError as error:
            self.show_section(error.section)
            self.callout.tell_error(error.cause)
            return
        super().accept()

    def reject(self) -> None:
        """Escape keeps what can be read of it, too."""
        for keep in (self._keep_limits, self._keep_prices):
            with suppress(_UnreadError):
                keep()
        super().reject()

    def _keep_limits(self) -> None:
        typed: dict[str, Any] = {name: line.text().strip() for name, line in self.limits.items()}
        try:
            ProbeForm(**{**typed, "directory": "/"}).request(TargetSpec())
        except UsageError as error:
            raise _UnreadError(LIMITS, error) from error
        for name, text in typed.items():
            keep_limit(self._preferences, name, text)

    def _keep_prices(self) -> None:
        try:
            found = self.prices.read()
        except UsageError as error:
            raise _UnreadError(PRICES, error) from error
        if found != {key: self._known.known[key] for key in self.prices.fields}:
            self._known.keep(found, dict(self._known.names))

    def done(self, result: int) -> None:
        """Keep what was typed last, too."""
        for name in self.lines:
            self._keep(name)
        super().done(result)


class _UnreadError(Exception):
    """What was typed in a section can't be read."""

    def __init__(self, section: str, cause: UsageError) -> None:
        super().__init__(str(cause))
        self.section, self.cause = section, cause


_ADDED = tr("&Slower at most, ms")


class _Section(QWidget):
    """Widgets below each other, from the top."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.setObjectName("pageBody")
        self.lines = QVBoxLayout(self)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(tokens.SPACE_S)
        self.lines.addStretch(1)
        self.add(*widgets)

    def add(self, *widgets: QWidget) -> None:
        """Put more below."""
        for widget in widgets:
            wide = isinstance(widget, Segments)
            line = row(widget, *((None,) if wide else ()))
            self.lines.insertLayout(self.lines.count() - 1, line)
