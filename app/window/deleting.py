"""What was deleted can be taken back for a while, and is shown again then."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.controllers.selection import Selection
from app.controllers.stored_runs import Deletion, StoredRuns
from app.views.frame.header import TargetHeader
from app.views.frame.notice import Notice


class Deleting(QObject):
    """Offers the way back in a notice."""

    def __init__(
        self,
        stored_runs: StoredRuns,
        selection: Selection,
        header: TargetHeader,
        notice: Notice,
    ) -> None:
        super().__init__(notice)
        self._stored_runs, self._selection = stored_runs, selection
        self._header, self._notice = header, notice
        stored_runs.deleted.connect(self._deleted)

    def _deleted(self, deletion: Deletion) -> None:
        chosen, page = self._selection.choice, self._header.tabs.currentIndex()

        def undo() -> None:
            self._stored_runs.take_back(deletion)
            self._selection.choose(chosen)
            self._header.tabs.setCurrentIndex(page)

        self._notice.display(deletion.sentence, undo)

    def undo(self) -> None:
        """As the notice offers it, as long as it does."""
        if self._notice.isVisible() and self._notice.undo.isVisible():
            self._notice.undo.click()
