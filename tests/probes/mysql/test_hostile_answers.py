"""Whatever a MySQL server answers, its user is told in a sentence, and nothing waits for ever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from probes.cancel import CancelToken
from probes.errors import (
    LeadlineError,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
)
from probes.figures import THIN
from probes.inventory.ask import ask
from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from probes.mysql import connection
from probes.mysql.connection import MySQLSession, connect
from probes.mysql.existing_table import existing_table
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from tests.prompts import Answers
from tests.servers.hostile_answers import ANSWERS, GREETINGS, hostile_answers
from tests.waiting import HANG_S

ENDLESS = (
    "rows without end",
    "a row without end",
    "results without end",
    "a byte now and then",
    "zeros",
)
DRIPPING = (
    "a byte now and then",
    "a greeting, a byte now and then",
    "more columns than there are",
)
"""What only a limit of time ends."""

SOME = (
    b"VARIABLES",
    b"GLOBAL STATUS",
    b"INNODB STATUS",
    b"INNODB_METRICS",
    b"variables_info",
    b"INNODB_TRX",
    b"PERFORMANCE_SCHEMA STATUS",
    b"TABLESPACES",
)
"""Each of the inventory's questions, to be answered badly while all others are answered well."""


@contextmanager
def session(port: int, token: CancelToken) -> Iterator[MySQLSession]:
    address = MySQLAddress(host="127.0.0.1", port=port, user="app")
    with (
        closing(LocalTarget()) as target,
        connect(address, via=target, prompts=Answers(), token=token, password="secret") as opened,
    ):
        yield opened


def inventory(port: int) -> RawInventory:
    """Log in and take the server's inventory."""
    token = CancelToken()
    with session(port, token) as opened:
        asking = ask(None, opened, directory="", window_s=0.0, token=token)
        while True:
            try:
                next(asking)
            except StopIteration as end:
                found: RawInventory = end.value
                return found


def told(error: LeadlineError) -> None:
    """A sentence of one line, which is short and holds nothing that a terminal obeys."""
    for text in (error.sentence, error.advice, error.details):
        assert text.replace(THIN, " ").isprintable()
        assert len(text) < 1200
    assert error.sentence


@pytest.mark.parametrize("mode", ANSWERS)
def test_any_answer_is_told_in_a_sentence(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if mode in DRIPPING:
        monkeypatch.setattr(connection, "READ_LIMIT_S", 1.0)
    with hostile_answers(mode) as port:
        try:
            read(inventory(port))
        except MySQLError as error:
            told(error)
            assert mode not in ENDLESS or isinstance(error, MySQLConnectionLost | MySQLUnreachable)


@pytest.mark.parametrize("mode", GREETINGS)
def test_any_greeting_is_told_in_a_sentence(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if mode in DRIPPING:
        monkeypatch.setattr(connection, "READ_LIMIT_S", 1.0)
    with hostile_answers(mode) as port:
        try:
            read(inventory(port))
        except MySQLError as error:
            told(error)
            if "version" not in mode:
                assert isinstance(error, MySQLUnreachable | MySQLAccessDenied)


@pytest.mark.parametrize("only", SOME, ids=[each.decode() for each in SOME])
@pytest.mark.parametrize("mode", ["other columns", "5000 digits as text", "nothing known"])
def test_one_bad_answer_among_good_ones(mode: str, only: bytes) -> None:
    with hostile_answers(mode, only) as port:
        try:
            found = read(inventory(port))
        except MySQLError as error:
            told(error)
        else:
            assert found.mysql is not None or found.missing


@pytest.mark.parametrize("mode", ENDLESS)
def test_an_endless_answer_in_the_middle_is_hung_up_on(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_s = 1.0 if mode in DRIPPING else HANG_S
    monkeypatch.setattr(connection, "READ_LIMIT_S", limit_s)
    with (
        hostile_answers(mode, b"VARIABLES") as port,
        pytest.raises(MySQLConnectionLost) as caught,
    ):
        inventory(port)
    told(caught.value)


def test_a_file_that_a_server_asks_for_is_not_sent() -> None:
    with (
        hostile_answers("a file asked for") as port,
        pytest.raises(MySQLConnectionLost, match="asked for a file of this computer"),
    ):
        inventory(port)


def test_an_answer_that_does_not_end_names_what_was_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "READ_LIMIT_S", HANG_S)
    with (
        hostile_answers("rows without end", b"VARIABLES") as port,
        pytest.raises(MySQLConnectionLost, match="had not ended after 4\u202fMiB"),
    ):
        inventory(port)


def test_columns_are_counted() -> None:
    """PyMySQL compares each name with all before it: 65,535 of them take minutes."""
    with (
        hostile_answers("65,535 columns", b"VARIABLES") as port,
        pytest.raises(MySQLConnectionLost, match="more than 4,096 columns"),
    ):
        inventory(port)


def test_a_column_that_was_not_sent_is_named() -> None:
    with (
        hostile_answers("other columns", b"@@version") as port,
        pytest.raises(MySQLError, match="lacks the column version"),
    ):
        inventory(port)


@pytest.mark.parametrize("mode", ["5000 digits as text", "words for figures", "no row"])
def test_a_table_whose_keys_are_nonsense(mode: str) -> None:
    with (
        hostile_answers(mode, b"MIN(") as port,
        session(port, CancelToken()) as opened,
        pytest.raises(MySQLError) as caught,
    ):
        existing_table(opened)
    told(caught.value)
