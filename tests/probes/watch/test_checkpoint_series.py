"""How old a server's checkpoint gets, second by second, whichever way it tells."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import pytest

from advisor.facts.watched.redo import _ages_seen
from probes.errors import MySQLAccessDenied
from probes.mysql.connection import MySQLSession
from probes.mysql.own_statements import OwnStatements
from probes.watch.clients import ClientCount
from probes.watch.reading.server import read_status
from probes.watch.server_series import CHECKPOINT, NO_PROCESS, ServerSeries
from tests.probes.watch.test_server_series import asked_as, watched
from tests.servers.eleven import ServerBuild, chosen

TEXT = """
---
LOG
---
Log sequence number {head}
Log flushed up to   {head}
Pages flushed up to 1625967
Last checkpoint at  1625967
"""


class Older:
    """A server whose status has no position of its log: MySQL before 8.0.30, asked by its text."""

    def __init__(self, *, denied: bool = False) -> None:
        self.head, self.denied, self.asked = 1_625_967, denied, 0

    def rows(self, statement: str, _params: Sequence[object] = ()) -> list[dict[str, object]]:
        if statement.startswith("SHOW GLOBAL STATUS"):
            return [{"Variable_name": "Questions", "Value": "1"}]
        if "INNODB_METRICS" in statement:
            return []
        self.asked += 1
        if self.denied:
            raise MySQLAccessDenied("Access denied; you need the PROCESS privilege.")
        self.head += 1000
        return [{"Type": "InnoDB", "Name": "", "Status": TEXT.format(head=self.head)}]


class NoClients:
    """Nobody is connected."""

    def look(self) -> dict[str, int]:
        return {"opened": 0, "local": 0, "remote": 0, "unplaced": 0}


def series_of(server: Older, denials: list[tuple[str, str]]) -> ServerSeries:
    @contextmanager
    def asking(fact: str, denied: str) -> Iterator[None]:
        try:
            yield
        except MySQLAccessDenied:
            denials.append((fact, denied))

    session, clients = OwnStatements(cast("MySQLSession", server)), cast("ClientCount", NoClients())
    return ServerSeries(session, asking, clients, file_io=False)


def sample(series: ServerSeries, times: int) -> None:
    for _ in range(times):
        series.sample()
        # Samples bear tenths of a millisecond.
        time.sleep(0.001)


def test_a_text_tells_it_where_the_status_does_not() -> None:
    denials: list[tuple[str, str]] = []
    series = series_of(Older(), denials)
    sample(series, 3)
    status = read_status(series.answers)
    assert status is not None
    assert _ages_seen(status) == [1000, 2000, 3000]
    assert denials == []


def test_an_account_that_may_not_read_it_is_asked_once_and_that_is_said() -> None:
    denials: list[tuple[str, str]] = []
    server = Older(denied=True)
    series = series_of(server, denials)
    sample(series, 3)
    assert server.asked == 1
    assert denials == [(CHECKPOINT, NO_PROCESS)]
    status = read_status(series.answers)
    assert status is not None
    assert _ages_seen(status) == []


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_every_server_tells_it(build: ServerBuild) -> None:
    with build.start() as server, asked_as("root", "", server.socket) as session:
        inventory = watched(session, lambda: None)
    assert inventory.watched is not None
    assert len(_ages_seen(inventory.watched.status)) == len(inventory.watched.status.at_s)
