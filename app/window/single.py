"""One window for each home: a second start raises the first one's, gives it files, and ends."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

ANSWER_MS = 500
"""How long the first one may take to answer; one that hangs is no reason to show no window."""

_UNCONNECTED = QLocalSocket.LocalSocketState.UnconnectedState


class SingleWindow(QObject):
    """Signals: ``wanted(list[Path])`` when another start asks for this one's window, with files."""

    wanted = Signal(object)

    def __init__(self, home: Path) -> None:
        """``home`` is where the program keeps what it remembers: two of them are two programs."""
        super().__init__()
        # By number: an account without a name (in a container, say) has one, too.
        called = f"{os.getuid() if hasattr(os, 'getuid') else ''} {home.absolute()}"
        self._name = f"leadline-{hashlib.sha256(called.encode()).hexdigest()[:24]}"
        self._heard: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._asked)

    def raise_first(self, files: Sequence[Path] = ()) -> bool:
        """Ask a program that was started before for its window, with files; whether one answers."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(ANSWER_MS):
            return False
        if files:
            socket.write(json.dumps([str(file.absolute()) for file in files]).encode())
            socket.waitForBytesWritten(ANSWER_MS)
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
            self._heard.append(socket)
            socket.disconnected.connect(self._told)

    def _told(self) -> None:
        """All that another start has to say is here."""
        ended = [each for each in self._heard if each.state() is _UNCONNECTED]
        for socket in ended:
            self._heard.remove(socket)
            said = bytes(socket.readAll().data())
            socket.deleteLater()
            self.wanted.emit([Path(name) for name in json.loads(said)] if said else [])
