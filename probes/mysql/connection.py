"""A session with a MySQL server: asks, never writes, and never waits for long."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property

from pymysql.constants import COMMAND

from probes.cancel import CancelToken
from probes.errors import (
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
    TargetUnreachable,
)
from probes.mysql.answers import line
from probes.mysql.credentials import passwords
from probes.mysql.login import ResolvedLogin
from probes.mysql.option_files import read_options
from probes.mysql.resolve import account, belonging, described, resolve
from probes.mysql.transport.certificate import dial_the_right_one
from probes.mysql.transport.dial import FAULTS, Connection, Way
from probes.mysql.transport.faults import BAD_PASSWORD, code, while_asking, while_connecting
from probes.targets.address import MySQLAddress, Prompts
from probes.targets.silent import Silent
from probes.targets.target import Target
from probes.version import ServerVersion

STATEMENT_LIMIT_S = 10
"""How long the server may work on one statement."""

READ_LIMIT_S = 15.0
"""How long a whole answer may take: the server's own limit, and the way."""

OWN_SERVER_LIMIT_S = 600.0
"""The same for a server that Leadline has started and fills."""

_ROUND_TRIPS = 21
_FEWEST_ROUND_TRIPS = 5
_ROUND_TRIPS_LIMIT_S = 2.0


class MySQLSession:
    """An open connection; for one thread, ended when ``connect``'s context is left."""

    def __init__(
        self, connection: Connection, login: ResolvedLogin, via: Target, token: CancelToken
    ) -> None:
        self._connection = connection
        self._where = described(login, via)
        self._via = via
        self._token = token
        self.login = login
        self.version = ServerVersion.parse(connection.reported_version)

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """The rows of one statement, columns by name; ``params`` stand for each %s.

        Text is UTF-8 with its faults replaced. Raises MySQLAccessDenied when a privilege is
        missing, MySQLConnectionLost, MySQLError for any other refusal, and Cancelled.
        """
        self._token.check()
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(sql, tuple(params) or None)
                return list(cursor.fetchall())
        except FAULTS as error:
            self._token.check()
            fault = while_asking(error, self._where)
            if isinstance(fault, MySQLConnectionLost):
                self._connection.hang_up()
            raise fault from error

    @contextmanager
    def within(self, limit_s: float) -> Iterator[None]:
        """Have what is asked inside answered in ``limit_s``, or be MySQLSilent."""
        usual_s = self._connection.read_limit_s
        self._connection.read_limit_s = min(usual_s, limit_s)
        try:
            yield
        finally:
            self._connection.read_limit_s = usual_s

    def one(self, sql: str) -> dict[str, object]:
        """The first row of a statement that always has one; raises as ``rows`` does."""
        rows = self.rows(sql)
        if not rows:
            raise MySQLError(
                f"What answers at {self._where} gave nothing for {sql}.",
                "Name the server itself, not a proxy before it.",
            )
        return rows[0]

    def value(self, expression: str) -> str:
        """What the server gives for an expression of ours, a line of text; raises MySQLError."""
        return line(self.one(f"SELECT {expression} AS said")["said"], expression)

    @cached_property
    def account(self) -> str:
        """The account that the server took this for, "app@%"; raises MySQLError."""
        return self.value("CURRENT_USER()")

    @cached_property
    def round_trip_us(self) -> float:
        """The median time of a statement that does nothing, measured once; raises MySQLError."""
        times_us: list[float] = []
        stop = time.perf_counter() + _ROUND_TRIPS_LIMIT_S
        while len(times_us) < _ROUND_TRIPS:
            before = time.perf_counter()
            self.rows("DO 0")
            times_us.append((time.perf_counter() - before) * 1e6)
            if before > stop and len(times_us) >= _FEWEST_ROUND_TRIPS:
                break
        return statistics.median(times_us)

    @property
    def thread_id(self) -> int:
        """The number of this connection on the server."""
        return int(self._connection.thread_id())  # type: ignore[no-untyped-call]

    def begin(self, sql: str) -> None:
        """Send a statement whose answer nobody waits for; nothing else is asked here after it.

        Raises MySQLError.
        """
        try:
            self._connection._execute_command(COMMAND.COM_QUERY, sql)
        except FAULTS as error:
            raise while_asking(error, self._where) from error

    @contextmanager
    def writer(
        self, token: CancelToken, limit_s: float = OWN_SERVER_LIMIT_S
    ) -> Iterator[MySQLSession]:
        """Another session by the same login, which may write and take long over a statement.

        An answer may take ``limit_s``. Raises MySQLUnreachable, MySQLAccessDenied, TargetError and
        Cancelled.
        """
        candidates = iter([self.login.password])
        # The certificate was asked about already.
        way = Way(self._via, Silent(), token, limit_s)
        with _opened(self.login, candidates, way) as session:
            if session.version.is_mariadb:
                session.rows("SET SESSION max_statement_time = 0")
            yield session

    def be_careful(self) -> None:
        """Have the server refuse writes and end long statements, as far as it knows how to."""
        limit = f"max_execution_time = {STATEMENT_LIMIT_S * 1000}"
        if self.version.is_mariadb:
            limit = f"max_statement_time = {STATEMENT_LIMIT_S}"
        for wish in ("lock_wait_timeout = 5", limit, "TRANSACTION READ ONLY"):
            # Older and foreign servers lack one or the other: what is asked stays harmless without.
            try:
                self.rows(f"SET SESSION {wish}")
            except MySQLConnectionLost:
                raise
            except MySQLError:
                continue

    @property
    def over_socket(self) -> bool:
        """Whether the server is asked over its socket, and so on its own machine."""
        return bool(self.login.socket)

    @property
    def encrypted(self) -> bool:
        """Whether the connection speaks TLS."""
        return self._connection.encrypted

    @property
    def protection(self) -> str:
        """How the connection is protected, in words: "TLS, verified", "unix socket"."""
        return self.login.described(encrypted=self.encrypted)


@contextmanager
def connect(
    address: MySQLAddress,
    *,
    via: Target,
    prompts: Prompts,
    token: CancelToken,
    password: str | None = None,
    own_server: bool = False,
    found: bool = False,
) -> Iterator[MySQLSession]:
    """Log in to the server at ``address`` as seen from ``via``.

    Without ``password`` the account's is looked for in option files, the environment and the
    keyring, and then asked for; a certificate that nobody known has signed is asked about. The
    session may only read and its statements are limited, but on
    ``own_server``, one that Leadline has started. ``found``: nobody named the socket of
    ``address``. Raises MySQLUnreachable, MySQLAccessDenied, UsageError, TargetError and Cancelled.
    """
    options = belonging(read_options(address.defaults_file), address, via)
    login = resolve(address, options, via)
    login = replace(login, found=login.found or found)
    if password is None:
        candidates = passwords(account(login, via), options, prompts)
    else:
        candidates = iter([password])
    way = Way(via, prompts, token, OWN_SERVER_LIMIT_S if own_server else READ_LIMIT_S)
    with _opened(login, candidates, way) as session:
        if not own_server:
            session.be_careful()
        yield session


@contextmanager
def _opened(login: ResolvedLogin, candidates: Iterator[str], way: Way) -> Iterator[MySQLSession]:
    connection, login = _log_in(login, candidates, way)
    forget = way.token.on_cancel(connection.hang_up)
    try:
        yield MySQLSession(connection, login, way.via, way.token)
    finally:
        forget()
        # A connection that is gone already can't be closed.
        with suppress(*FAULTS):
            connection.close()


def _log_in(
    login: ResolvedLogin, candidates: Iterator[str], way: Way
) -> tuple[Connection, ResolvedLogin]:
    """Try one password after the other until the server takes one."""
    where, user = described(login, way.via), f"the account {login.user!r}"
    refusal = MySQLAccessDenied(f"The MySQL server at {where} asks {user} for a password.")
    for password in candidates:
        way.token.check()
        try:
            return dial_the_right_one(replace(login, password=password), way)
        except TargetUnreachable as error:
            raise MySQLUnreachable(
                f"No MySQL server answers at {where}: {error.details or error.sentence}.",
                "Is the server running, and is this where it listens?",
            ) from error
        except FAULTS as error:
            fault = while_connecting(error, where, user)
            if code(error) not in BAD_PASSWORD or not isinstance(fault, MySQLAccessDenied):
                raise fault from error
            refusal = fault
    raise refusal
