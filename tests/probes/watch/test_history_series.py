"""How long a server's history list gets, second by second, whichever way it is counted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import pytest

from advisor.facts.readings import Reading
from advisor.facts.watched.purge import PURGE_HISTORY
from advisor.rulekit.facts import FactSource
from probes.errors import MySQLAccessDenied
from probes.mysql.connection import MySQLSession
from probes.mysql.own_statements import OwnStatements
from probes.watch.clients import ClientCount
from probes.watch.reading.server import read_status
from probes.watch.server_series import HISTORY, HISTORY_LENGTH, NO_PROCESS, ServerSeries
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.probes.watch.test_checkpoint_series import NoClients
from tests.probes.watch.test_server_series import asked_as, watched
from tests.servers.eleven import ServerBuild, chosen


class Counting:
    """A MySQL server: its status has no length of the history list, a metric has it."""

    def __init__(self, *, denied: bool = False, counted: bool = True) -> None:
        self.length, self.denied, self.counted, self.asked = 100, denied, counted, 0

    def rows(self, statement: str, _params: Sequence[object] = ()) -> list[dict[str, object]]:
        if statement.startswith("SHOW GLOBAL STATUS"):
            return [{"Variable_name": "Innodb_checkpoint_age", "Value": "1"}]
        self.asked += 1
        if self.denied:
            raise MySQLAccessDenied("Access denied; you need the PROCESS privilege.")
        self.length += 50
        return [{"length": self.length}] if self.counted else []


def sampled(server: Counting, denials: list[tuple[str, str]]) -> list[float]:
    @contextmanager
    def asking(fact: str, denied: str) -> Iterator[None]:
        try:
            yield
        except MySQLAccessDenied:
            denials.append((fact, denied))

    session, clients = OwnStatements(cast("MySQLSession", server)), cast("ClientCount", NoClients())
    series = ServerSeries(session, asking, clients, file_io=False)
    for _ in range(3):
        series.sample()
        # Samples bear tenths of a millisecond.
        time.sleep(0.001)
    status = read_status(series.answers)
    assert status is not None
    return list(status.values.get(HISTORY_LENGTH, ()))


def test_a_metric_has_it_where_the_status_has_not() -> None:
    denials: list[tuple[str, str]] = []
    assert sampled(Counting(), denials) == [150, 200, 250]
    assert denials == []


def test_an_account_that_may_not_read_it_is_asked_once_and_that_is_said() -> None:
    denials: list[tuple[str, str]] = []
    server = Counting(denied=True)
    assert sampled(server, denials) == []
    assert server.asked == 1
    assert denials == [(HISTORY, NO_PROCESS)]


def test_a_metric_that_is_turned_off_is_asked_for_once() -> None:
    server = Counting(counted=False)
    assert sampled(server, []) == []
    assert server.asked == 1


def test_the_whole_watch_says_how_long_it_is_and_not_one_moment() -> None:
    rising = [float(10_000 * at) for at in range(30)]
    case = on_a_slow_drive(watched={"series": {HISTORY_LENGTH: rising}})
    seen = FactSource(case).read(PURGE_HISTORY.name, about_server=True)
    assert isinstance(seen, Reading)
    assert seen.value == pytest.approx(145_000)
    assert "(0 to 290" in seen.text


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_every_server_has_it(build: ServerBuild) -> None:
    with build.start() as server, asked_as("root", "", server.socket) as session:
        inventory = watched(session, lambda: None)
    assert inventory.watched is not None
    status = inventory.watched.status
    assert len(status.values[HISTORY_LENGTH]) == len(status.at_s)
