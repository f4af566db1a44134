"""One PyMySQL connection, through whichever way leads to the server."""

from __future__ import annotations

import codecs
import socket
import struct
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import pymysql
from pymysql.constants import CR
from pymysql.cursors import DictCursor
from pymysql.protocol import FieldDescriptorPacket, MysqlPacket

from probes.cancel import CancelToken
from probes.mysql.answers import Row
from probes.mysql.login import Protection, ResolvedLogin
from probes.mysql.transport.allowance import MOST_ANSWER_BYTES, Allowance, Overrun
from probes.mysql.transport.faults import tls_failed
from probes.mysql.transport.proving import CHALLENGES, USUAL, refuse_to_give
from probes.mysql.transport.tls import CertificateChanged, tls_context
from probes.mysql.transport.wire import TlsStarter, Wire
from probes.targets.address import Prompts, TlsMode
from probes.targets.target import ByteSocket, SocketAddress, Target

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

LENIENT = "leadline_utf8"
"""UTF-8 whose faults are replaced: a server shows others' statements byte for byte."""


def _decode(data: Buffer, errors: str = "replace", /) -> tuple[str, int]:
    return codecs.utf_8_decode(data, "replace", True)


def _find(name: str) -> codecs.CodecInfo | None:
    if name != LENIENT:
        return None
    return codecs.CodecInfo(codecs.utf_8_encode, _decode, name=LENIENT)


codecs.register(_find)

CONNECT_LIMIT_S = 10.0

MOST_COLUMNS = 4096
"""Of an answer: what MySQL allows a table. The widest that is asked for has some 60."""

FAULTS = (
    pymysql.MySQLError,
    OSError,
    # What PyMySQL falls over when something that is no MySQL server answers.
    struct.error,
    LookupError,
    ValueError,
    ArithmeticError,
    TypeError,
    AttributeError,
    AssertionError,
    RuntimeError,
)
"""What a connection raises when the server refuses, ends, or is none."""

if TYPE_CHECKING:
    _Base = pymysql.connections.Connection[DictCursor]
else:
    _Base = pymysql.connections.Connection


class _Rows(DictCursor):
    dict_type = Row


class Connection(_Base):
    """A connection over a ready carrier of bytes, to be ended from any thread.

    ``read_limit_s`` is how long the whole answer to a question may take, from the next one on.
    """

    def __init__(self, login: ResolvedLogin, read_limit_s: float) -> None:
        tls = tls_context(login)
        super().__init__(
            user=login.user,
            # Other clients send what a terminal gives them, which is UTF-8 by now.
            password=login.password.encode("utf-8", "surrogateescape"),
            host=login.host or "localhost",
            port=login.port,
            charset="utf8mb4",
            cursorclass=_Rows,
            autocommit=True,
            defer_connect=True,
            read_timeout=read_limit_s,
            write_timeout=CONNECT_LIMIT_S,
            program_name="leadline",
            ssl_disabled=tls is None,
            ssl=None if login.protection is Protection.OFFERED else tls,
            auth_plugin_map={"mysql_clear_password": _ClearPassword, "dialog": _Discreet},
        )
        accepted = login.certificate if login.protection is Protection.PINNED else ""
        self.tls = None if tls is None else TlsStarter(tls, accepted)
        if self.tls is not None:
            self.ctx = self.tls
        # Nobody else can listen on the server's own socket: it expects plain passwords there.
        self._secure = bool(login.socket) and login.private
        self._login = login
        # Without a password there is nothing to give away.
        self._guarded = (login.proves_only or login.sha2_only) and bool(login.password)
        self._guarding = False
        self._logging_in = False
        self._columns = 0
        self._auth_plugin_name = ""
        self._wire: Wire | None = None
        self.read_limit_s = read_limit_s

    @property
    def secure(self) -> bool:
        """Whether nobody in between can read what is sent."""
        return self._secure

    @property
    def reported_version(self) -> str:
        """The server's version in its greeting."""
        return str(self.get_server_info())  # type: ignore[no-untyped-call]

    @property
    def encrypted(self) -> bool:
        """Whether it speaks TLS."""
        return self.tls is not None and self.tls.started

    def take(self, carrier: ByteSocket) -> None:
        """Use ``carrier`` from now on, and close it at the end."""
        self._wire = Wire(carrier)

    def log_in(self) -> None:
        """Authenticate over the carrier; raises one of ``FAULTS``, and is closed then."""
        if self._wire is not None:
            self._wire.allowance = Allowance(self.read_limit_s, MOST_ANSWER_BYTES)
        self._logging_in = True
        self.connect(cast("socket.socket", self._wire))
        self._logging_in = False
        self.encoding = LENIENT

    def give_password(self) -> MysqlPacket:
        """Answer with the plain password; returns the server's next packet."""
        self.write_packet(self.password + b"\0")
        answer = self._read_packet()
        answer.check_error()
        return answer

    def _execute_command(self, command: int, sql: str | bytes) -> None:
        """Ask one question, whose whole answer is limited in time and size."""
        if self._wire is not None:
            self._wire.allowance = Allowance(self.read_limit_s, MOST_ANSWER_BYTES)
        self._columns = 0
        super()._execute_command(command, sql)  # type: ignore[misc]  # the stubs lack it

    def _request_authentication(self) -> None:
        """Log in, as PyMySQL does, but answer no question for a password that isn't given."""
        self._guarding = self._guarded
        if self._guarding and str(self._auth_plugin_name) not in CHALLENGES:
            self._auth_plugin_name = USUAL
        try:
            super()._request_authentication()  # type: ignore[misc]  # the stubs lack it
        finally:
            self._guarding = False

    def _read_packet(self, packet_type: type[MysqlPacket] = MysqlPacket) -> MysqlPacket:
        if packet_type is FieldDescriptorPacket:
            self._columns += 1
            if self._columns > MOST_COLUMNS:
                # PyMySQL compares each name with all before it, however long that takes.
                raise Overrun(0, f"its answer has more than {MOST_COLUMNS:,} columns")
        packet: MysqlPacket = super()._read_packet(packet_type)  # type: ignore[no-untyped-call]
        # PyMySQL looks for such a wish in the answers to its user's statements alone.
        if self._logging_in and packet.is_load_local_packet():
            raise pymysql.OperationalError(
                CR.CR_UNKNOWN_ERROR, "it asks for a file of this computer"
            )
        if self._guarding:
            data: bytes = packet.get_all_data()  # type: ignore[no-untyped-call]
            refuse_to_give(
                data,
                encrypted=self.encrypted,
                listener=self._login.listener,
                sha2=self._login.sha2_only,
            )
        return packet

    def hang_up(self) -> None:
        """End the connection at once; whoever waits on it sees its end."""
        if self._wire is not None:
            self._wire.hang_up()


@dataclass(frozen=True, slots=True)
class Way:
    """How to get to a server: from ``via``, asking ``prompts``, until ``token`` is raised.

    ``read_limit_s`` is how long each part of an answer is waited for.
    """

    via: Target
    prompts: Prompts
    token: CancelToken
    read_limit_s: float


def dial(login: ResolvedLogin, way: Way) -> tuple[Connection, ResolvedLogin]:
    """Connect and log in; cancelling ends the attempt.

    Returns the login as it turned out, too: who listens on its socket, and a TLS that is only
    offered may be none. Raises one of ``FAULTS``, TargetError, UsageError and Cancelled.
    """
    try:
        return _dial(login, way)
    except FAULTS as error:
        if login.protection is not Protection.OFFERED or not tls_failed(error):
            raise
    # Old servers speak a TLS that is refused today; on loopback they are asked without.
    return _dial(replace(login, tls=TlsMode.DISABLED), way)


def _dial(login: ResolvedLogin, way: Way) -> tuple[Connection, ResolvedLogin]:
    way.token.check()
    place = SocketAddress(unix_path=login.socket, host=login.host, port=login.port)
    joined = way.via.open_socket(place, CONNECT_LIMIT_S)
    login = replace(login, listener=joined.listener)
    with ExitStack() as unless_logged_in:
        unless_logged_in.callback(joined.carrier.close)
        connection = Connection(login, way.read_limit_s)
        connection.take(joined.carrier)
        forget = way.token.on_cancel(connection.hang_up)
        try:
            connection.log_in()
        except FAULTS:
            way.token.check()
            raise
        finally:
            forget()
        unless_logged_in.pop_all()
    return connection, login


def shown_certificate(login: ResolvedLogin, way: Way) -> str:
    """The fingerprint of what the server shows; nothing but a handshake is sent. Raises as `dial`.

    "" where it shows none.
    """
    # No certificate has this fingerprint, so the handshake ends before a name is sent.
    curious = replace(login, certificate="?", password="")
    try:
        _dial(curious, way)[0].close()
    except FAULTS as error:
        cause = getattr(error, "original_exception", error)
        if isinstance(cause, CertificateChanged):
            return cause.shown
        raise
    return ""


class _Discreet:
    """Refuses to give a password in plain text to whoever may listen.

    PyMySQL makes one when the server asks for such an authentication.
    """

    def __init__(self, connection: pymysql.connections.Connection[Any]) -> None:
        if not isinstance(connection, Connection) or not connection.secure:
            raise pymysql.OperationalError(
                CR.CR_AUTH_PLUGIN_CANNOT_LOAD,
                "it asks for the password in plain text, but the connection is not encrypted",
            )
        self._connection = connection


class _ClearPassword(_Discreet):
    """Gives the password as it is, as PAM and directory services need it."""

    def authenticate(self, _asked: MysqlPacket) -> MysqlPacket:
        return self._connection.give_password()
