"""One point over time: its samples, and what device and host did meanwhile."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from advisor.run import RunKind
from app.controllers.run import Run
from app.presenters.charts.curves import Picture
from app.presenters.charts.point_text import circumstances, doubt_text
from app.presenters.charts.timeline import timeline
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.lanes.lanes import LanesView
from app.views.widgets.buttons import Button
from app.views.widgets.labels import IconLabel, Prose, label
from app.views.widgets.layouts import Pile, bullet, row
from probes.kinds.words import capital, setting_line
from probes.points import Point, Sample, Trust


class PointTimeline(QWidget):
    """Signals: ``closed()`` to go back to the curves; ``stepped(Point)`` to another point."""

    closed = Signal()
    stepped = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._point: Point | None = None
        self._sampled: tuple[Point | None, tuple[Sample, ...]] = (None, ())
        self._neighbours: tuple[Point | None, Point | None] = (None, None)
        self.back = Button(
            appearance, tr("All points"), "arrow-left", "quiet", tr("Back (Backspace)")
        )
        self.back.clicked.connect(self.closed)
        self._before = Button(
            appearance, "", "chevron-left", "quiet", tr("The point before (Page Up)")
        )
        self._after = Button(
            appearance, "", "chevron-right", "quiet", tr("The next point (Page Down)")
        )
        self._before.clicked.connect(lambda: self._step(0))
        self._after.clicked.connect(lambda: self._step(1))
        self.title = Prose("heading")
        self._mark = IconLabel(appearance, "triangle-alert", "warn")
        self.doubt = label("", wrap=True, select=True)
        self.remarks = label("", "small", wrap=True, select=True)
        self.lanes = LanesView(appearance)
        self.lanes.setAccessibleName(tr("Samples of the point"))
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self.lanes)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.empty = label("", "quiet", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = Pile()
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_XS)
        line = row(self.back, self.title, self._before, self._after)
        line.setStretch(1, 1)
        layout.addLayout(line)
        layout.addLayout(bullet(self._mark, self.doubt))
        layout.addWidget(self.remarks)
        layout.addWidget(self._stack, 1)

    @property
    def point(self) -> Point | None:
        """What is shown."""
        return self._point

    def show_point(self, point: Point, picture: Picture, run: Run) -> None:
        """Show the samples of a point, as far as they are known."""
        self._point = point
        self.title.display(capital(setting_line(point.setting)))
        doubt, text = doubt_text(point), circumstances(point)
        self._mark.display("triangle-alert", "bad" if point.trust is Trust.REJECTED else "warn")
        self.doubt.setText(doubt)
        for widget in (self._mark, self.doubt):
            widget.setVisible(bool(doubt))
        self.remarks.setText(text)
        self.remarks.setVisible(bool(text))
        series = next((one for one in picture.series if point in one.points), None)
        around = list(series.points) if series is not None else [point]
        at = around.index(point)
        self._neighbours = (
            around[at - 1] if at > 0 else None,
            around[at + 1] if at + 1 < len(around) else None,
        )
        for button, other in zip((self._before, self._after), self._neighbours, strict=True):
            button.setEnabled(other is not None)
        self._show_samples(point, series.index if series is not None else 0, run)

    def _show_samples(self, point: Point, index: int, run: Run) -> None:
        known = (run.details.samples or {}).get(point.id, ()) if point.id is not None else ()
        if point is not self._sampled[0] or known is not self._sampled[1]:
            self._sampled = (point, known)
            self.lanes.show_sheet(timeline(point, known, index))
        sheet = self.lanes.sheet
        self._stack.setCurrentIndex(0 if sheet.lanes else 1)
        if sheet.lanes:
            return
        if run.details.samples is None and run.kind is not RunKind.IMPORT:
            self.empty.setText(tr("Reading the samples from the store."))
        else:
            self.empty.setText(
                tr(
                    "This point has no samples: its source gives totals alone, so nothing is known "
                    "about its course."
                )
            )

    def _step(self, which: int) -> None:
        other = self._neighbours[which]
        if other is not None:
            self.stepped.emit(other)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back, or to a neighbour."""
        match Qt.Key(event.key()):
            case Qt.Key.Key_Backspace:
                self.closed.emit()
            case Qt.Key.Key_PageUp:
                self._step(0)
            case Qt.Key.Key_PageDown:
                self._step(1)
            case _:
                super().keyPressEvent(event)
