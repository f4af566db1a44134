"""Servers that fall silent, and ways to them that are cut."""

from __future__ import annotations

import socket
import threading

import pytest

from probes.cancel import CancelToken
from probes.errors import Cancelled, MySQLConnectionLost, MySQLUnreachable
from probes.mysql import connection
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress, TargetSpec
from probes.targets.connect import open_target
from tests.probes.mysql.conftest import Connects
from tests.prompts import Answers
from tests.servers.mariadb import NATIVE, MariaDB
from tests.servers.sshd import Sshd


@pytest.mark.parametrize("way", ["socket", "tcp"])
def test_ssh_is_cut_during_a_query(
    ssh_spec: TargetSpec, sshd: Sshd, mariadb: MariaDB, way: str
) -> None:
    user, password = NATIVE
    place = MySQLAddress(socket=mariadb.socket, user=user)
    if way == "tcp":
        place = MySQLAddress(host=mariadb.host, port=mariadb.port, user=user)
    token = CancelToken()
    with (
        open_target(ssh_spec, Answers(), token) as target,
        connect(place, via=target, prompts=Answers(), token=token, password=password) as session,
    ):
        timer = threading.Timer(0.3, sshd.cut)
        timer.start()
        with pytest.raises(MySQLConnectionLost):
            session.rows("SELECT SLEEP(600)")
        timer.join()


def test_a_server_that_never_speaks(session: Connects, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "READ_LIMIT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = MySQLAddress(host="127.0.0.1", port=silent.getsockname()[1], user="x")
        with pytest.raises(MySQLUnreachable, match=str(place.port)), session(place, password="x"):
            pass


def test_cancelling_ends_the_wait_for_a_silent_server(session: Connects) -> None:
    token = CancelToken()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = MySQLAddress(host="127.0.0.1", port=silent.getsockname()[1], user="x")
        timer = threading.Timer(0.3, token.cancel)
        timer.start()
        with pytest.raises(Cancelled), session(place, password="x", token=token):
            pass
        timer.join()
