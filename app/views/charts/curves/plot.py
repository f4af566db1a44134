"""One plot of a chart: its curves, and the axes beside and below them."""

from __future__ import annotations

from PySide6.QtGui import QColor, QWheelEvent

from app.presenters.charts.scene import Scene
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.charts.curves.curves_item import CurvesItem
from app.views.charts.curves.plotting import pyqtgraph as pg

AXIS_WIDTH = 58


class PlotView(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """What a plot is drawn in."""

    def __init__(self) -> None:
        super().__init__()
        # The ground is one colour: pyqtgraph would keep it as a picture of the view's size.
        self.setCacheMode(self.CacheModeFlag.CacheNone)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to the page: nothing in a plot is zoomed or moved by it."""
        event.ignore()


class CurvePlot:
    """One plot with its curves and axes.

    pyqtgraph's own plot brings two more axes, a title, buttons, and a form of settings with a menu
    for it: two fifths of what a chart took to be made.
    """

    def __init__(self, view: PlotView, margins: tuple[int, int, int, int]) -> None:
        self.box: pg.ViewBox = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self.curves = CurvesItem()
        self.box.addItem(self.curves, ignoreBounds=True)
        self.left, self.bottom = pg.AxisItem("left"), pg.AxisItem("bottom")
        layout = view.ci.layout
        layout.setContentsMargins(*margins)
        layout.setSpacing(0)
        view.addItem(self.box, 0, 1)
        # In this order: the left axis' line covers the end of the lower one.
        view.addItem(self.bottom, 1, 1)
        view.addItem(self.left, 0, 0)
        self.left.setWidth(AXIS_WIDTH)
        for axis in (self.left, self.bottom):
            axis.linkToView(self.box)
            axis.setZValue(0.5)
            axis.setStyle(
                tickLength=0,
                tickFont=ui_font(tokens.TYPE_SMALL, equal_widths=True),
                tickTextOffset=7,
                hideOverlappingLabels=False,
            )
        # Otherwise the box is placed within a paint, which asks for another one.
        self.box.sigResized.connect(self.box.updateMatrix)

    def show(self, scene: Scene, appearance: Appearance) -> None:
        """Draw this, and its ticks where they differ."""
        before = self.curves.scene_shown
        self.curves.show_scene(scene, appearance.palette)
        # Axes draw slowly; most of the time nothing about them has changed.
        if scene.across != before.across:
            self.box.setXRange(scene.across.low, scene.across.high, padding=0)
            self.bottom.setTicks([list(scene.across.ticks)])
        if scene.up != before.up:
            self.box.setYRange(scene.up.low, scene.up.high, padding=0)
            self.left.setTicks([list(scene.up.ticks)])
        self.box.updateMatrix()

    def dress(self, appearance: Appearance) -> None:
        """Give the axes the palette's colours."""
        palette = appearance.palette
        for axis, line in ((self.left, palette.ground), (self.bottom, palette.line)):
            axis.setPen(pg.mkPen(QColor(line)))
            axis.setTextPen(pg.mkPen(QColor(palette.quiet)))
