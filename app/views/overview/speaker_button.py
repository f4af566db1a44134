"""The button that lets another look speak on a server's page, or gives the word back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.presenters.overview.voice import Speaker
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button


class SpeakerButton(Button):
    """Signals: ``run_wanted(int)`` for a look's own pages, ``today_wanted()`` for the server's."""

    run_wanted = Signal(int)
    today_wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, "", "", "quiet")
        self.looks = QMenu(self)
        self._speakers: list[Speaker] | None = None
        self.clicked.connect(self._press)

    def offer(self, speakers: Sequence[Speaker]) -> None:
        """Offer these looks, where there are any."""
        self.setVisible(bool(speakers))
        if speakers == self._speakers:
            return
        self._speakers = list(speakers)
        self.looks.clear()
        for one in speakers:
            action = self.looks.addAction(one.text)
            action.triggered.connect(
                lambda _on=False, run_id=one.run_id: self.run_wanted.emit(run_id)
            )
        self.display(tr("By another run"), "chevron-down", "quiet")

    def offer_back(self) -> None:
        """Offer the server's own page, on that of one run."""
        self._speakers = None
        self.display(tr("The server today"), "arrow-right", "quiet")
        self.show()

    def _press(self) -> None:
        if self._speakers is None:
            self.today_wanted.emit()
        else:
            self.looks.popup(self.mapToGlobal(self.rect().bottomLeft()))
