import os
import signal
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.runs.events import RunStarted
from advisor.runs.lab.events import TurnDone
from advisor.store.store import Store
from probes.errors import LeadlineError
from probes.events import CanaryBeat
from probes.targets.address import MySQLAddress, TargetSpec, TlsMode
from tests.advisor.runs.lab.small_labs import asked, events_of, request, turns
from tests.servers.mariadb import MariaDB, private_mariadb

QUESTION = asked("innodb_doublewrite=ON,OFF")


def beside(server: MariaDB) -> TargetSpec:
    address = MySQLAddress(socket=server.socket, user=server.system_user, tls=TlsMode.DISABLED)
    return TargetSpec(mysql=address)


def with_a_table(server: MariaDB) -> None:
    server.sql("CREATE DATABASE IF NOT EXISTS live")
    server.sql("CREATE TABLE IF NOT EXISTS live.t (id INT PRIMARY KEY, v INT) ENGINE=InnoDB")
    server.sql("REPLACE INTO live.t VALUES (1, 1), (2, 2)")


def test_a_live_server_is_watched_over(mariadb: MariaDB, store: Store, home: Path) -> None:
    with_a_table(mariadb)
    events = list(events_of(store, request(QUESTION, home, target=beside(mariadb))))
    (run_id,) = (each.run_id for each in events if isinstance(each, RunStarted))
    assert turns(events)
    assert any(isinstance(each, CanaryBeat) for each in events)
    assert store.beats(run_id)


def test_a_lab_ends_when_the_live_server_stops_answering(store: Store, home: Path) -> None:
    with private_mariadb() as server:
        with_a_table(server)
        seen = []
        with pytest.raises(LeadlineError):
            for event in events_of(store, request(QUESTION, home, target=beside(server))):
                seen.append(event)
                if isinstance(event, TurnDone):
                    os.kill(server.pid, signal.SIGSTOP)
        os.kill(server.pid, signal.SIGCONT)
    (run_id,) = (each.run_id for each in seen if isinstance(each, RunStarted))
    assert store.run(run_id).state is RunState.FAILED
    assert len(store.lab(run_id).turns) == len(turns(seen)) > 0
