"""Two plots over one axis: rate above, latency below, with one cursor for both.

Where there is no room for both, one of them at a time.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.controllers.run import Growing
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.operating_point import in_words
from app.presenters.charts.point_text import point_rows
from app.presenters.charts.ratios import without_ratios
from app.presenters.charts.readout import trust_key
from app.presenters.charts.scene import Scene, SceneOptions, Trace, latency_scene, rate_scene
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.theme.tokens import Palette
from app.views.charts.curves.plot import CurvePlot, PlotView
from app.views.charts.hover_card import HoverCard
from app.views.widgets.buttons import Segments
from app.views.widgets.labels import ElidedLabel
from app.views.widgets.layouts import RIGHT, row
from probes.kinds.words import workers
from probes.points import Point, Trust

REACH = 14.0
"""How near, in pixels, the pointer must come to a point to hover over it."""

TICK_HEIGHT = 30

LEAST_FOR_BOTH = 356
"""Below this height one plot is shown at a time: of two, neither would have 120 pixels."""

RATE, LATENCY = "rate", "latency"


class CurveChart(QWidget):
    """Shows one picture.

    Signals: ``cursor_moved(position)`` with a measured position of the log2 axis, or None;
    ``point_chosen(Point)`` when one was clicked, or chosen with Enter.
    """

    cursor_moved = Signal(object)
    point_chosen = Signal(Point)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._picture: Picture | None = None
        self._growing: Growing | None = None
        self._options = SceneOptions()
        self._cursor: float | None = None
        self._stepped: Point | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Curves"))
        self._build()
        appearance.follow(self._dress)
        self._dress()

    def _build(self) -> None:
        self.rate_title, self._latency_title = QLabel(), QLabel()
        for label in (self.rate_title, self._latency_title):
            label.setProperty("role", "small")
            label.setContentsMargins(2, 0, 0, 0)
        self.axis_title = QLabel()
        self.axis_title.setProperty("role", "small")
        self.axis_title.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.views = [PlotView(), PlotView()]
        upper, lower = self.views
        self.plots = [CurvePlot(upper, (1, 9, 9, 9)), CurvePlot(lower, (1, 9, 9, 1))]
        self.plots[0].bottom.setStyle(showValues=False)
        self.sides = Segments()
        self.sides.picked.connect(lambda _key: self._fit())
        self.sides.hide()
        self._apart = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_XS)
        self._key = ElidedLabel("small")
        self._key.setAlignment(RIGHT)
        self._key.setAccessibleName(tr("Doubtful and rejected points"))
        titles = row(self.sides, self.rate_title, self._key)
        titles.setStretch(2, 1)
        layout.addLayout(titles)
        layout.addWidget(self.views[0], 6)
        self._latency_title.setContentsMargins(2, tokens.SPACE_S, 0, 0)
        layout.addWidget(self._latency_title)
        layout.addWidget(self.views[1], 6)
        self.below = ElidedLabel("small")
        below = row(self.below, self.axis_title)
        below.setStretch(0, 1)
        layout.addLayout(below)
        for view, plot in zip(self.views, self.plots, strict=True):
            self._prepare(view, plot)
        self.card = HoverCard(self._appearance, self)

    def _prepare(self, view: PlotView, plot: CurvePlot) -> None:
        for part in (view, view.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        view.setMinimumSize(QSize(120, 60))
        view.scene().sigMouseMoved.connect(partial(self._moved, plot))
        view.scene().sigMouseClicked.connect(partial(self._clicked, plot))
        view.viewport().installEventFilter(self)

    def show_picture(
        self, picture: Picture | None, growing: Growing | None, options: SceneOptions
    ) -> None:
        """Draw this; None empties the chart."""
        self._picture, self._growing, self._options = picture, growing, options
        if picture is None:
            return
        rate, latency = self._scenes(picture)
        self.plots[0].show(rate, self._appearance)
        self.plots[1].show(latency, self._appearance)
        self._tell_titles(picture, options)
        self.axis_title.setText(picture.axis.title)
        working = options.working if rate.working is not None else None
        below = "" if working is None else in_words(working)
        if options.against is not None:
            below = without_ratios(picture, options.against)
        self.below.display(below)
        self._key.display(trust_key(picture, options))

    def _tell_titles(self, picture: Picture, options: SceneOptions) -> None:
        base = next((one for one in picture.series if one.index == options.against), None)
        rates, latency = f"{picture.unit.capitalize()}/s", picture.latency_of
        chosen = self.sides.key
        self.sides.offer(((RATE, rates), (LATENCY, latency)))
        self.sides.pick(chosen)
        if options.against is None:
            self.rate_title.setText(tr("{rate}, 95 % interval", rate=rates))
            title = tr("{latency}: p95, and p99 as the thin line above it", latency=latency)
            self._latency_title.setText(title)
            return
        name = base.name if base is not None else tr("the baseline, which lacks this curve")
        title = tr("{rate} over {base}, 95 % interval", rate=rates, base=name)
        self.rate_title.setText(title)
        title = tr("{latency}: p95 over {base}", latency=latency, base=name)
        self._latency_title.setText(title)

    def _scenes(self, picture: Picture) -> tuple[Scene, Scene]:
        growing = self._growing
        if growing is not None and not picture.holds(growing.setting):
            growing = None
        rate, latency = (
            replace(self._options, most_ticks=max(2, (view.height() - below) // TICK_HEIGHT))
            for view, below in zip(
                self.views, (TICK_HEIGHT if self._apart else 0, TICK_HEIGHT), strict=True
            )
        )
        return rate_scene(picture, growing, rate), latency_scene(picture, growing, latency)

    @property
    def palette_shown(self) -> Palette:
        """The colours that the chart is drawn in."""
        return self._appearance.palette

    @property
    def options(self) -> SceneOptions:
        """What is shown and hidden."""
        return self._options

    @property
    def picture(self) -> Picture | None:
        """What is drawn."""
        return self._picture

    @property
    def growing(self) -> Growing | None:
        """The point that is being measured."""
        return self._growing

    @property
    def position(self) -> float | None:
        """Where the cursor is, on the log2 axis."""
        return self._cursor

    def hold_latency(self, held: bool) -> None:
        """Leave the lower plot as it is on the screen until it may be drawn again."""
        self.views[1].setUpdatesEnabled(not held)

    def ring_point(self, point: Point | None) -> None:
        """Put a ring around one point in both plots, None takes it away."""
        for plot in self.plots:
            plot.curves.ring(self._place(plot, point) if point is not None else None)

    def _place(self, plot: CurvePlot, point: Point) -> tuple[float, float] | None:
        """Where a point is drawn in one of the plots."""
        for series, trace in self._drawn(plot):
            for one, mark in zip(series.points, trace.marks, strict=True):
                if one == point:
                    return (mark.x, mark.y)
        return None

    def _drawn(self, plot: CurvePlot) -> list[tuple[Series, Trace]]:
        """The curves with the traces that show them."""
        known = {one.index: one for one in self._picture.series} if self._picture else {}
        return [(known[trace.index], trace) for trace in plot.curves.scene_shown.traces]

    def point_cursor(self, position: float | None) -> None:
        """Put the cursor of both plots at a position, None takes it away."""
        if position == self._cursor:
            return
        self._cursor, self._stepped = position, None
        for plot in self.plots:
            plot.curves.point_at(position)
        self.cursor_moved.emit(position)

    def _moved(self, plot: CurvePlot, where: QPointF) -> None:
        if self._picture is None:
            return
        at = plot.box.mapSceneToView(where)
        self.point_cursor(self._picture.nearest(at.x()))
        self._hover(plot, where)

    def _hover(self, plot: CurvePlot, where: QPointF) -> None:
        found = self._point_near(plot, where)
        for other in self.plots:
            other.curves.ring(None)
        if found is None or self._picture is None:
            self.card.put_away()
            return
        self._tell(plot, *found)

    def _tell(self, plot: CurvePlot, point: Point, x: float, y: float, name: str) -> None:
        """Ring a point and tell all of it."""
        plot.curves.ring((x, y))
        view = self.views[self.plots.index(plot)]
        spot = view.mapTo(self, view.mapFromScene(plot.box.mapViewToScene(QPointF(x, y))))
        title = f"{name} · {_position_text(point)}"
        clear_of = None if self._apart else view.geometry()
        self.card.display(title, point_rows(point), spot, clear_of)

    def _point_near(
        self, plot: CurvePlot, where: QPointF
    ) -> tuple[Point, float, float, str] | None:
        """The point under the pointer with its place in the plot, and its curve's name."""
        box = plot.box
        best: tuple[Point, float, float, str] | None = None
        nearest = REACH
        for series, trace in self._drawn(plot):
            for point, mark in zip(series.points, trace.marks, strict=True):
                if point.trust is Trust.REJECTED and not self._options.show_rejected:
                    continue
                offset = box.mapViewToScene(QPointF(mark.x, mark.y)) - where
                distance = (offset.x() ** 2 + offset.y() ** 2) ** 0.5
                if distance < nearest:
                    nearest = distance
                    best = (point, mark.x, mark.y, series.name)
        return best

    def _clicked(self, plot: CurvePlot, event: object) -> None:
        found = self._point_near(plot, event.scenePos())  # type: ignore[attr-defined]
        if found is not None:
            self.point_chosen.emit(found[0])

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Take the cursor away when the pointer leaves."""
        if event.type() is QEvent.Type.Leave:
            self.card.put_away()
            self.point_cursor(None)
            for plot in self.plots:
                plot.curves.ring(None)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor with the arrow keys, along the axis and from curve to curve."""
        match Qt.Key(event.key()):
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                self._step_along(1 if key is Qt.Key.Key_Right else -1)
            case Qt.Key.Key_Up | Qt.Key.Key_Down as key:
                self._step_across(1 if key is Qt.Key.Key_Up else -1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._at_cursor():
                self.point_chosen.emit(self._stepped or self._at_cursor()[0][0])
            case _:
                super().keyPressEvent(event)

    def _step_along(self, step: int) -> None:
        known = self._picture.positions if self._picture is not None else []
        if not known:
            return
        if self._cursor in known:
            index = known.index(self._cursor) + step
        else:
            index = 0 if step > 0 else len(known) - 1
        self.card.put_away()
        self._stepped = None
        self.point_cursor(known[max(0, min(index, len(known) - 1))])

    def _step_across(self, step: int) -> None:
        """From one curve's point at the cursor to the next higher or lower one's."""
        found = self._at_cursor()
        if not found:
            return
        points = [one[0] for one in found]
        at = points.index(self._stepped) + step if self._stepped in points else 0
        chosen = found[max(0, min(at, len(found) - 1))]
        self._stepped = chosen[0]
        self._tell(self._front, *chosen)

    def _at_cursor(self) -> list[tuple[Point, float, float, str]]:
        """The drawn points at the cursor with their places and names, the lowest first."""
        if self._cursor is None:
            return []
        found = [
            (point, mark.x, mark.y, series.name)
            for series, trace in self._drawn(self._front)
            for point, mark in zip(series.points, trace.marks, strict=True)
            if abs(mark.x - self._cursor) < 1e-6 and point.trust is not Trust.REJECTED
        ]
        return sorted(found, key=lambda one: one[2])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the ticks again; the hover card's point has moved."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show both plots where there is room for them, else the one that was chosen."""
        self._apart = self.height() < LEAST_FOR_BOTH
        latency = self._apart and self.sides.key == LATENCY
        self.sides.setVisible(self._apart)
        self.rate_title.setVisible(not self._apart)
        self._latency_title.setVisible(not self._apart)
        for view, shown in zip(self.views, (not latency, latency or not self._apart), strict=True):
            view.setVisible(shown)
        self.plots[0].bottom.setStyle(showValues=self._apart)
        if (layout := self.layout()) is not None:
            # The plots have their new heights before their ticks are chosen.
            layout.activate()
        self.card.put_away()
        self.show_picture(self._picture, self._growing, self._options)

    @property
    def _front(self) -> CurvePlot:
        """The upper plot, or the one that is shown."""
        return self.plots[self._apart and self.sides.key == LATENCY]

    def _dress(self) -> None:
        for view, plot in zip(self.views, self.plots, strict=True):
            view.setBackground(QColor(self._appearance.palette.ground))
            plot.dress(self._appearance)
        self.show_picture(self._picture, self._growing, self._options)

    def render_plot(self, painter: QPainter) -> None:
        """Paint the whole chart with its titles, without cursor and hover; for export."""
        self.point_cursor(None)
        self.ring_point(None)
        self.card.put_away()
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        below = [self._key, self.below, self.axis_title]
        titles = [] if self._apart else [self.rate_title, self._latency_title]
        for shown in (*titles, *below):
            painter.drawText(shown.geometry(), int(shown.alignment()), shown.text())
        if self._apart:
            title = self._latency_title if self._front is self.plots[1] else self.rate_title
            painter.drawText(self.sides.geometry().topLeft() + QPoint(0, 14), title.text())
        # What is drawn next takes over the painter's brush.
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for view in self.views:
            if not view.isHidden():
                view.render(painter, QRectF(view.geometry()), view.rect())


def _position_text(point: Point) -> str:
    return workers(point.setting)
