"""Real checks behind a real sshd, with what may happen to the connection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.advisor.report.json.schema import faults
from tests.app.cli.checking import POINT, Program, checking
from tests.servers.mariadb import MariaDB
from tests.servers.sshd import Sshd


def address(server: Sshd) -> str:
    return f"ssh://{server.user}@{server.host}:{server.port}"


def test_a_connection_that_is_cut_keeps_what_was_measured(
    program: Program, sshd: Sshd, ssh_home: Path, mariadb: MariaDB, tmp_path: Path
) -> None:
    directory = tmp_path / "Maß und Daten"
    directory.mkdir()
    server = ("--mysql", f"socket={mariadb.socket}")
    with checking(program, address(sshd), directory, "--json", *server) as check:
        check.wait_for(POINT)
        sshd.cut()
        done = check.end()
    assert done.code == 1
    assert "Traceback" not in done.stderr
    content = json.loads(done.stdout)
    assert faults(content) == []
    assert content["run"]["state"] == "failed"
    assert content["target"]["ssh"]["port"] == sshd.port
    assert content["inventory"]["mysql"]["version"]["flavour"] == "mariadb"
    assert sum(len(curve["points"]) for curve in content["runs"]) >= 2
    assert list(directory.iterdir()) == []


def test_an_unknown_host_key_is_not_trusted_without_a_person(
    program: Program, sshd: Sshd, ssh_home: Path, tmp_path: Path
) -> None:
    (ssh_home / ".ssh" / "known_hosts").unlink()
    with checking(program, address(sshd), tmp_path) as check:
        done = check.end()
    assert done.code == 3
    assert "SHA256:" in done.stderr


@pytest.mark.parametrize("given", [None, "hunter2"])
def test_a_refused_account_ends_with_3_and_keeps_the_password_to_itself(
    program: Program,
    mariadb: MariaDB,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: str | None,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    if given is not None:
        monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", given)
    server = ("--mysql", f"socket={mariadb.socket},user=nobody_here")
    with checking(program, "local", tmp_path, *server) as check:
        done = check.end()
    assert done.code == 3
    assert "nobody_here" in done.stderr
    assert given is None or given not in done.stdout + done.stderr
