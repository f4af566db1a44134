"""What counts as a word of a page, and that all that is painted is counted."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from benchmarks.window.words import shown, words


def test_figures_and_units_are_no_words() -> None:
    assert words("45 to 91 % of query time") == 4
    assert words("innodb_io_capacity: 200 → 2000") == 1
    assert words("5 GiB in 664 µs, p95 7 ms") == 1


def test_labels_and_lists_are_counted(qtbot: QtBot) -> None:
    page, rows = QWidget(), QListWidget()
    qtbot.addWidget(page)
    rows.addItems(["two words", "three more words"])
    layout = QVBoxLayout(page)
    for part in (QLabel("A label here"), rows):
        layout.addWidget(part)
    page.resize(400, 400)
    assert words(shown(page)) == 2 + 2 + 3
