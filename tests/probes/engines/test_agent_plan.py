"""The plan in the agent's words: one line, every step once, secrets nowhere but in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probes.engines.agent_plan import plan_line
from probes.engines.mysql_work import MySQLWork, WorkTable
from probes.mysql.login import ResolvedLogin
from probes.points import Probe, Setting
from probes.targets.address import TlsMode
from tests.probes.engines.lines import (
    DIRECTORY,
    plan_of,
    read_setting,
    redo_setting,
    select_setting,
)

SECRET = "käse\n'\"\\"


def work(**login: Any) -> MySQLWork:
    return MySQLWork(
        ResolvedLogin(user="u", password=SECRET, **login),
        "leadline",
        {"cached": WorkTable("t", "id", "c", 1, 100)},
    )


def told(*settings: Setting, mysql: MySQLWork | None = None) -> dict[str, Any]:
    said = plan_line(plan_of(*settings), mysql)
    assert said.endswith(b"\n")
    assert said.count(b"\n") == 1
    document: dict[str, Any] = json.loads(said)
    return document


def test_points_name_their_file_set() -> None:
    many = Setting(Probe.RANDOM_WRITE, 4, block_size_bytes=4096, files=16, directory=DIRECTORY)
    document = told(read_setting(8), many)
    sets = {each["id"]: each for each in document["file_sets"]}
    first, second = document["points"]
    assert sets[first["file_set"]]["files"] == 1
    assert sets[second["file_set"]]["files"] == 16
    assert sets[second["file_set"]]["directory"] == DIRECTORY
    assert (first["probe"], first["threads"], first["block_size_bytes"]) == (
        "random_read",
        8,
        16384,
    )
    assert (first["seconds"], first["warmup_seconds"]) == (1.0, 0.2)
    assert first["seed"] != second["seed"]


def test_redo_and_lookups_use_no_file_set() -> None:
    document = told(redo_setting(), select_setting(64), mysql=work(socket="/run/s.sock"))
    redo, lookup = document["points"]
    assert document["file_sets"] == []
    assert (redo["directory"], redo["sync"], redo["block_size_bytes"]) == (
        DIRECTORY,
        "fdatasync",
        512,
    )
    assert (lookup["table"], lookup["protocol"], lookup["threads"]) == ("cached", "prepared", 64)


def test_the_login_of_a_socket() -> None:
    mysql = told(select_setting(), mysql=work(socket="/run/s.sock", host="db7"))["mysql"]
    assert (mysql["network"], mysql["address"], mysql["tls"]) == ("unix", "/run/s.sock", "off")
    assert (mysql["user"], mysql["password"]) == ("u", SECRET)
    assert mysql["tables"] == {
        "cached": {"name": "t", "key": "id", "column": "c", "min": 1, "max": 100}
    }


@pytest.mark.parametrize(
    ("host", "address"), [("db7", "db7:3307"), ("::1", "[::1]:3307"), ("10.0.0.1", "10.0.0.1:3307")]
)
def test_the_address_of_a_host(host: str, address: str) -> None:
    mysql = told(select_setting(), mysql=work(host=host, port=3307))["mysql"]
    assert (mysql["network"], mysql["address"]) == ("tcp", address)


@pytest.mark.parametrize(
    ("mode", "tls", "name"),
    [
        (TlsMode.DISABLED, "off", ""),
        (TlsMode.PREFERRED, "prefer", ""),
        (TlsMode.REQUIRED, "require", ""),
        (TlsMode.VERIFY_CA, "verify", ""),
        (TlsMode.VERIFY_IDENTITY, "verify", "db7"),
    ],
)
def test_tls_modes(mode: TlsMode, tls: str, name: str) -> None:
    mysql = told(select_setting(), mysql=work(host="db7", tls=mode, tls_ca_pem="PEM"))["mysql"]
    assert (mysql["tls"], mysql["server_name"], mysql["ca"]) == (tls, name, "PEM")


def test_secrets_are_not_shown() -> None:
    assert SECRET not in repr(work(socket="/s"))
    assert "käse" not in repr(work(socket="/s"))
