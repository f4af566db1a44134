"""What a watch saw, drawn: the timeline by role, the latencies over time, and the tables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.presenters.watch.files import file_table
from app.presenters.watch.latencies import choices, heat_picture, is_of_files
from app.presenters.watch.load import load_sheets
from app.presenters.watch.page import (
    about_watch,
    call_table,
    notes,
    telling,
    why_no_trace,
    why_untimed,
)
from app.presenters.watch.timeline import (
    LaneMeasure,
    coloured,
    is_by_role,
    measures,
    over_time,
    sheet_title,
    source_text,
)
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.lanes.lane_painter import AXIS_HEIGHT
from app.views.charts.lanes.lanes import LanesView
from app.views.watch.call_table import CallTableView
from app.views.watch.file_table import FileTableView
from app.views.watch.heat_view import HeatView
from app.views.widgets.buttons import Button, Fold, Segments
from app.views.widgets.labels import label
from app.views.widgets.layouts import column, row
from app.views.widgets.picker import Picker
from probes.inventory.facts import Inventory, Missing
from probes.watch.watched import Watched

WIDE = 1080
"""From this width on, timeline and heat map stand side by side."""

LANES_HEIGHT, HEAT_HEIGHT, LOAD_HEIGHT = 250, 200, 64
"""The last is of each of the lanes."""

MEASURES = {
    LaneMeasure.WAITING: "Time",
    LaneMeasure.RATE: "Rate",
    LaneMeasure.BYTES: "Bytes",
    LaneMeasure.LATENCY: "Latency",
}
TIPS = {
    LaneMeasure.WAITING: "How many calls are under way at a time: rate times latency",
    LaneMeasure.RATE: "Calls per second",
    LaneMeasure.BYTES: "Bytes per second",
    LaneMeasure.LATENCY: "What each call takes",
}


class WatchPicture(QScrollArea):
    """Shows one watch; scrolls where the window is low."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._watched: Watched | None = None
        self._because = ""
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("The server's own work"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.measures = Segments()
        self.measures.setAccessibleName(tr("What the timeline shows"))
        self.measures.picked.connect(lambda _key: self._draw_lanes())
        self.lanes = LanesView(appearance)
        self.lanes.setAccessibleName(tr("File I/O over time"))
        self.lanes.setMinimumHeight(LANES_HEIGHT)
        self.subjects = Picker(tr("Whose latencies"))
        self.subjects.picked.connect(self._choose_subject)
        self._chosen = False
        self.heat = HeatView(appearance)
        self.heat.setMinimumHeight(HEAT_HEIGHT)
        self.lanes.cursor_moved.connect(self.heat.point_cursor)
        self.heat.cursor_moved.connect(self.lanes.point_near)
        self.asked, self.stored = (LanesView(appearance) for _ in range(2))
        self.asked.setAccessibleName(tr("Queries over time"))
        self.stored.setAccessibleName(tr("Pages and disks over time"))
        self.asked.cursor_moved.connect(self.stored.point_near)
        self.stored.cursor_moved.connect(self.asked.point_near)
        self._title = label("", "group")
        self._source = label("", "small")
        self.untimed = label("", "small", wrap=True, select=True)
        self._note = label("", "small", wrap=True)
        self._heat_title = label(tr("Latencies over time"), "group")
        self._load_title = label(tr("What the server does"), "group")
        self.table = CallTableView(appearance)
        self.all_calls = Button(appearance, "", "chevron-right", "quiet")
        self.all_calls.setCheckable(True)
        self.all_calls.toggled.connect(self._list_calls)
        self.files = FileTableView(appearance)
        self._files_title = label(tr("Files that the time goes to"), "group")
        self._seen = label("", "quiet", wrap=True, select=True)
        self._about = label("", "quiet", wrap=True, select=True)
        self.about = Fold(appearance, self._about)
        self._lay_out()

    def _lay_out(self) -> None:
        body = QWidget()
        body.setObjectName("pageBody")
        left, self._timed = QWidget(), QWidget()
        head = row(self._title, self._source, None, self.measures)
        _column(left, (head, self.untimed, self.lanes))
        _column(self._timed, (row(self._heat_title, None, self.subjects), self.heat, self._note))
        self._pair = _pair(left, self._timed)
        self._load = _pair(self.asked, self.stored)
        for view in (self.asked, self.stored):
            self._load.setAlignment(view, Qt.AlignmentFlag.AlignTop)
        self._whole = whole = QVBoxLayout(body)
        whole.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        whole.setSpacing(tokens.SPACE_L)
        whole.addLayout(self._pair, 1)
        whole.addWidget(self._load_title)
        whole.addLayout(self._load)
        calls = column(self.table, space=tokens.SPACE_XS)
        calls.addLayout(row(self.all_calls, None))
        whole.addLayout(calls)
        whole.addWidget(self._files_title)
        whole.addWidget(self.files)
        whole.addWidget(self._seen)
        whole.addWidget(self.about)
        # Takes what is left where nothing above it grows.
        whole.addStretch(0)
        self.setWidget(body)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room."""
        super().resizeEvent(event)
        wide = self.viewport().width() >= WIDE
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        for pair in (self._pair, self._load):
            if pair.direction() is not way:
                pair.setDirection(way)
                pair.setSpacing(tokens.SPACE_XL if wide else tokens.SPACE_S)
        self._draw_heat()

    def show_watched(
        self, watched: Watched, inventory: Inventory | None, missing: Sequence[Missing]
    ) -> None:
        """Draw this watch, which can't see what is ``missing``.

        Without an inventory it goes on, and grows.
        """
        if watched is self._watched:
            return
        self._watched = watched
        self._because = why_no_trace(missing)
        known = measures(watched)
        held = self.measures.key
        self.measures.offer([(each, MEASURES[each]) for each in known])
        for each in known:
            self.measures.button(each).setToolTip(TIPS[each])
        self.measures.pick(held)
        self._offer_subjects(watched)
        self._source.setText(source_text(watched))
        self._title.setText(sheet_title(watched))
        self.untimed.setText("" if is_by_role(watched) else why_untimed(missing))
        self.untimed.setVisible(bool(self.untimed.text()))
        self._list_calls()
        self.files.show_rows(file_table(watched))
        self._files_title.setVisible(bool(self.files.shown))
        self.files.setVisible(bool(self.files.shown))
        self._seen.setText("" if inventory is None else "\n".join(notes(watched, inventory)))
        about = [] if inventory is None else [*about_watch(watched, inventory)]
        self._about.setText("\n".join(about))
        self.about.name(tr("Notes ({n})", n=len(about)) if about else "")
        self._draw_load(watched)
        self._draw_lanes()
        self._draw_heat()

    def _offer_subjects(self, watched: Watched) -> None:
        """Files take the place of a disk once they are known, unless somebody has chosen that."""
        offered = choices(watched)
        self.subjects.offer(offered)
        first = offered[0][0] if offered else ""
        if not self._chosen and is_of_files(first) and not is_of_files(self.subjects.key):
            self.subjects.pick(first)

    def _choose_subject(self, _key: str) -> None:
        self._chosen = True
        self._draw_heat()

    def _draw_load(self, watched: Watched) -> None:
        """What is counted on any server; a part of which nothing is known takes no room."""
        views = (self.asked, self.stored)
        for view, sheet in zip(views, load_sheets(watched), strict=True):
            view.show_sheet(sheet)
            view.setVisible(bool(sheet.lanes))
            view.setFixedHeight(LOAD_HEIGHT * len(sheet.lanes) + AXIS_HEIGHT)
        self._load_title.setVisible(any(view.sheet.lanes for view in views))

    def _list_calls(self) -> None:
        """What threads wait for; on demand what takes next to no time, too."""
        if self._watched is None:
            return
        whole = call_table(self._watched)
        first, opened = telling(whole), self.all_calls.isChecked()
        left_out = len(whole.rows) - len(first.rows)
        text = tr("{n} more: under 0.01 at a time", n=left_out)
        self.all_calls.display(text, f"chevron-{'down' if opened else 'right'}", "quiet")
        self.all_calls.setVisible(bool(left_out))
        self.table.show_table(whole if opened else first)
        self.table.setVisible(bool(self.table.shown.rows))

    def _draw_lanes(self) -> None:
        for view in (self.lanes, self.measures):
            view.setVisible(bool(self.measures.key))
        self._whole.setStretchFactor(self._pair, 1 if self.measures.key else 0)
        if self._watched is not None and self.measures.key:
            sheet = over_time(self._watched, LaneMeasure(self.measures.key))
            self.lanes.show_sheet(coloured(sheet))

    def _draw_heat(self) -> None:
        if self._watched is None:
            return
        shown = heat_picture(self._watched, self.subjects.key, self._because, self.heat.most_ticks)
        self._timed.setVisible(shown is not None)
        self.heat.show_picture(shown)
        self._note.setText(f"{shown.title}. {shown.note}" if shown is not None else "")


def _pair(first: QWidget, second: QWidget) -> QBoxLayout:
    """Two that stand side by side where there is room."""
    pair = QBoxLayout(QBoxLayout.Direction.TopToBottom)
    pair.setSpacing(tokens.SPACE_S)
    for each in (first, second):
        pair.addWidget(each, 1)
    return pair


def _column(holder: QWidget, parts: tuple[object, ...]) -> None:
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(tokens.SPACE_S)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part, 1 if isinstance(part, LanesView | HeatView) else 0)
        elif isinstance(part, QBoxLayout):
            layout.addLayout(part)
