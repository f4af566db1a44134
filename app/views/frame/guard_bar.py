"""How a live server fares while its drive is measured: the canary's latency against its limit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.controllers.run_controller import RunController
from app.presenters.frame.sidebar_rows import title_of
from app.presenters.probe.guard import guard_text, guard_tone
from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import ElidedLabel, IconLabel
from probes.events import CanaryBeat
from probes.targets.address import TargetSpec

REDRAW_MS = 200
HEIGHT = 34


class Spark(QWidget):
    """The canary's last two minutes on a logarithmic scale, with the limit as a line on top."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._beats: Sequence[CanaryBeat] = ()
        self.setFixedSize(QSize(220, HEIGHT - 8))
        self.setAccessibleName(tr("Latency of the canary against its limit"))
        appearance.changed.connect(self.update)

    def show_beats(self, beats: Sequence[CanaryBeat]) -> None:
        """Draw these."""
        self._beats = beats
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw baseline, limit and course."""
        if not self._beats:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, last = self._appearance.palette, self._beats[-1]
        area = QRectF(2, 3, self.width() - 4, self.height() - 6)
        low = math.log10(max(1.0, min(beat.latency_us for beat in self._beats), 1.0))
        low = min(low, math.log10(max(last.baseline_us, 1.0)))
        high = math.log10(max(last.limit_us, 10.0))

        def y(us: float) -> float:
            share = (math.log10(max(us, 1.0)) - low) / max(high - low, 1e-9)
            return area.bottom() - min(share, 1.15) * area.height()

        for us, colour in ((last.baseline_us, palette.line), (last.limit_us, palette.bad)):
            painter.setPen(QPen(QColor(colour), 1))
            at = round(y(us)) + 0.5
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
        step = area.width() / max(len(self._beats) - 1, 30)
        line = [
            QPointF(area.right() - (len(self._beats) - 1 - at) * step, y(beat.latency_us))
            for at, beat in enumerate(self._beats)
        ]
        tone = getattr(palette, guard_tone(last))
        painter.setPen(QPen(QColor(tone), 1.4))
        painter.drawPolyline(QPolygonF(line))
        painter.setBrush(QColor(tone))
        painter.drawEllipse(line[-1], 2.5, 2.5)
        painter.end()


class GuardBar(QWidget):
    """Shown on every page while a run is guarded."""

    def __init__(self, appearance: Appearance, run_controller: RunController) -> None:
        super().__init__()
        self._run_controller = run_controller
        self.setObjectName("guardStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._picture = IconLabel(appearance, "shield-check", "good")
        self.text = ElidedLabel("")
        self.spark = Spark(appearance)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_L, 0, tokens.SPACE_L, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self._picture)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.spark)
        self.setFixedHeight(HEIGHT)
        run_controller.advanced.connect(Debounce(self, REDRAW_MS, self.show_state).ask)
        self.hide()

    def show_state(self) -> None:
        """Show the guard of the run that was started last, while it watches."""
        guarded = [run for run in self._run_controller.measuring() if run.beats]
        self.setVisible(bool(guarded))
        if not guarded:
            return
        run = guarded[-1]
        beats = run.beats
        tone = guard_tone(beats[-1])
        self._picture.display("shield-check" if tone == "good" else "shield-alert", tone)
        named = title_of(TargetSpec(name=run.target))
        self.text.display(f"{named}: {guard_text(beats[-1])}")
        self.spark.show_beats(beats)
