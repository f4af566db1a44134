"""Throughput and time over connections: side by side, or where there is no room one of both."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.presenters.charts.connection_curves import CurvesPicture
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.forecast_chart import ForecastChart
from app.views.widgets.buttons import Segments

RATE, TIME = "rate", "time"
SIDES = ((RATE, "Queries/s"), (TIME, "Time of a query"))

WIDE = 760
"""From this width on both are drawn beside each other."""


class ForecastCharts(QWidget):
    """Both charts, and what chooses one of them in a narrow window."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.rate = ForecastChart(
            appearance, tr("Queries per second over connections, today and then")
        )
        self.time = ForecastChart(
            appearance, tr("Time of a query over connections, mean and p95, today and then")
        )
        self.sides = Segments(SIDES)
        self.sides.setAccessibleName(tr("What the chart shows"))
        self.sides.picked.connect(lambda _key: self._arrange())
        both = QHBoxLayout()
        both.setSpacing(tokens.SPACE_M)
        both.addWidget(self.rate)
        both.addWidget(self.time)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_XS)
        layout.addWidget(self.sides)
        layout.addLayout(both, 1)
        self._arrange()

    def show_pictures(self, rate: CurvesPicture, time: CurvesPicture) -> None:
        """Draw these from now on."""
        self.rate.show_picture(rate)
        self.time.show_picture(time)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many as there is room for."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        wide = self.width() >= WIDE
        self.sides.setVisible(not wide)
        self.rate.setVisible(wide or self.sides.key == RATE)
        self.time.setVisible(wide or self.sides.key == TIME)
