"""How many wait for rows that others have locked, on real servers of both families."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from advisor.case import Case
from advisor.facts.readings import Reading
from advisor.facts.watched.watch import WATCH_ROW_LOCKS
from probes.statistics.ranges import Range
from tests.present import present
from tests.probes.watch.test_server_series import asked_as, watched
from tests.servers.mariadb import MariaDB
from tests.servers.mysql97 import MySQL

LOOKS = 3
"""How often the status is asked for before the row is let go: before the window, and twice in it.
"""


@pytest.mark.parametrize("name", ["mysql97", "mariadb"])
def test_sessions_that_lock_each_others_row_are_seen_while_they_wait_and_by_the_time_of_it(
    name: str, request: pytest.FixtureRequest
) -> None:
    server: MySQL | MariaDB = request.getfixturevalue(name)
    server.sql("CREATE DATABASE locked")
    server.sql("CREATE TABLE locked.t (id INT PRIMARY KEY, c INT) ENGINE = InnoDB")
    server.sql("INSERT INTO locked.t VALUES (1, 0)")
    counts: list[int] = []

    def looks() -> int:
        """How often anybody else asked for the status."""
        counts.append(int(str(server.sql("SHOW GLOBAL STATUS LIKE 'Com_show_status'")[0]["Value"])))
        return counts[-1] - counts[0] - len(counts)

    try:
        with (
            asked_as("root", "", server.socket) as holder,
            asked_as("root", "", server.socket) as session,
            ThreadPoolExecutor(1) as other,
        ):
            holder.rows("START TRANSACTION READ WRITE")
            holder.rows("SELECT c FROM locked.t WHERE id = 1 FOR UPDATE")
            waits = other.submit(server.sql, "UPDATE locked.t SET c = c + 1 WHERE id = 1")

            def work() -> None:
                if not waits.done() and looks() >= LOOKS:
                    holder.rows("ROLLBACK")
                    waits.result(30)

            try:
                inventory = watched(session, work, 3.0)
            finally:
                holder.rows("ROLLBACK")
    finally:
        server.sql("DROP DATABASE locked")
    status = present(inventory.watched).status
    assert sum(present(status.growth("Innodb_row_lock_time"))) > 200
    assert present(status.gauge("Innodb_row_lock_current_waits")).high == 1
    found = WATCH_ROW_LOCKS.read(Case("local", inventory))
    assert isinstance(found, Reading)
    assert isinstance(found.value, Range)
    assert 0 < found.value.value <= found.value.high
