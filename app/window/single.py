"""One window for each home: a second start raises the first one's window and ends."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

ANSWER_MS = 500
"""How long the first one may take to answer; one that hangs is no reason to show no window."""


class SingleWindow(QObject):
    """Signals: ``wanted()`` when another start asks for this one's window."""

    wanted = Signal()

    def __init__(self, home: Path) -> None:
        """``home`` is where the program keeps what it remembers: two of them are two programs."""
        super().__init__()
        # By number: an account without a name (in a container, say) has one, too.
        called = f"{os.getuid() if hasattr(os, 'getuid') else ''} {home.absolute()}"
        self._name = f"leadline-{hashlib.sha256(called.encode()).hexdigest()[:24]}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._asked)

    def raise_first(self) -> bool:
        """Ask the program that was started before to show its window; whether there is one."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(ANSWER_MS):
            return False
        socket.disconnectFromServer()
        return True

    def listen(self) -> None:
        """Be the first from now on; what one that was killed has left is taken away."""
        if not self._server.listen(self._name):
            QLocalServer.removeServer(self._name)
            self._server.listen(self._name)

    def close(self) -> None:
        """Answer no more."""
        self._server.close()

    def _asked(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            self.wanted.emit()
