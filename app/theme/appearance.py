"""Light or dark, usual or of high contrast: as the system or the user has it; dresses all."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.theme import icons, tokens
from app.theme.mnemonics import AltUnderlines, wear
from app.theme.style import sheet
from app.theme.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Palette
from app.theme.wardrobe import Wardrobe


class Mode(StrEnum):
    """Which appearance the user wants."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


MODES = (
    (Mode.SYSTEM, "As the &system"),
    (Mode.LIGHT, "&Light"),
    (Mode.DARK, "&Dark"),
    (Mode.CONTRAST, "High &contrast"),
)
"""What each is called, with the letter that chooses it in a menu."""


@cache
def load_fonts() -> None:
    """Make the shipped UI font known to Qt."""
    for entry in files("resources").joinpath("fonts").iterdir():
        if entry.name.endswith(".ttf"):
            QFontDatabase.addApplicationFontFromData(entry.read_bytes())


def ui_font(
    size: int = tokens.TYPE_BODY, weight: int = 400, *, equal_widths: bool = False
) -> QFont:
    """The UI font; in columns and along axes with figures of equal widths.

    These have the widths of hyphens and dots grow, too, which tears words apart in a text.
    """
    font = QFont(tokens.UI_FONT)
    font.setPixelSize(size)
    font.setWeight(QFont.Weight(weight))
    if equal_widths:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


class Appearance(QObject):
    """Holds the palette in force.

    Signals: ``changed()`` after what is seen was restyled; what a style sheet does not reach
    and is drawn with the palette redraws itself then.
    """

    changed = Signal()

    def __init__(self, application: QApplication, mode: Mode = Mode.SYSTEM) -> None:
        super().__init__()
        self._application = application
        self._mode = mode
        self._folder = TemporaryDirectory(prefix="leadline-theme-")
        load_fonts()
        self._style = wear(application)
        if application.font() != ui_font():
            # Every widget that there is hears of it.
            application.setFont(ui_font())
            # PySide6 takes a text here, whatever its stub says.
            application.setFont(ui_font(equal_widths=True), "QAbstractItemView")  # type: ignore[arg-type]
        self._system = application.styleHints().colorScheme()
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._strong = False
        # Before 6.10, Qt does not know what the system wishes.
        self._hints = application.styleHints()
        self._knows_contrast = hasattr(self._hints, "accessibility")
        if self._knows_contrast:
            wish = self._hints.accessibility()
            self._strong = wish.contrastPreference() is Qt.ContrastPreference.HighContrast
            wish.contrastPreferenceChanged.connect(self._contrast_changed)
        self.palette = self._wished()
        self._paint()
        self._wardrobe = Wardrobe(self._sheet())

    @property
    def mode(self) -> Mode:
        """What the user chose."""
        return self._mode

    def choose(self, mode: Mode) -> None:
        """Follow ``mode`` from now on."""
        self._mode = mode
        self._dress()

    def close(self) -> None:
        """Remove the small images."""
        self._application.styleHints().colorSchemeChanged.disconnect(self._system_changed)
        if self._knows_contrast:
            wish = self._hints.accessibility()
            wish.contrastPreferenceChanged.disconnect(self._contrast_changed)
        self._folder.cleanup()

    def dress(self, part: QWidget, *, once_shown: bool = False) -> None:
        """Give a part of a window, with all that is in it, the style sheet, now and ever after.

        A whole window would have all of its pages restyled at each change, and on the
        application each widget that finds its parent all of its contents, though nobody sees them.
        A small part that is seldom shown waits for that (``once_shown``).
        """
        self._wardrobe.dress(part, once_shown=once_shown)

    def follow(self, redress: Callable[[], None]) -> None:
        """Call a method of a widget after each change, where the widget is hidden when it is shown.

        For icons and charts, which are made in the palette's colours.
        """
        self._wardrobe.follow(redress)

    def underline(self, window: QWidget) -> None:
        """Show in a window which letters Alt reaches, while it is held down."""
        AltUnderlines(window, self._style)

    def _system_changed(self, scheme: Qt.ColorScheme) -> None:
        self._system = scheme
        if self._mode in (Mode.SYSTEM, Mode.CONTRAST):
            self._dress()

    def _contrast_changed(self, wanted: Qt.ContrastPreference) -> None:
        self._strong = wanted is Qt.ContrastPreference.HighContrast
        if self._mode is Mode.SYSTEM:
            self._dress()

    def _wished(self) -> Palette:
        """High contrast is light or dark as the system is, and follows its wish for it."""
        dark = self._mode is Mode.DARK
        if self._mode in (Mode.SYSTEM, Mode.CONTRAST):
            dark = self._system is Qt.ColorScheme.Dark
        if self._mode is Mode.CONTRAST or (self._mode is Mode.SYSTEM and self._strong):
            return DARK_CONTRAST if dark else LIGHT_CONTRAST
        return DARK if dark else LIGHT

    def _dress(self) -> None:
        self.palette = self._wished()
        self._paint()
        self._wardrobe.change(self._sheet())
        self.changed.emit()

    def _paint(self) -> None:
        """What the style sheet leaves to the style."""
        self._application.setPalette(_qt_palette(self.palette))

    def _sheet(self) -> str:
        return sheet(self.palette, self._images())

    def _images(self) -> str:
        """Write the images that the style sheet names; Qt reads them from files alone."""
        # A folder for each palette: Qt caches images by their path.
        folder = Path(self._folder.name, self.palette.ground[1:] + self.palette.accent[1:])
        folder.mkdir(exist_ok=True)
        for file, name, colour in (
            ("check.svg", "check", self.palette.on_accent),
            ("check-accent.svg", "check", self.palette.accent),
            ("chevron-down.svg", "chevron-down", self.palette.quiet),
        ):
            folder.joinpath(file).write_text(icons.svg(name, colour), "utf-8")
        return folder.as_posix()


def _qt_palette(palette: Palette) -> QPalette:
    """The tokens as Qt's roles, for what the style sheet leaves to the style."""
    role = QPalette.ColorRole
    made = QPalette()
    for where, colour in (
        (role.Window, palette.ground),
        (role.WindowText, palette.text),
        (role.Base, palette.ground),
        (role.AlternateBase, palette.panel),
        (role.Text, palette.text),
        (role.Button, palette.raised),
        (role.ButtonText, palette.text),
        (role.Highlight, palette.accent),
        (role.HighlightedText, palette.on_accent),
        (role.ToolTipBase, palette.raised),
        (role.ToolTipText, palette.text),
        (role.PlaceholderText, palette.quiet),
        (role.Link, palette.accent),
        (role.Mid, palette.line),
    ):
        made.setColor(where, QColor(colour))
    made.setColor(QPalette.ColorGroup.Disabled, role.WindowText, QColor(palette.quiet))
    made.setColor(QPalette.ColorGroup.Disabled, role.Text, QColor(palette.quiet))
    return made
