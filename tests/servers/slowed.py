"""A real server on which transactions wait for a row: a guard sees that on any machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pymysql

from tests.servers.mariadb import BOSS, MariaDB

WAITING = 3
"""How many transactions wait."""


class Slowed:
    """It is slow from ``begin`` to ``end``; ``update`` is a statement that locks a row."""

    def __init__(self, connections: list[pymysql.Connection], update: str) -> None:
        self._holder, *self._waiting = connections
        self._update = update
        self._threads: list[threading.Thread] = []

    def begin(self) -> None:
        """Returns before all of them wait."""
        self._holder.begin()
        self._run(self._holder)
        for each in self._waiting:
            self._threads.append(threading.Thread(target=self._run, args=(each,)))
            self._threads[-1].start()

    def end(self) -> None:
        """Returns when none waits."""
        self._holder.rollback()
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _run(self, connection: pymysql.Connection) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET innodb_lock_wait_timeout = 600")
            cursor.execute(self._update)


@contextmanager
def slowed_by(server: MariaDB, update: str) -> Iterator[Slowed]:
    """The means to slow a server down by ``update``; it is quick again afterwards."""
    user, password = BOSS
    with ExitStack() as opened:
        connections = [
            opened.enter_context(
                closing(
                    pymysql.connect(
                        unix_socket=server.socket, user=user, password=password, autocommit=True
                    )
                )
            )
            for _ in range(1 + WAITING)
        ]
        made = Slowed(connections, update)
        opened.callback(made.end)
        yield made
