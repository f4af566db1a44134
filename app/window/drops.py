"""What is dropped on the window: files to import, and runs of the sidebar to compare."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.theme.appearance import Appearance
from app.views.frame.sidebar_model import runs_in

_DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove)


class Drops(QObject):
    """Signals: ``files_dropped(list[Path])``, ``runs_dropped(list[int])``."""

    files_dropped = Signal(object)
    runs_dropped = Signal(object)

    def __init__(self, window: QWidget, page: QWidget, appearance: Appearance) -> None:
        """Files may be dropped anywhere in ``window``, runs on ``page``, which is part of it."""
        super().__init__(window)
        self._page = page
        self.frame = QFrame(page)
        self.frame.setObjectName("dropFrame")
        self.frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.frame.hide()
        appearance.dress(self.frame)
        for place in (window, page):
            place.setAcceptDrops(True)
            place.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is meant for the place, and leave the rest to others."""
        if event.type() in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self.frame.hide()
        if not isinstance(event, QDropEvent):
            return False
        files = _files(event.mimeData())
        runs = runs_in(event.mimeData()) if watched is self._page else []
        if not files and not runs:
            return False
        event.acceptProposedAction()
        if event.type() in _DRAGS:
            # Letting go here would do something: that is seen before.
            self.frame.setGeometry(self._page.rect())
            self.frame.show()
            self.frame.raise_()
            return True
        if runs:
            self.runs_dropped.emit(runs)
        else:
            self.files_dropped.emit(files)
        return True


def _files(dragged: QMimeData) -> list[Path]:
    """Files of this computer, in their order."""
    paths = [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]
