from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QTreeView
from pytestqt.qtbot import QtBot

import app
from app.presenters.watch.timeline import TONES
from app.theme import icons
from app.theme.appearance import Appearance, Mode, ui_font
from app.theme.style import sheet
from app.theme.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Palette
from probes.watch.words import FileRole

CONTRAST = (LIGHT_CONTRAST, DARK_CONTRAST)
BOTH = pytest.mark.parametrize(
    "palette",
    [LIGHT, DARK, *CONTRAST],
    ids=["light", "dark", "light, high contrast", "dark, high contrast"],
)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_wcag_does() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@BOTH
def test_text_is_readable_on_every_ground(palette: Palette) -> None:
    grounds = (palette.ground, palette.panel, palette.raised, palette.hover, palette.accent_soft)
    for ground in grounds:
        assert contrast(palette.text, ground) >= 4.5
        assert contrast(palette.quiet, ground) >= 4.5, ground
    soft = ((palette.bad, palette.bad_soft), (palette.warn, palette.warn_soft))
    for tone, ground in (*soft, (palette.good, palette.good_soft)):
        assert contrast(tone, ground) >= 4.5
        assert contrast(tone, palette.ground) >= 4.5
        assert contrast(palette.text, ground) >= 4.5
    for accent in (palette.accent, palette.accent_hover, palette.accent_pressed):
        assert contrast(palette.on_accent, accent) >= 4.5
    assert contrast(palette.accent, palette.ground) >= 4.5
    for bad in (palette.bad, palette.bad_hover, palette.bad_pressed):
        assert contrast(palette.on_bad, bad) >= 4.5


@BOTH
def test_what_is_drawn_stands_out(palette: Palette) -> None:
    kinds = (*palette.series, palette.seventh, palette.eighth)
    for colour in (*kinds, palette.strong_line, palette.growing):
        assert contrast(colour, palette.ground) >= 3.0, colour
    assert len(set(kinds)) == len(kinds)


@BOTH
def test_each_role_of_a_servers_files_has_its_colour_and_like_ones_differ_in_grey(
    palette: Palette,
) -> None:
    colours = {role: palette.toned(tone) for role, tone in TONES.items()}
    assert len(set(colours.values())) == len(colours)
    for one, other in (
        (FileRole.UNDO, FileRole.SYSTEM),
        (FileRole.BINLOG, FileRole.RELAY_LOG),
    ):
        assert contrast(colours[one], colours[other]) >= 1.4


@pytest.mark.parametrize("palette", CONTRAST, ids=["light", "dark"])
def test_high_contrast_is_seven_to_one_for_text_and_three_for_lines(palette: Palette) -> None:
    for ground in (palette.ground, palette.panel, palette.raised, palette.accent_soft):
        for text in (palette.text, palette.quiet, palette.accent):
            assert contrast(text, ground) >= 7, (text, ground)
    kinds = (*palette.series, palette.seventh, palette.eighth)
    for tone in (palette.good, palette.warn, palette.bad, *kinds):
        assert contrast(tone, palette.ground) >= 7, tone
    for line in (palette.line, palette.strong_line, palette.grid):
        assert contrast(line, palette.ground) >= 3, line


@BOTH
def test_the_style_sheet_holds_no_colour_of_its_own(palette: Palette) -> None:
    text = sheet(palette, "/images")
    known = {getattr(palette, name) for name in Palette.__slots__ if name not in ("series", "dark")}
    assert set(re.findall(r"#[0-9a-f]{6}\b", text)) <= known
    assert "${" not in text


def test_no_view_names_a_colour() -> None:
    for file in Path(app.__file__).parent.rglob("*.py"):
        if file.name != "tokens.py":
            assert not re.search(r"\"#[0-9a-fA-F]{3,8}\"", file.read_text("utf-8")), file


def test_every_icon_that_is_named_ships_and_every_one_that_ships_is_named(qtbot: QtBot) -> None:
    folder = Path(app.__file__).parents[1] / "resources" / "icons" / "lucide"
    shipped = {file.stem for file in folder.glob("*.svg")}
    source = "\n".join(file.read_text("utf-8") for file in Path(app.__file__).parent.rglob("*.py"))
    named = {name for name in shipped if f'"{name}"' in source}
    assert shipped == named
    for name in shipped:
        assert "currentColor" not in icons.svg(name, "#123456")
        assert not icons.pixmap(name, "#123456", 16).toImage().isNull()
    assert (folder / "LICENSE").read_text("utf-8").startswith("ISC License")


def test_the_application_icon_has_every_size(qtbot: QtBot) -> None:
    """The largest is for the dock of macOS."""
    sizes = {size.width() for size in icons.application_icon().availableSizes()}
    assert sizes == {64, 128, 256} | ({512} if sys.platform == "darwin" else set())


def test_figures_have_one_width_in_columns_and_hyphens_their_own_in_texts(
    appearance: Appearance,
) -> None:
    column, text = QFontMetricsF(ui_font(equal_widths=True)), QFontMetricsF(ui_font())
    assert QFontInfo(ui_font()).family() == "Inter"
    assert len({column.horizontalAdvance(figure) for figure in "0123456789"}) == 1
    assert text.horizontalAdvance("-") < column.horizontalAdvance("-")
    assert QApplication.font(QTreeView()) == ui_font(equal_widths=True)
    for weight in (400, 500, 600):
        assert QFontInfo(ui_font(weight=weight)).weight() == weight


def test_the_choice_wins_over_the_system_and_is_heard(
    qtbot: QtBot, qapp: QApplication, appearance: Appearance
) -> None:
    for mode, palette in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        with qtbot.waitSignal(appearance.changed):
            appearance.choose(mode)
        assert appearance.palette is palette
        assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(palette.ground)


def test_the_system_is_followed_while_the_window_runs(
    qtbot: QtBot, qapp: QApplication, appearance: Appearance
) -> None:
    appearance.choose(Mode.SYSTEM)
    # The off-screen platform has no appearance of its own: its signal is sent in its stead.
    system = qapp.styleHints().colorSchemeChanged
    for scheme, palette in ((Qt.ColorScheme.Dark, DARK), (Qt.ColorScheme.Light, LIGHT)):
        with qtbot.waitSignal(appearance.changed):
            system.emit(scheme)
        assert appearance.palette is palette
    appearance.choose(Mode.LIGHT)
    system.emit(Qt.ColorScheme.Dark)
    assert appearance.palette is LIGHT
    appearance.choose(Mode.SYSTEM)
    assert appearance.palette is DARK


def test_high_contrast_is_chosen_or_wished_for_by_the_system(
    qtbot: QtBot, qapp: QApplication, appearance: Appearance
) -> None:
    appearance.choose(Mode.CONTRAST)
    assert appearance.palette in CONTRAST
    appearance.choose(Mode.SYSTEM)
    # The off-screen platform has no such wish: its signal is sent in its stead.
    wished = qapp.styleHints().accessibility().contrastPreferenceChanged
    with qtbot.waitSignal(appearance.changed):
        wished.emit(Qt.ContrastPreference.HighContrast)
    assert appearance.palette in CONTRAST
    wished.emit(Qt.ContrastPreference.NoPreference)
    assert appearance.palette not in CONTRAST
