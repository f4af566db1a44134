"""A small load on a real server: a table larger than a pool of 128 MiB, and a few sessions."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pymysql

SCHEMA, TABLE = "shop", "item"
DOUBLINGS = 18
ROWS = 1 << DOUBLINGS
SESSIONS = 4
PAUSE_S = 0.002
"""Between two statements of a session: the load is there to be seen, not to fill the machine."""

_READ = f"SELECT body FROM {TABLE} WHERE id = %s"
_WRITE = f"UPDATE {TABLE} SET sold = sold + 1 WHERE id = %s"
_SORT = f"SELECT DISTINCT LEFT(body, 40) FROM {TABLE} WHERE id BETWEEN %s AND %s + 50 ORDER BY 1"
_ADD = f"INSERT INTO {TABLE} (sold, body) VALUES (%s, REPEAT('n', 900))"
_MIXTURE = (*[_READ] * 12, *[_WRITE] * 6, _SORT, _ADD)


def filled(socket: str) -> str:
    """Make the table and fill it; returns it as ``schema.table``."""
    with closing(_connection(socket)) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {SCHEMA}")
        connection.select_db(SCHEMA)
        cursor.execute(
            f"CREATE TABLE {TABLE} (id INT AUTO_INCREMENT PRIMARY KEY,"
            " sold INT NOT NULL, body VARCHAR(1000) NOT NULL, KEY (sold)) ENGINE=InnoDB"
        )
        # Of all functions that could fill a row, MySQL 9 keeps few in the server itself.
        random_row = "FLOOR(RAND() * 1000000), RPAD(CONV(FLOOR(RAND() * 1e15), 10, 36), 900, 'row')"
        insert = f"INSERT INTO {TABLE} (sold, body) SELECT {random_row}"
        cursor.execute(insert)
        for _ in range(DOUBLINGS):
            cursor.execute(f"{insert} FROM {TABLE}")
    return f"{SCHEMA}.{TABLE}"


@contextmanager
def loaded(socket: str) -> Iterator[threading.Event]:
    """Sessions at work, until the event is set or the context is left."""
    enough = threading.Event()
    sessions = [threading.Thread(target=_work, args=(socket, enough)) for _ in range(SESSIONS)]
    for session in sessions:
        session.start()
    try:
        yield enough
    finally:
        enough.set()
        for session in sessions:
            session.join()


def _work(socket: str, enough: threading.Event) -> None:
    with closing(_connection(socket, SCHEMA)) as connection, connection.cursor() as cursor:
        while not enough.is_set():
            statement = random.choice(_MIXTURE)
            cursor.execute(statement, [random.randint(1, ROWS)] * statement.count("%s"))
            cursor.fetchall()
            time.sleep(PAUSE_S)


def _connection(socket: str, schema: str | None = None) -> pymysql.Connection:
    return pymysql.connect(unix_socket=socket, user="root", database=schema, autocommit=True)
