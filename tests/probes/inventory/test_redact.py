"""Nothing secret is kept."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Missing, RawInventory
from probes.inventory.redact import (
    clean_answer,
    clean_inventory,
    without_secrets,
    without_statements,
)
from probes.mysql.connection import connect
from probes.redaction import HIDDEN
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from tests.servers.mariadb import private_mariadb


@pytest.mark.parametrize(
    "name",
    ["report_password", "file_key_management_filekey", "wsrep_sst_auth", "hashicorp_token"],
)
def test_a_secret_is_hidden(name: str) -> None:
    assert without_secrets({name: "s3cret"}) == {name: HIDDEN}
    assert without_secrets({name: ""}) == {name: ""}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("innodb_io_capacity", "200"),
        ("validate_password.length", "8"),
        ("default_password_lifetime", "0"),
    ],
)
def test_a_setting_is_not(name: str, value: str) -> None:
    assert without_secrets({name: value}) == {name: value}


OPTIONS = (
    "base_dir = /data; gcache.keep_pages_size = 1G; gcache.size = 32g; socket.ssl_key = /k.pem; "
    "socket.ssl_password = s3cret;"
)


@pytest.mark.parametrize("options", [OPTIONS, "gcache.size=32G", "evs.x=1;gcache.size = 32G ;"])
def test_of_the_options_of_a_cluster_the_size_of_its_cache_stays(options: str) -> None:
    kept = {"wsrep_provider_options": HIDDEN, "gcache.size": "32G"}
    assert without_secrets({"wsrep_provider_options": options}) == kept
    asked = json.dumps({"wsrep_provider_options": options})
    answer = clean_answer("mysql.variables", asked)
    assert json.loads(answer) == kept
    assert clean_answer("mysql.variables", answer) == answer


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ("base_dir = /data; gcache.dir = /fast/gcache/; gcache.name = x;", "/fast/gcache/"),
        ("gcache.size=1G;gcache.dir=.", "."),
    ],
)
def test_and_its_directory(options: str, kept: str) -> None:
    assert without_secrets({"wsrep_provider_options": options})["gcache.dir"] == kept


@pytest.mark.parametrize(
    "options",
    [
        "gcache.page_size=1G",
        "gcache.size = s3cret",
        "xgcache.size=1G",
        "gcache.dir = s3cret",
        "gcache.dir = /a b",
        "xgcache.dir = /a",
    ],
)
def test_and_nothing_that_is_no_size_and_no_path(options: str) -> None:
    assert without_secrets({"wsrep_provider_options": options}) == {
        "wsrep_provider_options": HIDDEN
    }


STATUS = """
=====================================
INNODB MONITOR OUTPUT
=====================================
-----------------
BACKGROUND THREAD
-----------------
srv_master_thread loops: 0
------------
TRANSACTIONS
------------
Trx id counter 33
UPDATE users SET pin = 1234
--------
FILE I/O
--------
Pending flushes (fsync): 0
"""


def test_statements_of_users_are_cut_out_of_the_status() -> None:
    kept = without_statements(STATUS)
    assert "1234" not in kept
    assert "srv_master_thread loops: 0" in kept
    assert "Pending flushes (fsync): 0" in kept
    assert without_statements("") == ""


BANNER = STATUS.replace(
    "UPDATE users",
    "/*\n-----\nBILLING RUN\n-----\n*/ SELECT 8888\n--------\nFILE I/O\n--------\nUPDATE users",
)


def test_a_statement_that_looks_like_a_heading_does_not_end_its_section() -> None:
    kept = without_statements(BANNER)
    assert "1234" not in kept
    assert "8888" not in kept
    assert "Pending flushes (fsync): 0" in kept
    assert "1234" not in without_statements(STATUS.partition("--------\nFILE")[0])


def answers_of(name: str, content: object) -> object:
    return json.loads(clean_answer(name, json.dumps(content)))


def test_every_answer_is_cleaned_in_its_own_way() -> None:
    assert answers_of("mysql.variables", {"init_connect": "CALL a()", "port": "1"}) == {
        "init_connect": HIDDEN,
        "port": "1",
    }
    assert answers_of("mysql.variables", [["init_slave", "x"], ["port", "1"]]) == [
        ["init_slave", HIDDEN],
        ["port", "1"],
    ]
    status = {"Com_set_password": "3", "Pass_tries": "4", "Odd_secret": "hunter2", "Up": "a"}
    assert answers_of("mysql.status.after", {"at_s": 1.5, "values": status}) == {
        "at_s": 1.5,
        "values": status | {"Odd_secret": HIDDEN},
    }
    line = {"name": "x", "value": "https://a:hunter2@b", "text": "x = https://a:hunter2@b"}
    server = {"files": {"/proc/version": "Linux"}, "server": {"options": {"lines": [line]}}}
    told = clean_answer("agent.inventory", json.dumps(server))
    assert "hunter2" not in told
    assert json.loads(told)["files"] == server["files"]
    assert clean_answer("mysql.innodb_status", f"{STATUS}password=hunter2") == (
        f"{without_statements(STATUS)}{HIDDEN}"
    )


@pytest.mark.parametrize("answer", ["", "24.1", "socket", "{broken", "null", '{"a": [1, {}]}'])
@pytest.mark.parametrize("name", ["mysql.variables", "mysql.status.after", "roles"])
def test_an_answer_without_a_secret_stays_as_it_is(name: str, answer: str) -> None:
    assert clean_answer(name, answer) == answer


def test_what_is_too_long_to_be_looked_through_is_hidden() -> None:
    long = {"port": "1", "gtid_executed": "3E11FA47:1-5," * 200_000, "hostname": "db7"}
    hidden = dict.fromkeys(("gtid_executed", "hostname"), HIDDEN)
    assert answers_of("mysql.variables", long) == long | hidden


def test_a_deep_answer_is_cleaned_as_text() -> None:
    for depth in (900, 200_000):
        deep = "[" * depth + ' "password=hunter2" ' + "]" * depth
        assert "hunter2" not in clean_answer("roles", deep)


def test_an_inventorys_reasons_are_cleaned_too() -> None:
    raw = RawInventory("", {"a": "https://u:hunter2@h"}, (Missing("b", "token=hunter2"),))
    assert "hunter2" not in repr(clean_inventory(raw))


def test_a_real_servers_answers_hold_neither() -> None:
    with (
        private_mariadb(tls=False, options=["--report-password=hunter2"]) as server,
        closing(LocalTarget()) as target,
        connect(
            MySQLAddress(socket=server.socket), via=target, prompts=Silent(), token=CancelToken()
        ) as session,
    ):
        asking = ask(target, session, directory="", window_s=0.0, token=CancelToken())
        while True:
            try:
                next(asking)
            except StopIteration as end:
                answers = end.value.answers
                break
    assert all("hunter2" not in text for text in answers.values())
    assert "LOG" in answers["mysql.innodb_status"]
