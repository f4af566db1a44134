"""What PyMySQL takes for a socket, made of anything that carries bytes both ways."""

from __future__ import annotations

import io
import socket
import ssl
from contextlib import suppress

from probes.mysql.transport.allowance import Allowance
from probes.mysql.transport.tls import CertificateChanged, fingerprint
from probes.targets.target import ByteSocket

_CHUNK_BYTES = 1 << 16


class Wire:
    """A ``ByteSocket`` with the file to read from that PyMySQL asks a socket for.

    What is read is counted against ``allowance``: there is a limit of each wait and one of all.
    """

    def __init__(self, carrier: ByteSocket) -> None:
        self._carrier = carrier
        self._limit_s: float | None = None
        self.allowance = Allowance()

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        self._carrier.sendall(data)

    def recv(self, size: int) -> bytes:
        """Up to ``size`` bytes; b"" at the end. Raises Overrun."""
        self._carrier.settimeout(self.allowance.wait_s(self._limit_s))
        data = self._carrier.recv(size)
        self.allowance.take(len(data))
        return data

    def settimeout(self, seconds: float | None) -> None:
        """Limit each call."""
        self._limit_s = seconds
        self._carrier.settimeout(seconds)

    def close(self) -> None:
        """Close both directions."""
        self._carrier.close()

    def hang_up(self) -> None:
        """End it from any thread: whoever waits on it sees the end at once."""
        with suppress(OSError):
            if isinstance(self._carrier, socket.socket):
                # A close alone would wake nobody.
                self._carrier.shutdown(socket.SHUT_RDWR)
            else:
                self._carrier.close()

    def makefile(self, mode: str) -> io.BufferedReader:
        """A reader that gives exactly as much as it is asked for; ``mode`` is "rb"."""
        if mode != "rb":
            raise ValueError(f"a wire can't be opened as {mode!r}")
        return io.BufferedReader(_Reader(self), _CHUNK_BYTES)


class TlsWire(Wire):
    """TLS inside another wire: ``ssl`` wraps real sockets alone, so bytes go through its memory."""

    def __init__(self, carrier: ByteSocket, context: ssl.SSLContext, server_name: str) -> None:
        super().__init__(carrier)
        self._arrived = ssl.MemoryBIO()
        self._leaving = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._arrived, self._leaving, server_hostname=server_name)
        self._shake_hands()

    @property
    def certificate(self) -> bytes | None:
        """What the server showed, as DER, whether it was verified or not."""
        return self._tls.getpeercert(binary_form=True)

    def sendall(self, data: bytes) -> None:
        """Send all of it, encrypted."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._tls.write(rest) :]
            self._pass_on()

    def recv(self, size: int) -> bytes:
        """Up to ``size`` decrypted bytes; b"" at the end."""
        while True:
            try:
                return self._tls.read(size)
            except ssl.SSLWantReadError:
                self._pass_on()
                if not self._fetch():
                    return b""
            except ssl.SSLZeroReturnError:
                return b""

    def _shake_hands(self) -> None:
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._pass_on()
                if not self._fetch():
                    raise ssl.SSLEOFError("closed during the TLS handshake") from None
            except ssl.SSLError:
                # The alert gives the other end the reason.
                self._pass_on()
                raise
            else:
                self._pass_on()
                return

    def _pass_on(self) -> None:
        if self._leaving.pending:
            self._carrier.sendall(self._leaving.read())

    def _fetch(self) -> bool:
        data = self._carrier.recv(_CHUNK_BYTES)
        if data:
            self._arrived.write(data)
        return bool(data)


class TlsStarter:
    """The part of an ``SSLContext`` that PyMySQL uses; ``started`` once the server speaks TLS.

    With ``accepted``, the fingerprint of a certificate, no other certificate will do.
    """

    def __init__(self, context: ssl.SSLContext, accepted: str = "") -> None:
        self._context = context
        self._accepted = accepted
        self.started = False

    def wrap_socket(self, plain: Wire, server_hostname: str) -> TlsWire:
        """Encrypt what ``plain`` carries from now on; raises CertificateChanged and SSLError."""
        wrapped = TlsWire(plain, self._context, server_hostname)
        shown = fingerprint(wrapped.certificate)
        if self._accepted and shown != self._accepted:
            raise CertificateChanged(shown, self._accepted)
        self.started = True
        return wrapped


class _Reader(io.RawIOBase):
    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._wire.recv(len(buffer))
        buffer[: len(data)] = data
        return len(data)
