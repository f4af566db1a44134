"""A socket is private only where no other account could have put it: else it gets no password.

The server that is after the password listens as another account, on a real socket: in a folder
where any account may put one, as /tmp is, and in one of its own.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.runs.link import linked as open_link
from probes.cancel import CancelToken
from probes.errors import LeadlineError, MySQLAccessDenied
from probes.mysql import discover
from probes.mysql.connection import connect
from probes.mysql.login import ResolvedLogin
from probes.mysql.work import MySQLWork, WorkTable
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec
from probes.targets.listener import Listener
from probes.targets.parse import naming_socket
from probes.targets.target import Target
from tests.probes.engines.lines import plan_of, select_setting
from tests.probes.engines.measuring import measure
from tests.prompts import Answers
from tests.servers.hostile_mysql import MODES, hostile_socket

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")

NOBODY, NAMELESS = 65534, 54399
SECRET = "a password of the user's"
WITHOUT_TLS = sorted(mode for mode, (_, tls) in MODES.items() if not tls)


@pytest.fixture
def anybodys() -> Iterator[Path]:
    """A folder where any account may put a socket, as in /tmp."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as folder:
        Path(folder).chmod(0o1777)
        yield Path(folder)


@pytest.fixture
def roots() -> Iterator[Path]:
    """A folder that is root's, as /run is."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def its_own(roots: Path) -> Path:
    """A folder of that account's own, where root alone could make it, as /run/mysqld is."""
    return made(roots / "server", NOBODY)


def made(folder: Path, owner: int, group: int | None = None, mode: int = 0o755) -> Path:
    folder.mkdir()
    os.chown(folder, owner, owner if group is None else group)
    folder.chmod(mode)
    return folder


def linked(link: Path, to: Path | str, owner: int = 0) -> Path:
    link.symlink_to(to)
    os.lchown(link, owner, owner)
    return link


def log_in(target: Target, address: MySQLAddress) -> LeadlineError:
    with (
        pytest.raises(LeadlineError) as caught,
        connect(
            address, via=target, prompts=Answers(), token=CancelToken(), password=SECRET
        ) as session,
    ):
        session.rows("SELECT 1")
    return caught.value


@pytest.mark.parametrize("mode", WITHOUT_TLS)
def test_who_listens_where_anybody_may_gets_no_password(
    target: Target, anybodys: Path, mode: str
) -> None:
    path = anybodys / "mysql.sock"
    with hostile_socket(path, mode, NOBODY) as server:
        told = log_in(target, MySQLAddress(socket=str(path), user="app"))
        assert server.connections
    assert not server.knows(SECRET)
    assert SECRET not in f"{told} {told.details}"


def test_it_is_said_which_account_listens_on_which_socket(target: Target, anybodys: Path) -> None:
    path = anybodys / "mysql.sock"
    with hostile_socket(path, "clear", NOBODY):
        told = log_in(target, MySQLAddress(socket=str(path), user="app"))
    assert isinstance(told, MySQLAccessDenied)
    assert str(path) in told.sentence
    assert "the account nobody listens there" in told.sentence
    assert "a folder of its own" in told.advice


@pytest.mark.parametrize("mode", WITHOUT_TLS)
def test_the_agent_gives_it_none_either(target: Target, anybodys: Path, mode: str) -> None:
    path = anybodys / "mysql.sock"
    login = ResolvedLogin(socket=str(path), user="app", password=SECRET)
    work = MySQLWork(login, "shop", {"cached": WorkTable("t", "id", "c", 1, 9)})
    with hostile_socket(path, mode, NOBODY) as server:
        with pytest.raises(LeadlineError):
            list(measure(target, plan_of(select_setting(), seconds=0.5), work))
        assert server.connections
    assert not server.knows(SECRET)


PLANTED = {
    "a folder that it made in a shared one": lambda at: made(at["shared"] / "run", NOBODY),
    "a folder below such a one": lambda at: made(
        made(at["shared"] / "run", NOBODY) / "mysqld", NOBODY
    ),
    "a link of its own to its folder": lambda at: linked(
        at["shared"] / "run", made(at["roots"] / "home", NOBODY), NOBODY
    ),
    "a chain of links through a shared folder": lambda at: linked(
        at["roots"] / "run",
        linked(at["shared"] / "next", made(at["roots"] / "home", NOBODY), NOBODY),
    ),
    "a relative link through a shared folder": lambda at: linked(
        at["roots"] / "run",
        f"../{at['shared'].name}/{made(at['shared'] / 'run', NOBODY).name}",
    ),
    "a folder that its group may write to": lambda at: made(at["roots"] / "run", 0, NOBODY, 0o775),
    "a folder that a group may write to, sticky": lambda at: made(
        at["roots"] / "run", 0, NOBODY, 0o1775
    ),
    "a folder of a third account": lambda at: made(at["roots"] / "run", 54321, NOBODY, 0o775),
}
"""Where another account may listen though no folder is one where any account may put a socket."""


@pytest.mark.parametrize("account", [NOBODY, NAMELESS])
@pytest.mark.parametrize("way", PLANTED)
def test_nor_who_could_make_the_way_to_it(
    target: Target, anybodys: Path, roots: Path, way: str, account: int
) -> None:
    folder = PLANTED[way]({"shared": anybodys, "roots": roots})
    if account != NOBODY:
        for each in (*anybodys.rglob("*"), *roots.rglob("*")):
            status = each.lstat()
            ids = (account if owner == NOBODY else -1 for owner in (status.st_uid, status.st_gid))
            os.lchown(each, *ids)
    path = folder / "mysql.sock"
    with hostile_socket(path, "clear", account) as server:
        told = log_in(target, MySQLAddress(socket=str(path), user="app"))
        assert server.connections
    assert not server.knows(SECRET)
    assert "may put a socket" in told.sentence


@pytest.mark.parametrize("way", PLANTED)
def test_nor_from_the_agent(target: Target, anybodys: Path, roots: Path, way: str) -> None:
    path = PLANTED[way]({"shared": anybodys, "roots": roots}) / "mysql.sock"
    login = ResolvedLogin(socket=str(path), user="app", password=SECRET)
    work = MySQLWork(login, "shop", {"cached": WorkTable("t", "id", "c", 1, 9)})
    with hostile_socket(path, "clear", NOBODY) as server:
        with pytest.raises(LeadlineError):
            list(measure(target, plan_of(select_setting(), seconds=0.5), work))
        assert server.connections
    assert not server.knows(SECRET)


def test_a_server_in_a_folder_of_its_own_gets_what_it_asks_for(
    target: Target, its_own: Path
) -> None:
    path = its_own / "mysql.sock"
    with hostile_socket(path, "clear", NOBODY) as server:
        log_in(target, MySQLAddress(socket=str(path), user="app"))
    assert server.knows(SECRET)


def test_but_no_readable_password_where_nobody_named_that_socket(
    target: Target, its_own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = its_own / "mysql.sock"
    monkeypatch.setattr(discover, "_PLACES", (str(path),))
    with hostile_socket(path, "clear", NOBODY) as server:
        told = log_in(target, MySQLAddress(user="app"))
        assert server.connections
    assert not server.knows(SECRET)
    assert "nobody named that socket" in told.sentence
    assert f"name it: {naming_socket(str(path))}." in told.advice


GIVEN_TO_SHA2 = {"rsa", "rsa after a switch", "fast, then full"}
"""The servers that ask for the password as MySQL does after each of its starts."""


@pytest.mark.parametrize("mode", WITHOUT_TLS)
def test_a_private_socket_that_was_found_gets_it_for_a_full_authentication_alone(
    target: Target, its_own: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    path = its_own / "mysql.sock"
    monkeypatch.setattr(discover, "_PLACES", (str(path),))
    with hostile_socket(path, mode, NOBODY) as server:
        told = log_in(target, MySQLAddress(user="app"))
        assert server.connections
    assert server.knows(SECRET) is (mode in GIVEN_TO_SHA2)
    assert SECRET not in f"{told} {told.details}"


@pytest.mark.parametrize("mode", WITHOUT_TLS)
def test_nor_does_the_agent_give_it_for_more(target: Target, its_own: Path, mode: str) -> None:
    path = its_own / "mysql.sock"
    listener = Listener("nobody", private=True)
    login = ResolvedLogin(
        socket=str(path), found=True, listener=listener, user="app", password=SECRET
    )
    work = MySQLWork(login, "shop", {"cached": WorkTable("t", "id", "c", 1, 9)})
    with hostile_socket(path, mode, NOBODY) as server:
        with pytest.raises(LeadlineError):
            list(measure(target, plan_of(select_setting(), seconds=0.5), work))
        assert server.connections
    # Its driver answers nothing after the short way.
    assert server.knows(SECRET) is (mode in GIVEN_TO_SHA2 - {"fast, then full"})


def test_nor_where_a_run_found_it_by_itself(
    its_own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = its_own / "mysql.sock"
    (tmp_path / ".my.cnf").write_text(f'[client]\nuser=app\npassword="{SECRET}"\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(discover, "_PLACES", (str(path),))
    spec = TargetSpec(TargetKind.LOCAL, "local")
    with (
        hostile_socket(path, "clear", NOBODY) as server,
        open_link(spec, Answers(), CancelToken()) as link,
    ):
        assert link.mysql is None
        assert "nobody named that socket" in link.notes[0].message
    assert server.connections > 1
    assert not server.knows(SECRET)
