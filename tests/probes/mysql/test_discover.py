"""Finding a server by its socket."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from probes.mysql import discover
from probes.mysql.discover import find_socket
from probes.targets.address import MySQLAddress
from probes.targets.target import Target
from tests.probes.mysql.conftest import Connects
from tests.servers.mariadb import MariaDB


def test_the_first_socket_that_answers(
    target: Target, mariadb: MariaDB, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = tmp_path / "dead söcket"
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(dead))
    file = tmp_path / "no socket"
    file.touch()
    places = (str(tmp_path / "missing"), str(file), str(dead), mariadb.socket)
    monkeypatch.setattr(discover, "_PLACES", places)
    assert find_socket(target) == mariadb.socket
    monkeypatch.setattr(discover, "_PLACES", places[:3])
    assert find_socket(target) is None


def test_an_address_without_a_place_finds_it(
    session: Connects, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discover, "_PLACES", (mariadb.socket,))
    with session(MySQLAddress()) as connected:
        assert connected.login.socket == mariadb.socket
        assert connected.account == f"{mariadb.system_user}@localhost"
