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
from probes.boundary.json_text import decode
from probes.boundary.malformed import Malformed
from probes.targets.listener import is_ones_own, own_account

CONNECT_MS = 500
ANSWER_MS = 3000
"""How long the first one may take to answer; one that hangs is no reason to show no window."""

HERE = b"leadline"
"""What the first one says to each that asks: something else that listens is no window."""

IN_HOME = "window.sock"
_MOST_BYTES = 1 << 20

_LONGEST_BYTES = 100
"""What a unix socket's path may have, with some room for Qt's own."""

_UNCONNECTED = QLocalSocket.LocalSocketState.UnconnectedState


class SingleWindow(QObject):
    """Signals: ``wanted(list[Path])`` when another start asks for this one's window, with files."""

    wanted = Signal(object)

    def __init__(self, home: Path) -> None:
        """``home`` is where the program keeps what it remembers: two of them are two programs."""
        super().__init__()
        self._home = home.absolute()
        self._name = _place(self._home)
        self._heard: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._asked)

    def raise_first(self, files: Sequence[Path] = ()) -> bool:
        """Ask a program that was started before for its window, with files; whether one answers.

        Only one of this account is asked, and nothing is sent before it has answered.
        """
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(CONNECT_MS) or not _is_ones_own(socket, self._name):
            return False
        if not socket.waitForReadyRead(ANSWER_MS) or socket.readAll().data() != HERE:
            return False
        if files:
            socket.write(json.dumps([_name_text(file.absolute()) for file in files]).encode())
            socket.waitForBytesWritten(CONNECT_MS)
        socket.disconnectFromServer()
        return True

    def listen(self) -> None:
        """Be the first from now on; what one that was killed has left is taken away."""
        if self._name == str(self._home / IN_HOME):
            # What can't be made is reported by what is to be kept there.
            with suppress(OSError):
                make_folder(self._home)
        if not self._server.listen(self._name):
            QLocalServer.removeServer(self._name)
            self._server.listen(self._name)

    def close(self) -> None:
        """Answer no more."""
        self._server.close()

    def _asked(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            self._heard.append(socket)
            socket.disconnected.connect(self._read_names)
            socket.write(HERE)
            socket.flush()

    def _read_names(self) -> None:
        """All that another start has to say is here."""
        ended = [each for each in self._heard if each.state() is _UNCONNECTED]
        for socket in ended:
            self._heard.remove(socket)
            sent = bytes(socket.readAll().data())
            socket.deleteLater()
            self.wanted.emit(_files(sent))


def _place(home: Path) -> str:
    """Where the window of a home listens: in a folder of this account's alone.

    That is the home itself, or the session's folder where the home's path is too long for a socket.
    Windows itself gives a pipe's name to one account.
    """
    called = f"leadline-{hashlib.sha256(str(home).encode()).hexdigest()[:24]}"
    if sys.platform == "win32":
        return called
    session = os.environ.get("XDG_RUNTIME_DIR", "")
    own = _is_this_accounts(Path(session))
    places = [home / IN_HOME, *([Path(session) / called] if own else [])]
    short = [str(each) for each in places if len(os.fsencode(each)) <= _LONGEST_BYTES]
    # By number: an account without a name (in a container, say) has one, too.
    return next(iter(short), f"{called}-{os.getuid()}")


def _is_this_accounts(session: Path) -> bool:
    """Whether a session's folder is of this account alone: who becomes root keeps the other's."""
    try:
        status = session.stat()
    except (OSError, ValueError):
        return False
    return session.is_absolute() and status.st_uid == own_account() and not status.st_mode & 0o022


def _files(sent: bytes) -> list[Path]:
    """The files that another start has named; none where it was ended while it did."""
    try:
        decoded = decode(sent, _MOST_BYTES) if sent else []
    except Malformed:
        return []
    names = decoded if isinstance(decoded, list) else []
    return [_heard(name) for name in names if isinstance(name, str) and "\0" not in name]


def _name_text(file: Path) -> str:
    """A file's name may hold bytes that are no text: each is sent as a letter."""
    return os.fsencode(file).decode("latin-1")


def _heard(name: str) -> Path:
    return Path(os.fsdecode(name.encode("latin-1", "replace")))


def _is_ones_own(socket: QLocalSocket, path: str) -> bool:
    """Whether this account's own program, or root's, listens at the other end."""
    if sys.platform == "win32":
        return True
    with closing(sockets.socket(fileno=os.dup(socket.socketDescriptor()))) as connected:
        try:
            return is_ones_own(connected, path)
        except OSError:
            return False
