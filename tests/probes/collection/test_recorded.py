"""Answers as the client prints them: errors find their statements, marks the time."""

from __future__ import annotations

import pytest

from probes.collection.questions import CONNECTION, FILES, SAMPLED, WAY
from probes.collection.recorded import RecordedServer
from probes.errors import MySQLAccessDenied, MySQLConnectionLost, MySQLError

DASHES = "-" * 14
DENIED = "ERROR 1227 (42000) at line 2: Access denied; you need (at least one of) the PROCESS ..."


def said(sql: str, *answer: str) -> str:
    return "\n".join([DASHES, sql, DASHES, "", *answer]) + "\n"


def mark(server_s: str, machine_s: str = "0") -> str:
    sql = f"SELECT UNIX_TIMESTAMP(SYSDATE(/*!50604 6*/)) AS server_s, {machine_s} AS machine_s"
    return said(sql, "server_s\tmachine_s", f"{server_s}\t{machine_s}")


def test_rows_have_their_columns_and_no_escapes() -> None:
    text = said("SELECT a, b", "a\tb", "x\\ty\\\\z\tNULL", "\t2") + mark("10.5")
    server = RecordedServer(text)
    assert server.rows("SELECT a,\n   b;") == [{"a": "x\ty\\z", "b": None}, {"a": "", "b": "2"}]
    assert server.clock() == 10.5


def test_files_are_of_the_mark_before_them() -> None:
    """They are asked for right behind it: the next comes a second later, the last at once."""
    (files, *_), status = FILES, said(SAMPLED, "Variable_name\tValue", "Questions\t1")
    sample = said(files, "name\tCOUNT_READ", "wait/io/file/innodb/innodb_data_file\t1")
    marks = ("10.0", "11.0", "12.0")
    text = "".join(status + mark(at) + sample for at in marks) + mark("12.01")
    server = RecordedServer(text)
    seen = []
    for _ in marks:
        for sql in (SAMPLED, files):
            server.rows(sql)
            seen.append(server.clock())
    assert seen == [10.0, 10.0, 11.0, 11.0, 12.0, 12.0]


def test_a_setting_may_be_called_null() -> None:
    server = RecordedServer(said("SHOW GLOBAL VARIABLES", "Variable_name\tValue", "x\tNULL"))
    assert server.rows("SHOW GLOBAL VARIABLES")[0]["Value"] == "NULL"


@pytest.mark.parametrize("early", [True, False])
def test_an_error_is_of_the_line_that_it_names(early: bool) -> None:
    """Clients print it behind its statement, or before."""
    first = said("SELECT 1 AS one", "one", "1", *([DENIED] if early else []))
    second = said("SHOW ENGINE INNODB STATUS", *([] if early else [DENIED]))
    server = RecordedServer(first + second + mark("5.0"))
    assert server.rows("SELECT 1 AS one") == [{"one": "1"}]
    with pytest.raises(MySQLAccessDenied):
        server.rows("SHOW ENGINE INNODB STATUS")


def test_comments_before_the_first_statement_count_as_lines() -> None:
    error = "ERROR 2013 (HY000) at line 9: Lost connection to MySQL server during query"
    text = said("SELECT 1 AS one", "one", "1") + said("DO 0", error)
    with pytest.raises(MySQLConnectionLost):
        RecordedServer(text, first_ends=8).rows("DO 0")


def test_each_answer_is_given_once() -> None:
    text = "".join(said("SELECT x", "x", each) + mark(f"{each}.25") for each in "12")
    server = RecordedServer(text)
    assert [server.rows("SELECT x")[0]["x"] for _ in "12"] == ["1", "2"]
    assert server.clock() == 2.25
    with pytest.raises(MySQLError, match="holds no answer"):
        server.rows("SELECT x")


def test_a_server_without_parts_of_seconds_is_timed_by_its_machine() -> None:
    text = said("SELECT x", "x", "1") + mark("1700000000", "77.3")
    server = RecordedServer(text)
    server.rows("SELECT x")
    assert server.clock() == 77.3


@pytest.mark.parametrize(
    ("way", "host", "no_names", "over"),
    [("Socket", "localhost", "0", True), ("TCP/IP", "localhost", "0", False),
     ("", "localhost", "1", True), ("", "127.0.0.1", "1", False)],
)  # fmt: skip
def test_the_socket_is_known_where_it_is_sure(
    way: str, host: str, no_names: str, over: bool
) -> None:
    text = said(CONNECTION, "host\tno_names", f"{host}\t{no_names}")
    if way:
        text += said(WAY, "way", way)
    assert RecordedServer(text).over_socket is over


@pytest.mark.parametrize("text", ["", DASHES, f"{DASHES}\nSELECT", "x\ty\n" * 50, "\0\t\n" * 9])
def test_what_is_no_recording_has_no_answers(text: str) -> None:
    with pytest.raises(MySQLError):
        RecordedServer(text).one("SELECT 1")
