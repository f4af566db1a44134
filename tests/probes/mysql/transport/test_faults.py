"""What goes wrong at the door is told from nobody being at home."""

from __future__ import annotations

import pymysql
import pytest

from probes.errors import MySQLAccessDenied, MySQLUnreachable
from probes.mysql.transport.faults import while_connecting


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (pymysql.OperationalError(1040, "Too many connections"), "took no connection: Too many"),
        (pymysql.OperationalError(1184, "Aborted (init_connect command failed)"), "init_connect"),
        (pymysql.OperationalError(2003, "Can't connect"), "No MySQL server answers"),
        (pymysql.InternalError("Packet sequence number wrong"), "No MySQL server answers"),
        (ConnectionResetError(104, "Connection reset by peer"), "No MySQL server answers"),
    ],
)
def test_whether_a_server_is_there(error: Exception, sentence: str) -> None:
    fault = while_connecting(error, "db7:3306", "app")
    assert isinstance(fault, MySQLUnreachable)
    assert sentence in fault.sentence


def test_a_wrong_password_is_no_silence() -> None:
    error = pymysql.OperationalError(1045, "Access denied for user 'app' (using password: YES)")
    assert isinstance(while_connecting(error, "db7:3306", "app"), MySQLAccessDenied)
