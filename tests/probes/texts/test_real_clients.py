"""What a real client prints of a real server, in each of its forms: every variable is read."""

from __future__ import annotations

import subprocess

import pytest

from probes.inventory.read import read
from probes.texts.collection import collect
from probes.texts.reading.pieces import ServerText
from probes.texts.typed import Typed
from tests.servers.mariadb import BOSS, MariaDB
from tests.servers.processes import program

FORMS = ("--table", "--batch", "--vertical", "--html", "--xml")
NOW_S = 1_800_000_000.0


def _printed(mariadb: MariaDB, form: str, sql: str) -> str:
    argv = [program("mariadb"), "--no-defaults", f"--socket={mariadb.socket}", form]
    argv += [f"--user={BOSS[0]}", f"--password={BOSS[1]}", "--skip-ssl", f"--execute={sql}"]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("form", FORMS)
def test_every_variable_is_as_the_server_has_it(mariadb: MariaDB, form: str) -> None:
    text = ServerText("variables.txt", _printed(mariadb, form, "SHOW GLOBAL VARIABLES"))
    has = {
        str(row["Variable_name"]).lower(): str(row["Value"])
        for row in mariadb.sql("SHOW GLOBAL VARIABLES")
    }
    facts = read(collect([text], Typed(), NOW_S).raw).mysql
    assert facts is not None
    assert facts.version.is_mariadb
    # A line break is written in each form's own way, and secrets are hidden.
    odd = {name for name, value in has.items() if "\n" in value or "\\" in value}
    differ = {
        name: (value, facts.variables.get(name))
        for name, value in has.items()
        if name not in odd
        and (name not in facts.variables or facts.variables[name].value != value.strip())
        and name != "gtid_binlog_pos"
    }
    assert not differ


@pytest.mark.parametrize("form", FORMS)
def test_two_statuses_are_a_window_with_every_counter(mariadb: MariaDB, form: str) -> None:
    first = _printed(mariadb, form, "SHOW GLOBAL STATUS; SELECT SLEEP(1.2)")
    second = _printed(mariadb, form, "SHOW GLOBAL STATUS")
    texts = [ServerText("b.txt", second), ServerText("a.txt", first)]
    collection = collect(texts, Typed("10.11.6-MariaDB"), NOW_S)
    assert collection.status.samples == 2
    assert 1.0 <= collection.status.seconds < 60.0
    facts = read(collection.raw).mysql
    assert facts is not None
    assert facts.window is not None
    names = {str(row["Variable_name"]) for row in mariadb.sql("SHOW GLOBAL STATUS")}
    counted = {name for name in names if name[0].isupper()}
    missed = counted - facts.window.after.keys()
    assert not missed
    assert (facts.window.delta("Questions") or 0) >= 1


def test_origins_come_with_the_rows_of_the_information_schema(mariadb: MariaDB) -> None:
    sql = "SELECT * FROM information_schema.SYSTEM_VARIABLES WHERE VARIABLE_NAME LIKE 'innodb%'"
    text = ServerText("origins.txt", _printed(mariadb, "--batch", sql))
    facts = read(collect([text], Typed("10.11.6-MariaDB"), NOW_S).raw).mysql
    assert facts is not None
    pool = facts.variables["innodb_buffer_pool_size"]
    assert (pool.value, pool.origin) == (str(16 << 20), "COMMAND_LINE")
    assert facts.variables["innodb_io_capacity"].origin == "COMPILED"


def test_innodb_status_is_whole_in_batch_mode(mariadb: MariaDB) -> None:
    text = ServerText("innodb.txt", _printed(mariadb, "--batch", "SHOW ENGINE INNODB STATUS"))
    facts = read(collect([text], Typed("10.11.6-MariaDB"), NOW_S).raw).mysql
    assert facts is not None
    assert "\nLog sequence number " in (facts.innodb_status or "")
    assert "END OF INNODB MONITOR OUTPUT" in (facts.innodb_status or "")
