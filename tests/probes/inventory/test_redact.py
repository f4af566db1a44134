"""Nothing secret is kept."""

from __future__ import annotations

from contextlib import closing

import pytest

from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.redact import HIDDEN, without_secrets, without_statements
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
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


class _Silent:
    def password(self, account: str, sentence: str) -> str | None:
        return None

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        return False


def test_a_real_servers_answers_hold_neither() -> None:
    with (
        private_mariadb(tls=False, options=["--report-password=hunter2"]) as server,
        closing(LocalTarget()) as target,
        connect(
            MySQLAddress(socket=server.socket), via=target, prompts=_Silent(), token=CancelToken()
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
