"""Compared drives under a server that was watched: which is the fastest, from where on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from advisor.forecasts.under import UnderServer
from advisor.run import looks
from advisor.wording.forecasts.under import notes, roles_text, sentences
from app.controllers.comparison import ComparisonController
from app.controllers.stored_runs import StoredRuns
from app.presenters.compare.under import rows, watched_servers
from app.presenters.compare.under_picture import under_picture, under_times_picture
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.compare.under_chart import UnderChart
from app.views.compare.under_table import UnderTable
from app.views.widgets.buttons import Fold, Segments
from app.views.widgets.callout import Callout
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from app.views.widgets.turned import DropDown

RATE, TIME = "rate", "time"
SIDES = ((RATE, "Queries/s"), (TIME, "Time of a query (p95)"))
CHART_SHARE = 1000
LEAST_SERVER = 88
"""How narrow the list of servers may get in a small window; its opened list has whole names."""


class UnderView(QScrollArea):
    """Asks for a server and shows what it would do on each of the drives.

    In a low window it is scrolled as a whole: the chart stays high enough to be read.
    """

    def __init__(
        self, appearance: Appearance, stored_runs: StoredRuns, controller: ComparisonController
    ) -> None:
        super().__init__()
        self._stored_runs, self._controller = stored_runs, controller
        self.servers = DropDown()
        self.servers.setAccessibleName(tr("The server that the drives are compared under"))
        self.servers.setMinimumWidth(LEAST_SERVER)
        self.servers.activated.connect(self._ask)
        self.sentences = label("", wrap=True, select=True)
        self.rests = label("", "quiet", wrap=True, select=True)
        self.rests_on = Fold(appearance, self.rests)
        self.callout = Callout(appearance, closable=True)
        self.chart = UnderChart(
            appearance, tr("Queries per second over connections, drive by drive")
        )
        self.sides = Segments(SIDES)
        self.sides.setAccessibleName(tr("What the chart shows"))
        self.sides.picked.connect(lambda _key: self._draw())
        self._found: UnderServer | None = None
        self.table = UnderTable(appearance)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Under a server"))
        body = QWidget()
        body.setObjectName("pageBody")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, tokens.SPACE_S, 0)
        layout.setSpacing(tokens.SPACE_M)
        under = label(tr("Under"), "quiet")
        under.setBuddy(self.servers)
        layout.addLayout(row(under, self.servers, None, self.sides))
        layout.addWidget(self.callout)
        layout.addWidget(self.table)
        layout.addWidget(self.chart, CHART_SHARE)
        layout.addWidget(self.sentences)
        layout.addWidget(self.rests_on)
        # Where there is no chart, this takes what is left, and no box is stretched.
        layout.addStretch(1)
        self.setWidget(body)

    @property
    def can_answer(self) -> bool:
        """Whether a server was seen at work that drives can be forecast under."""
        return any(not run.idle for run in looks(self._stored_runs.shelf.runs))

    def show_state(self) -> None:
        """Offer the servers, have the first forecast, and show what is known."""
        known = watched_servers(self._stored_runs.shelf)
        listed = [self.servers.itemData(at) for at in range(self.servers.count())]
        if listed != [voice for voice, _ in known]:
            self.servers.clear()
            for voice, name in known:
                self.servers.addItem(name, voice)
        self.callout.close_button.setVisible(bool(known))
        if not known:
            self.callout.display(
                "",
                tr("No server was watched yet."),
                tr("Watch one at work (Ctrl+Shift+R), then come back."),
            )
        if known and self._controller.wants_under:
            self._ask()
        found, refused = self._controller.under, self._controller.under_refused
        if known:
            self.callout.tell_error(refused)
        lines = [] if found is None else [*sentences(found), roles_text(found)]
        rests = [] if found is None else notes(found)
        text = _listed(lines)
        self.rests.setText(_listed(rests))
        self.rests_on.name(tr("What this rests on ({n})", n=len(rests)) if rests else "")
        if known and found is None and refused is None:
            text = tr("Forecasting what the server would do on each of the drives.")
        self.sentences.setText(text)
        self.table.setVisible(found is not None)
        if found is not None:
            priced = any(each.price is not None for each in found.entrants)
            self.table.show_rows(rows(found), priced=priced)
        self._found = found
        self._draw()

    def _draw(self) -> None:
        """One of both charts: the times where they are known and asked for."""
        found = self._found
        times = None if found is None else under_times_picture(found)
        self.sides.setVisible(times is not None)
        self.chart.setVisible(found is not None)
        if times is not None and self.sides.key == TIME:
            self.chart.show_picture(times)
        elif found is not None:
            self.chart.show_picture(under_picture(found))

    def _ask(self) -> None:
        voice = self.servers.currentData()
        if voice is not None:
            self._controller.ask_under(voice)


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"•\u2002{each}" for each in lines)
