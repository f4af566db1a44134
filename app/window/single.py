"""One window for each home: a second start raises the first one's, gives it files, and ends."""

from __future__ import annotations

import hashlib
import json
import os
import socket as sockets
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from advisor.store.private_files import make_folder
from probes.targets.listener import listener_of

CONNECT_MS = 500
ANSWER_MS = 3000
"""How long the first one may take to answer; one that hangs is no reason to show no window."""

HERE = b"leadline"
"""What the first one says to each that asks: something else that listens is no window."""

_LONGEST_BYTES = 100
"""What a unix socket's path may have, with some room for Qt's own."""

_UNCONNECTED = QLocalSocket.LocalSocketState.UnconnectedState


class SingleWindow(QObject):
    """Signals: ``wanted(list[Path])`` when another start asks for this one's window, with files."""

    wanted = Signal(object)

    def __init__(self, home: Path) -> None:
        """``home`` is where the program keeps what it remembers: two of them are two programs."""
        super().__init__()
        self._name = _place(home.absolute())
        self._heard: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._asked)

    def raise_first(self, files: Sequence[Path] = ()) -> bool:
        """Ask a program that was started before for its window, with files; whether one answers.

        Only one of this account is asked, and nothing is told before it has answered.
        """
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(CONNECT_MS) or not _is_ones_own(socket, self._name):
            return False
        if not socket.waitForReadyRead(ANSWER_MS) or socket.readAll().data() != HERE:
            return False
        if files:
            socket.write(json.dumps([str(file.absolute()) for file in files]).encode())
            socket.waitForBytesWritten(CONNECT_MS)
        socket.disconnectFromServer()
        return True

    def listen(self) -> None:
        """Be the first from now on; what one that was killed has left is taken away."""
        if Path(self._name).is_absolute():
            # What can't be made is told by what is to be kept there.
            with suppress(OSError):
                make_folder(Path(self._name).parent)
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
            socket.write(HERE)
            socket.flush()

    def _told(self) -> None:
        """All that another start has to say is here."""
        ended = [each for each in self._heard if each.state() is _UNCONNECTED]
        for socket in ended:
            self._heard.remove(socket)
            said = bytes(socket.readAll().data())
            socket.deleteLater()
            self.wanted.emit([Path(name) for name in json.loads(said)] if said else [])


def _place(home: Path) -> str:
    """Where the window of a home listens: in a folder of this account's alone.

    That is the home itself, or the session's folder where the home's path is too long for a socket.
    Windows gives a pipe's name to one account by itself.
    """
    called = f"leadline-{hashlib.sha256(str(home).encode()).hexdigest()[:24]}"
    if sys.platform == "win32":
        return called
    session = os.environ.get("XDG_RUNTIME_DIR", "")
    places = [home / "window.sock", *([Path(session) / called] if session else [])]
    short = [str(each) for each in places if len(os.fsencode(each)) <= _LONGEST_BYTES]
    # By number: an account without a name (in a container, say) has one, too.
    return next(iter(short), f"{called}-{os.getuid()}")


def _is_ones_own(socket: QLocalSocket, path: str) -> bool:
    """Whether this account's own program, or root's, listens at the other end."""
    if sys.platform == "win32":
        return True
    with closing(sockets.socket(fileno=os.dup(socket.socketDescriptor()))) as connected:
        try:
            return listener_of(connected, path).private
        except OSError:
            return False
