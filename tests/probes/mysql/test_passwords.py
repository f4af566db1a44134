"""Where passwords come from: option files, environment, keyring, and last a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from probes.errors import MySQLAccessDenied, UsageError
from probes.targets.address import MySQLAddress
from tests.probes.mysql.conftest import Connects
from tests.prompts import Answers
from tests.servers.mariadb import ED25519, NATIVE, MariaDB

USER, PASSWORD = NATIVE
QUOTED = PASSWORD.replace("'", "\\'")


def place(server: MariaDB, **more: str) -> MySQLAddress:
    return MySQLAddress(host=server.host, port=server.port, **more)  # type: ignore[arg-type]


@pytest.fixture
def target(local: object) -> object:
    """From this computer: option files, environment and keyring are its own."""
    return local


class Keyring(KeyringBackend):
    """A keyring in memory; locked when it holds None."""

    priority = 1

    def __init__(self, passwords: dict[str, str] | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # keyring has no types
        self.passwords = passwords

    def get_password(self, service: str, username: str) -> str | None:
        if self.passwords is None:
            raise KeyringLocked("nobody opened it")
        return self.passwords.get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError("Leadline never writes to a keyring")


@pytest.fixture
def use_keyring(request: pytest.FixtureRequest) -> object:
    before = keyring.get_keyring()
    request.addfinalizer(lambda: keyring.set_keyring(before))
    return keyring.set_keyring


def test_the_home_s_option_file(session: Connects, mariadb: MariaDB, home: Path) -> None:
    (home / ".my.cnf").write_text(f"[client]\nuser = {USER}\npassword = '{QUOTED}'\n")
    prompts = Answers()
    with session(place(mariadb), prompts=prompts) as connected:
        assert connected.account == f"{USER}@%"
    assert prompts.asked == []


def test_a_named_option_file_tells_the_place_too(
    session: Connects, mariadb: MariaDB, home: Path, tmp_path: Path
) -> None:
    (home / ".my.cnf").write_text("[client]\nuser=wrong\npassword=wrong\n")
    file = tmp_path / "a file.cnf"
    file.write_text(f"[client]\nsocket={mariadb.socket}\nuser={USER}\npassword='{QUOTED}'\n")
    with session(MySQLAddress(defaults_file=str(file))) as connected:
        assert connected.login.socket == mariadb.socket


@pytest.mark.parametrize("name", ["LEADLINE_MYSQL_PASSWORD", "MYSQL_PWD"])
def test_the_environment(
    session: Connects, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, PASSWORD)
    with session(place(mariadb, user=USER)) as connected:
        assert connected.account == f"{USER}@%"


def test_the_keyring(session: Connects, mariadb: MariaDB, use_keyring: object) -> None:
    account = f"mysql {USER}@{mariadb.host}:{mariadb.port}"
    use_keyring(Keyring({f"leadline/{account}": PASSWORD}))  # type: ignore[operator]
    with session(place(mariadb, user=USER)) as connected:
        assert connected.account == f"{USER}@%"


def test_a_locked_keyring_is_passed_over(
    session: Connects, mariadb: MariaDB, use_keyring: object
) -> None:
    use_keyring(Keyring(None))  # type: ignore[operator]
    prompts = Answers("a typing error", PASSWORD)
    with session(place(mariadb, user=USER), prompts=prompts) as connected:
        assert connected.account == f"{USER}@%"
    accounts, sentences = zip(*prompts.asked, strict=True)
    assert set(accounts) == {f"mysql {USER}@{mariadb.host}:{mariadb.port}"}
    assert sentences[0] != sentences[1]


def test_a_person_who_declines(session: Connects, mariadb: MariaDB) -> None:
    prompts = Answers()
    opened = session(place(mariadb, user=ED25519[0]), prompts=prompts)
    with pytest.raises(MySQLAccessDenied, match=ED25519[0]), opened:
        pass
    assert len(prompts.asked) == 1


def test_a_person_who_never_knows(session: Connects, mariadb: MariaDB) -> None:
    prompts = Answers(*["wrong"] * 9)
    with pytest.raises(MySQLAccessDenied), session(place(mariadb, user=USER), prompts=prompts):
        pass
    assert len(prompts.asked) == 3


def test_an_option_file_that_is_missing_or_open_to_all(session: Connects, tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    with (
        pytest.raises(UsageError, match=r"my\.cnf"),
        session(MySQLAddress(defaults_file=str(file))),
    ):
        pass
    file.write_text("[client]\nuser=x\n")
    file.chmod(0o666)
    with pytest.raises(UsageError, match="anybody"), session(MySQLAddress(defaults_file=str(file))):
        pass


class Broken(Keyring):
    """A keyring whose own program fails in some way."""

    def __init__(self, fault: Exception) -> None:
        super().__init__({})
        self.fault = fault

    def get_password(self, service: str, username: str) -> str | None:
        raise self.fault


@pytest.mark.parametrize(
    "fault",
    [RuntimeError("no bus"), OSError(5, "I/O"), ImportError("no module"), TypeError("None")],
    ids=lambda fault: type(fault).__name__,
)
def test_a_keyring_that_fails_keeps_nothing(
    session: Connects, mariadb: MariaDB, use_keyring: Callable[[Keyring], None], fault: Exception
) -> None:
    use_keyring(Broken(fault))
    prompts = Answers(PASSWORD)
    with session(place(mariadb, user=USER), prompts=prompts):
        pass
    assert len(prompts.asked) == 1


def test_it_is_said_whose_password_was_refused(
    session: Connects, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", "wrong")
    prompts = Answers(PASSWORD)
    with session(place(mariadb, user=USER), prompts=prompts):
        pass
    [(_, sentence)] = prompts.asked
    assert sentence == "The MySQL server refused the password of LEADLINE_MYSQL_PASSWORD."
