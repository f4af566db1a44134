"""MySQL servers on loopback that let everybody in and answer as no server does, each in one way."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.waiting import HANG_S

GUARD_S = HANG_S
"""How long a server goes on with an endless answer, should nobody hang up."""

_DRIP_S = 0.02
_EOF = b"\xfe\0\0\2\0"
_MORE = b"\xfe\0\0\x0a\0"
_OK = b"\0\0\0\2\0\0\0"
_TEXT, _LONGLONG, _DOUBLE, _DECIMAL, _DATETIME, _JSON = 253, 8, 5, 246, 12, 245

Row = list[bytes | None]


class Gone(Exception):
    """The client has hung up."""


class Client:
    """The protocol's packets."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._sequence = 0

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            self._line.sendall(data)
        except OSError as error:
            raise Gone from error

    def say(self, *payloads: bytes) -> None:
        """Send each as a packet."""
        for payload in payloads:
            head = struct.pack("<I", len(payload))[:3] + bytes([self._sequence])
            self._sequence = (self._sequence + 1) % 256
            self.send(head + payload)

    def hear(self) -> bytes:
        """Take one packet; raises Gone at the end."""
        head = self._exactly(4)
        self._sequence = (head[3] + 1) % 256
        return self._exactly(int.from_bytes(head[:3], "little"))

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            try:
                part = self._line.recv(size - len(data))
            except OSError as error:
                raise Gone from error
            if not part:
                raise Gone
            data += part
        return data


def number(value: int) -> bytes:
    """A length, as the protocol writes it."""
    if value < 251:
        return bytes([value])
    if value < 1 << 24:
        return b"\xfd" + struct.pack("<I", value)[:3]
    return b"\xfe" + struct.pack("<Q", value)


def text(value: bytes | None) -> bytes:
    return b"\xfb" if value is None else number(len(value)) + value


def column(name: bytes, kind: int = _TEXT, charset: int = 45) -> bytes:
    names = b"".join(map(text, (b"def", b"", b"t", b"t", name, name)))
    return names + b"\x0c" + struct.pack("<HIBHB", charset, 1 << 20, kind, 0, 0) + b"\0\0"


def table(names: list[bytes], rows: list[Row], kind: int = _TEXT, end: bytes = _EOF) -> list[bytes]:
    heads = [column(name, kind) for name in names]
    return [number(len(names)), *heads, _EOF, *(b"".join(map(text, row)) for row in rows), end]


def greeting(version: bytes = b"8.0.36") -> bytes:
    offers = 0x1 | 0x4 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x80000
    return (
        b"\x0a" + version + b"\0" + struct.pack("<I", 7) + b"saltsalt\0"
        + struct.pack("<HBHH", offers & 0xFFFF, 45, 2, offers >> 16) + bytes([21]) + bytes(10)
        + b"saltsaltsalt\0mysql_native_password\0"
    )  # fmt: skip


VALUES = {
    b"version": b"8.0.36",
    b"comment": b"MySQL Community Server - GPL",
    b"told": b"8.0.36",
    b"seconds": b"3",
    b"bytes": b"1000000",
}
PAIRS = {
    b"VARIABLES": {b"datadir": b"/var/lib/mysql/", b"innodb_io_capacity": b"200"},
    b"STATUS": {b"Uptime": b"100", b"Questions": b"7"},
}


def columns_of(sql: bytes) -> list[bytes]:
    if sql.startswith(b"SHOW ENGINE"):
        return [b"Type", b"Name", b"Status"]
    if sql.startswith(b"SHOW"):
        return [b"Variable_name", b"Value"]
    return re.findall(rb" AS (\w+)", sql)


def right(sql: bytes) -> list[bytes]:
    """What an honest server answers, packet by packet."""
    if sql.startswith((b"SET", b"DO")):
        return [_OK]
    names = columns_of(sql)
    if sql.startswith(b"SHOW GLOBAL"):
        pairs = PAIRS[sql.split()[2]]
        return table(names, [[name, value] for name, value in pairs.items()])
    return table(names, [[VALUES.get(name, b"1") for name in names]])


Answer = Callable[[Client, bytes], None]


def of(kind: int, value: bytes | None) -> Answer:
    """Each question is answered by one row with one value, said to be of a kind."""

    def answer(client: Client, sql: bytes) -> None:
        names = columns_of(sql)
        client.say(*(table(names, [[value] * len(names)], kind) if names else [_OK]))

    return answer


def instead(*payloads: bytes) -> Answer:
    """Each question that is due an answer of rows gets these packets."""

    def answer(client: Client, sql: bytes) -> None:
        client.say(*(payloads if columns_of(sql) else [_OK]))

    return answer


def endless(chunk: bytes) -> Answer:
    """The first answer never ends."""

    def answer(client: Client, _sql: bytes) -> None:
        stop = time.monotonic() + GUARD_S
        while time.monotonic() < stop:
            client.send(chunk)

    return answer


def endless_rows(client: Client, sql: bytes) -> None:
    names = columns_of(sql) or [b"a"]
    client.say(number(len(names)), *map(column, names), _EOF)
    row = b"".join(text(b"x" * 200) for _ in names)
    stop = time.monotonic() + GUARD_S
    while time.monotonic() < stop:
        client.say(*[row] * 256)


def endless_results(client: Client, sql: bytes) -> None:
    stop = time.monotonic() + GUARD_S
    while time.monotonic() < stop:
        client.say(*table(columns_of(sql) or [b"a"], [], end=_MORE))


def dripped(client: Client, sql: bytes) -> None:
    stop = time.monotonic() + GUARD_S
    names = columns_of(sql) or [b"a"]
    value = b"x" * 200_000
    content = b"".join(text(value) for _ in names)
    client.say(number(len(names)), *map(column, names), _EOF)
    head = struct.pack("<I", len(content))[:3] + bytes([(len(names) + 3) % 256])
    for byte in head + content:
        if time.monotonic() > stop:
            return
        client.send(bytes([byte]))
        time.sleep(_DRIP_S)


def renamed(client: Client, sql: bytes) -> None:
    names = [b"x" + name for name in columns_of(sql)]
    client.say(*(table(names, [[b"1"] * len(names)]) if names else [_OK]))


def doubled(client: Client, sql: bytes) -> None:
    names = columns_of(sql)
    client.say(*(table([names[0]] * 3, [[b"a", None, b"c"]]) if names else [_OK]))


def many_columns(client: Client, sql: bytes) -> None:
    names = columns_of(sql) + [b"c%d" % each for each in range(4000)]
    client.say(*table(names, [[None] * len(names)] * 20))


def wider_than_any_table(client: Client, sql: bytes) -> None:
    names = columns_of(sql) + [b"c%d" % each for each in range(65_535)]
    client.say(*table(names, [[None] * len(names)]))


def short_row(client: Client, sql: bytes) -> None:
    names = columns_of(sql)
    client.say(*(table(names, [[]]) if names else [_OK]))


def cut(client: Client, sql: bytes) -> None:
    if not columns_of(sql):
        return client.say(_OK)
    client.send(b"\xff\0\0\1" + b"\1")
    raise Gone


def out_of_order(client: Client, sql: bytes) -> None:
    client.send(b"".join(b"\1\0\0" + bytes([each]) + b"\2" for each in (9, 3, 200)))


ESCAPES = b"\x1b]0;owned\x07\x1b[2J\r\nx\x9b\0"

ANSWERS: dict[str, Answer] = {
    "a file asked for": instead(b"\xfb/etc/hostname"),
    "other columns": renamed,
    "the same column three times": doubled,
    "4000 columns": many_columns,
    "65,535 columns": wider_than_any_table,
    "no row": lambda client, sql: client.say(
        *(table(columns_of(sql), []) if columns_of(sql) else [_OK])
    ),
    "no rows but a success": instead(_OK),
    "an end and nothing else": instead(_EOF),
    "nothing known": of(_TEXT, None),
    "empty texts": of(_TEXT, b""),
    "words for figures": of(_LONGLONG, b"many"),
    "words for decimals": of(_DECIMAL, b"12.5.7"),
    "words for fractions": of(_DOUBLE, b"0x1p"),
    "words for times": of(_DATETIME, b"2026-99-99 99:99:99"),
    "5000 digits": of(_LONGLONG, b"9" * 5000),
    "5000 digits as text": of(_TEXT, b"9" * 5000),
    "figures below nothing": of(_TEXT, b"-1"),
    "figures beyond all": of(_DOUBLE, b"1e999"),
    "bytes that are no text": of(_TEXT, b"\xff\xfe\xc3\x28\xed\xa0\x80"),
    "escapes for a terminal": of(_TEXT, ESCAPES),
    "deep JSON": of(_JSON, b"[" * 100_000),
    "a version of 100,000 digits": of(_TEXT, b"8.0." + b"9" * 100_000),
    "an error with escapes": instead(b"\xff\x28\x04#42000" + ESCAPES + b"z" * 60_000),
    "an error without a text": instead(b"\xff"),
    "rows without end": endless_rows,
    "a row without end": endless(b"\xff\xff\xff\1" + b"x" * 0xFFFFFF),
    "results without end": endless_results,
    "a byte now and then": dripped,
    "more columns than there are": instead(number(1 << 60)),
    "a column of nothing": instead(b"\1", b"", _EOF),
    "an unknown character set": instead(b"\1", column(b"version", charset=60_000), _EOF, _EOF),
    "a row that is too short": short_row,
    "half of a packet": cut,
    "packets out of order": out_of_order,
    "text of another protocol": endless(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "zeros": endless(bytes(4096)),
}
"""How each server answers statements, once it has let its client in."""


def drip_greeting(client: Client) -> None:
    stop = time.monotonic() + GUARD_S
    client.send(b"\xff\xff\0\0\x0a")
    while time.monotonic() < stop:
        client.send(b"8")
        time.sleep(_DRIP_S)


GREETINGS: dict[str, Callable[[Client], None]] = {
    "a greeting without end": lambda client: endless(b"\xff\xff\xff\0" + b"x" * 0xFFFFFF)(
        client, b""
    ),
    "a version of 100,000 digits": lambda client: client.say(greeting(b"8.0." + b"9" * 100_000)),
    "a version that is no text": lambda client: client.say(greeting(ESCAPES[:-1])),
    "a greeting of one byte": lambda client: client.say(b"\x0a"),
    "an empty greeting": lambda client: client.say(b""),
    "another protocol": lambda client: client.send(b"SSH-2.0-OpenSSH_9.6\r\n" * 9),
    "an error with escapes": lambda client: client.say(b"\xff\x69\x04" + ESCAPES + b"z" * 9000),
    "a greeting, a byte now and then": drip_greeting,
}
"""How each server greets, in place of a greeting."""


def _serve(line: socket.socket, mode: str, only: bytes) -> None:
    client = Client(line)
    if mode in GREETINGS:
        GREETINGS[mode](client)
        if "digits" not in mode and "text" not in mode:
            client.hear()
        else:
            client.hear()
            client.say(_OK)
    else:
        client.say(greeting())
        client.hear()
        client.say(_OK)
    while True:
        said = client.hear()
        if said[:1] != b"\x03":
            return
        sql = said[1:].strip()
        if mode in ANSWERS and only in sql:
            ANSWERS[mode](client, sql)
        else:
            client.say(*right(sql))


@contextmanager
def hostile_answers(mode: str, only: bytes = b"") -> Iterator[int]:
    """The port of a server of one mode; it answers rightly what does not hold ``only``."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        lines: list[socket.socket] = []

        def serve(line: socket.socket) -> None:
            with line, suppress(Gone, OSError):
                _serve(line, mode, only)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    line, _ = listening.accept()
                    lines.append(line)
                    threads.append(threading.Thread(target=serve, args=(line,)))
                    threads[-1].start()

        threads = [threading.Thread(target=accept)]
        threads[0].start()
        try:
            yield listening.getsockname()[1]
        finally:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            for line in lines:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join(GUARD_S)
