"""What another version changes has the window's whole width."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from advisor.report.lens_words import ADVICE, DEFAULTS, ChangeRow
from app.theme.appearance import Appearance
from app.views.advice.version_sections import VersionSections


def test_another_version_s_advice_stands_beside_its_defaults_where_there_is_room(
    qtbot: QtBot, appearance: Appearance
) -> None:
    sections = VersionSections(appearance)
    qtbot.addWidget(sections)
    told = [ChangeRow("innodb_purge_threads", "4 → 1")]
    sections.show_sections((), [(DEFAULTS, told), (ADVICE, told)])
    sections.resize(1200, 600)
    sections.show()
    defaults, advice = sections.defaults, sections.advice
    qtbot.waitUntil(lambda: advice.isVisible() and advice.x() > defaults.geometry().right())
    sections.resize(700, 600)
    qtbot.waitUntil(lambda: advice.y() > defaults.geometry().bottom())
    sections.show_sections((), [(ADVICE, told)])
    qtbot.waitUntil(lambda: not defaults.isVisible() and advice.isVisible())
