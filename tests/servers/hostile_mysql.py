"""MySQL servers that are after the password, in 25 ways; what they hear is kept."""

from __future__ import annotations

import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.waiting import HANG_S

PATIENCE_S = HANG_S
"""How long a server waits for its client: only the end of a test is later."""

WANTED_FILE = __file__
"""What the servers that ask for a file ask for: this one, which begins with ``WANTED_WORDS``."""

WANTED_WORDS = "MySQL servers that are after the password"

_SSL, _PLUGIN_AUTH, _SECURE, _LENENC, _LOCAL = 0x800, 0x80000, 0x8000, 0x200000, 0x80
_CAPABILITIES = 0x1 | 0x4 | 0x8 | 0x200 | 0x2000 | _SECURE | _PLUGIN_AUTH | _LENENC | _LOCAL
_STORM = 200


@cache
def _key() -> rsa.RSAPrivateKey:
    """Made for the first who asks: it takes a moment, and most workers of a test run never do."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@cache
def _pem() -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return _key().public_key().public_bytes(serialization.Encoding.PEM, form)


class Gone(Exception):
    """The client has hung up."""


@dataclass
class Hostile:
    """One server: where it listens, and all that it was told, decrypted as far as it can."""

    host: str
    port: int
    mode: str
    heard: list[bytes] = field(default_factory=list)
    connections: int = 0

    def knows(self, secret: str) -> bool:
        """Whether it can read ``secret`` from what it heard."""
        return any(secret.encode() in each for each in self.heard)


class Client:
    """The protocol's packets, over a plain or an encrypted line."""

    def __init__(self, line: socket.socket, server: Hostile, certificate: tuple[Path, Path] | None):
        self._line, self._server, self._certificate = line, server, certificate
        self._sequence = 0
        self.salt = bytes(byte % 120 + 1 for byte in os.urandom(20))

    def say(self, payload: bytes) -> None:
        """Send one packet."""
        header = struct.pack("<I", len(payload))[:3] + bytes([self._sequence])
        self._sequence = (self._sequence + 1) % 256
        self._line.sendall(header + payload)

    def hear(self) -> bytes:
        """Take one packet; raises Gone at the end."""
        header = self._exactly(4)
        self._sequence = (header[3] + 1) % 256
        payload = self._exactly(int.from_bytes(header[:3], "little"))
        self._server.heard.append(payload)
        with suppress(ValueError):
            self._server.heard.append(self._decrypted(payload))
        return payload

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def _decrypted(self, payload: bytes) -> bytes:
        """What the password under our own key was; raises ValueError for anything else."""
        scheme = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
        masked = _key().decrypt(payload, scheme)
        return bytes(byte ^ self.salt[at % 20] for at, byte in enumerate(masked))

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._line.recv(size - len(data))
            if not part:
                raise Gone
            data += part
        return data

    def greet(self, plugin: str) -> bytes:
        """Greet, start TLS where there is a certificate, and return the client's answer."""
        offers = _CAPABILITIES | (_SSL if self._certificate else 0)
        self.say(
            b"\x0a8.0.36\0"
            + struct.pack("<I", 7)
            + self.salt[:8]
            + b"\0"
            + struct.pack("<HBHH", offers & 0xFFFF, 45, 2, offers >> 16)
            + bytes([21])
            + bytes(10)
            + self.salt[8:]
            + b"\0"
            + plugin.encode()
            + b"\0"
        )
        answer = self.hear()
        wants = int.from_bytes(answer[:4], "little")
        if self._certificate and wants & _SSL:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self._certificate)
            encrypted = context.wrap_socket(
                self._line, server_side=True, do_handshake_on_connect=False
            )
            self._line = encrypted
            encrypted.do_handshake()
            answer = self.hear()
        return answer

    def switch(self, plugin: str, rest: bytes | None = None) -> bytes:
        """Ask for another kind of authentication."""
        data = self.salt + b"\0" if rest is None else rest
        self.say(b"\xfe" + plugin.encode() + b"\0" + data)
        return self.hear()

    def full(self) -> None:
        """Go for the password by caching_sha2's full authentication, with a key if need be."""
        self.say(b"\x01\x04")
        if self.hear() == b"\x02":
            self.say(b"\x01" + _pem())
            self.hear()

    def deny(self) -> None:
        """End the login as a wrong password would."""
        self.say(b"\xff\x15\x04#28000Access denied for user 'app'@'%' (using password: YES)")

    def welcome(self) -> None:
        """Let the client in."""
        self.say(b"\0\0\0\2\0\0\0")

    def answer(self, data: bytes) -> None:
        """Say something that is no packet, and keep all that is said then."""
        self._line.sendall(data)
        while part := self._line.recv(1 << 16):
            self._server.heard.append(part)

    def ask_for_files(self) -> None:
        """Answer every statement by asking for a file."""
        while True:
            self._sequence = 0
            if self.hear()[:1] != b"\x03":
                return
            self.say(b"\xfb" + WANTED_FILE.encode())
            while self.hear():
                pass
            self.welcome()


def _rsa(client: Client) -> None:
    client.greet("caching_sha2_password")
    client.full()
    client.deny()


def _rsa_after_a_switch(client: Client) -> None:
    client.greet("mysql_native_password")
    client.switch("caching_sha2_password")
    client.full()
    client.deny()


def _rsa_unasked(client: Client) -> None:
    client.greet("caching_sha2_password")
    client.say(b"\x01" + _pem())
    client.hear()
    client.deny()


def _sha256(client: Client) -> None:
    if client.greet("sha256_password"):
        client.say(b"\x01" + _pem())
        client.hear()
    client.deny()


def _sha256_after_a_switch(client: Client) -> None:
    client.greet("mysql_native_password")
    if client.switch("sha256_password") == b"\x01":
        client.say(b"\x01" + _pem())
        client.hear()
    client.deny()


def _switched_to(plugin: str, rest: bytes | None = None) -> Callable[[Client], None]:
    def play(client: Client) -> None:
        client.greet("mysql_native_password")
        client.switch(plugin, rest)
        client.deny()

    return play


def _greeting_with(plugin: str) -> Callable[[Client], None]:
    def play(client: Client) -> None:
        client.greet(plugin)
        client.switch(plugin)
        client.deny()

    return play


def _old_password(client: Client) -> None:
    client.greet("mysql_native_password")
    client.say(b"\xfe")
    client.hear()
    client.deny()


def _storm(client: Client) -> None:
    client.greet("mysql_native_password")
    for _ in range(_STORM):
        client.switch("caching_sha2_password")
        client.switch("client_ed25519", os.urandom(32))
        client.switch("mysql_clear_password")


def _full_after_ed25519(client: Client) -> None:
    client.greet("mysql_native_password")
    client.switch("client_ed25519", os.urandom(32))
    client.say(b"\x01\x04")
    client.hear()


def _fast_then_full(client: Client) -> None:
    client.greet("caching_sha2_password")
    client.say(b"\x01\x03")
    client.full()


def _files(client: Client) -> None:
    client.greet("mysql_native_password")
    client.welcome()
    client.ask_for_files()


def _files_instead_of_a_login(client: Client) -> None:
    client.greet("mysql_native_password")
    client.say(b"\xfb" + WANTED_FILE.encode())
    while client.hear():
        pass


def _window(client: Client) -> None:
    """Answer as the program's own window does, and keep what is told."""
    client.answer(b"leadline")


MODES: dict[str, tuple[Callable[[Client], None], bool]] = {
    "rsa": (_rsa, False),
    "rsa after a switch": (_rsa_after_a_switch, False),
    "rsa unasked": (_rsa_unasked, False),
    "sha256": (_sha256, False),
    "sha256 after a switch": (_sha256_after_a_switch, False),
    "clear": (_switched_to("mysql_clear_password"), False),
    "clear from the start": (_greeting_with("mysql_clear_password"), False),
    "dialog": (_switched_to("dialog", b"\x04Password: "), False),
    "dialog from the start": (_greeting_with("dialog"), False),
    "old password": (_old_password, False),
    "old password by name": (_switched_to("mysql_old_password"), False),
    "unknown plugin": (_switched_to("authentication_of_mine"), False),
    "name that is no text": (_switched_to("\u202e\x1b[2J"), False),
    "storm of switches": (_storm, False),
    "full after ed25519": (_full_after_ed25519, False),
    "fast, then full": (_fast_then_full, False),
    "files": (_files, False),
    "files instead of a login": (_files_instead_of_a_login, False),
    "tls, full": (_rsa, True),
    "tls, full after a switch": (_rsa_after_a_switch, True),
    "tls, clear": (_switched_to("mysql_clear_password"), True),
    "tls, dialog": (_switched_to("dialog", b"\x04Password: "), True),
    "tls, sha256": (_sha256, True),
    "tls, storm of switches": (_storm, True),
    "tls, files": (_files, True),
}
"""What each server does, and whether it offers TLS."""

_PLAYS = {mode: play for mode, (play, _) in MODES.items()} | {"window": _window}


@contextmanager
def hostile_mysql(
    host: str, mode: str, certificate: tuple[Path, Path], port: int = 0
) -> Iterator[Hostile]:
    """Serve in ``mode`` on ``host``, with ``certificate`` and its key for TLS; 0: any port."""
    with socket.create_server((host, port)) as listening:
        server = Hostile(host, listening.getsockname()[1], mode)
        with _serving(listening, server, certificate if MODES[mode][1] else None):
            yield server


_LISTENS = """
import os, socket, sys
way, path, account = socket.socket(fileno=int(sys.argv[1])), sys.argv[2], int(sys.argv[3])
os.setgid(account)
os.setuid(account)
listening = socket.socket(socket.AF_UNIX)
listening.bind(path)
os.chmod(path, 0o777)
listening.listen()
socket.send_fds(way, [b"here"], [listening.fileno()])
"""
"""Listens as another account, and gives the socket to whoever started it."""


@contextmanager
def hostile_socket(path: Path, mode: str, account: int) -> Iterator[Hostile]:
    """Serve in ``mode`` on the unix socket at ``path``, where ``account`` listens; takes root."""
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        argv = [sys.executable, "-c", _LISTENS, str(theirs.fileno()), str(path), str(account)]
        subprocess.run(argv, check=True, pass_fds=[theirs.fileno()])
        _, numbers, _, _ = socket.recv_fds(ours, 16, 1)
    server = Hostile(str(path), 0, mode)
    with socket.socket(fileno=numbers[0]) as listening, _serving(listening, server, None):
        yield server


@contextmanager
def _serving(
    listening: socket.socket, server: Hostile, certificate: tuple[Path, Path] | None
) -> Iterator[None]:
    lines: list[socket.socket] = []

    def serve(line: socket.socket) -> None:
        line.settimeout(PATIENCE_S)
        client = Client(line, server, certificate)
        with closing(client), suppress(Gone, OSError):
            _PLAYS[server.mode](client)

    def accept() -> None:
        with suppress(OSError):
            while True:
                line, _ = listening.accept()
                server.connections += 1
                lines.append(line)
                threads.append(threading.Thread(target=serve, args=(line,)))
                threads[-1].start()

    threads = [threading.Thread(target=accept)]
    threads[0].start()
    try:
        yield
    finally:
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(PATIENCE_S)
