"""What a watch saw, drawn: the timeline by role, the latencies over time, and the tables."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.presenters.watch.files import file_table
from app.presenters.watch.latencies import choices, heat_picture
from app.presenters.watch.page import about_watch, call_table, notes, telling, why_no_trace
from app.presenters.watch.timeline import LaneMeasure, coloured, measures, over_time, source_text
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.lanes.lanes import LanesView
from app.views.watch.call_table import CallTableView
from app.views.watch.file_table import FileTableView
from app.views.watch.heat_view import HeatView
from app.views.widgets.buttons import Button, Fold, Segments
from app.views.widgets.labels import label
from app.views.widgets.layouts import column, row
from app.views.widgets.picker import Picker
from probes.inventory.facts import Inventory
from probes.watch.watched import Watched

WIDE = 1080
"""From this width on, timeline and heat map stand side by side."""

LANES_HEIGHT, HEAT_HEIGHT = 250, 200
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
        self.subjects.picked.connect(lambda _key: self._draw_heat())
        self.heat = HeatView(appearance)
        self.heat.setMinimumHeight(HEAT_HEIGHT)
        self.lanes.cursor_moved.connect(self.heat.point_cursor)
        self.heat.cursor_moved.connect(self.lanes.point_near)
        self._source = label("", "small")
        self._note = label("", "small", wrap=True)
        self._heat_title = label("", "group")
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
        left, right = QWidget(), QWidget()
        title = label(tr("File I/O by role"), "group")
        _column(left, (row(title, self._source, None, self.measures), self.lanes))
        _column(right, (row(self._heat_title, None, self.subjects), self.heat, self._note))
        self._pair = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._pair.setSpacing(tokens.SPACE_S)
        self._pair.addWidget(left, 1)
        self._pair.addWidget(right, 1)
        whole = QVBoxLayout(body)
        whole.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        whole.setSpacing(tokens.SPACE_L)
        whole.addLayout(self._pair, 1)
        calls = column(self.table, space=tokens.SPACE_XS)
        calls.addLayout(row(self.all_calls, None))
        whole.addLayout(calls)
        whole.addWidget(self._files_title)
        whole.addWidget(self.files)
        whole.addWidget(self._seen)
        whole.addWidget(self.about)
        self.setWidget(body)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room."""
        super().resizeEvent(event)
        wide = self.viewport().width() >= WIDE
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._pair.direction() is not way:
            self._pair.setDirection(way)
            self._pair.setSpacing(tokens.SPACE_XL if wide else tokens.SPACE_S)
        self._draw_heat()

    def show_watched(self, watched: Watched, inventory: Inventory | None) -> None:
        """Draw this watch; without an inventory it goes on, and grows."""
        if watched is self._watched:
            return
        self._watched = watched
        self._because = "" if inventory is None else why_no_trace(inventory)
        known = measures(watched)
        held = self.measures.key
        self.measures.offer([(each, MEASURES[each]) for each in known])
        for each in known:
            self.measures.button(each).setToolTip(TIPS[each])
        self.measures.pick(held)
        self.subjects.offer(choices(watched))
        self._source.setText(source_text(watched))
        self._list_calls()
        self.files.show_rows(file_table(watched))
        self._files_title.setVisible(bool(self.files.shown))
        self.files.setVisible(bool(self.files.shown))
        self._seen.setText("" if inventory is None else "\n".join(notes(watched, inventory)))
        about = [] if inventory is None else [*about_watch(watched, inventory)]
        self._about.setText("\n".join(about))
        self.about.name(tr("About this watch ({n})", n=len(about)) if about else "")
        self._draw_lanes()
        self._draw_heat()

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
        if self._watched is not None and self.measures.key:
            sheet = over_time(self._watched, LaneMeasure(self.measures.key))
            self.lanes.show_sheet(coloured(sheet))

    def _draw_heat(self) -> None:
        if self._watched is None:
            return
        shown = heat_picture(self._watched, self.subjects.key, self._because, self.heat.most_ticks)
        self.heat.show_picture(shown)
        self._heat_title.setText(tr("Latencies over time"))
        self._note.setText(f"{shown.title}. {shown.note}" if shown is not None else "")


def _column(holder: QWidget, parts: tuple[object, ...]) -> None:
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(tokens.SPACE_S)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part, 1 if isinstance(part, LanesView | HeatView) else 0)
        elif isinstance(part, QBoxLayout):
            layout.addLayout(part)
