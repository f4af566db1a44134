"""A watch that times no files: it is drawn as far as it is known, and leaves no room white."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.theme.appearance import Appearance
from app.views.watch.picture import WatchPicture
from probes.inventory.facts import Missing
from probes.watch.over_time import OverTime
from probes.watch.server_series import FILE_IO
from tests.app.window.watched import watched


def test_with_the_server_alone_a_line_stands_where_nothing_can_be_drawn(
    qtbot: QtBot, appearance: Appearance
) -> None:
    picture = WatchPicture(appearance)
    qtbot.addWidget(picture)
    picture.resize(727, 420)
    picture.show()
    alone = replace(watched(trace=False, files=False), over_time=OverTime(), machine=None)
    picture.show_watched(alone, None, (Missing(FILE_IO, "performance_schema is OFF"),))
    assert picture.untimed.isVisible()
    assert not picture.lanes.isVisible()
    assert not picture.heat.isVisible()
    assert not picture.stored.isVisible()
    qtbot.waitUntil(lambda: 0 < picture.asked.mapTo(picture, picture.asked.pos()).y() < 300)
    # What the machine's disks do takes its place as soon as that is known.
    picture.show_watched(watched(trace=False, files=False), None, ())
    assert picture.lanes.isVisible()
    assert picture.heat.isVisible()
    assert picture.stored.isVisible()
