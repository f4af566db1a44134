"""Whom the command line trusts with a MySQL password, and what it shows and keeps of that."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.cli.forked import Done
from tests.app.cli.terminals import at_terminal
from tests.servers.another_host import another_address
from tests.servers.certificates import self_signed
from tests.servers.hostile_mysql import hostile_mysql
from tests.servers.mariadb import NATIVE, MariaDB, private_mariadb

Leadline = Callable[..., Done]
SECRET = "Sup3r secret"


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Another host's address."""
    with another_address() as address:
        yield address


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No option files of this machine, and a password in the environment."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", SECRET)


@pytest.mark.parametrize("mode", ["rsa", "clear", "dialog", "tls, clear", "tls, full"])
@pytest.mark.parametrize("place", ["loopback", "another host"])
def test_a_server_that_asks_for_the_password_gets_none(
    leadline: Leadline, elsewhere: str, tmp_path: Path, mode: str, place: str
) -> None:
    host = "127.0.0.1" if place == "loopback" else elsewhere
    with hostile_mysql(host, mode, self_signed(tmp_path, "server")) as server:
        done = leadline("targets", "test", f"mysql://app@{host}:{server.port}")
        assert done.code == 3
        assert not server.knows(SECRET)
        assert "Internal error" not in done.stderr
        assert f"{host}:{server.port}" in done.stderr
        # Said for this target, it is another matter.
        if mode.startswith("tls"):
            leadline("targets", "test", f"mysql://app@{host}:{server.port}", "--tls", "unverified")
            assert server.knows(SECRET)


def test_what_was_said_is_kept_and_shown(leadline: Leadline) -> None:
    assert leadline("targets", "add", "a", "mysql://app@db7", "--tls", "unverified").code == 0
    assert leadline("targets", "add", "b", "local", "--mysql", "host=db7,tls=disabled").code == 0
    assert leadline("targets", "add", "c", "mysql://app@db7").code == 0
    assert leadline("targets", "add", "d", "a", "--tls", "verified").code == 0
    table = leadline("targets").stdout.splitlines()
    words = {line.split()[0]: line for line in table}
    assert "app@db7:3306, TLS unverified" in words["a"]
    assert "db7:3306, TLS disabled" in words["b"]
    assert "TLS" not in words["c"] + words["d"]
    saved = {
        each["name"]: each["mysql"] for each in json.loads(leadline("targets", "--json").stdout)
    }
    assert [saved[name]["tls"] for name in "abcd"] == [
        "unverified",
        "disabled",
        "verified",
        "verified",
    ]


def test_tls_without_a_server_is_refused(leadline: Leadline) -> None:
    done = leadline("targets", "add", "a", "ssh://db7", "--tls", "unverified")
    assert done.code == 2
    assert "--mysql" in done.stderr


@pytest.mark.parametrize("word", ["preferred", "required"])
def test_a_target_of_an_older_store_is_verified(
    leadline: Leadline, home: Path, elsewhere: str, tmp_path: Path, word: str
) -> None:
    with hostile_mysql(elsewhere, "tls, full", self_signed(tmp_path, "server")) as server:
        leadline("targets", "add", "old", f"mysql://app@{elsewhere}:{server.port}")
        database = sqlite3.connect(home / "leadline.sqlite3")
        with database:
            changed = database.execute(
                "UPDATE targets SET spec = replace(spec, '\"verified\"', ?)", (f'"{word}"',)
            )
            assert changed.rowcount == 1
            assert word in database.execute("SELECT spec FROM targets").fetchone()[0]
        database.close()
        done = leadline("targets", "test", "old")
        assert done.code == 3
        assert "was not accepted" in done.stderr
        assert not server.knows(SECRET)


@pytest.fixture
def real(elsewhere: str) -> Iterator[MariaDB]:
    with private_mariadb(host=elsewhere) as server:
        yield server


def test_what_was_accepted_for_a_server_is_said_with_every_look_at_it(
    leadline: Leadline, real: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", NATIVE[1])
    address = f"mysql://{NATIVE[0]}@{real.host}:{real.port}"
    for tls, words in (("unverified", "was not verified"), ("disabled", "had no TLS")):
        done = leadline("targets", "test", address, "--tls", tls)
        assert done.code == 0, done.stderr
        assert f"The connection to {real.host}:{real.port} {words}" in done.stdout
    authority = str(real.certificates.authority)
    dsn = f"host={real.host},port={real.port},user={NATIVE[0]},ca={authority}"
    done = leadline("targets", "test", "local", "--mysql", dsn)
    assert "TLS, verified." in done.stdout
    assert "The connection to" not in done.stdout


def test_a_certificate_is_asked_about_at_a_terminal(
    leadline: Leadline, real: MariaDB, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", NATIVE[1])
    address = f"mysql://{NATIVE[0]}@{real.host}:{real.port}"
    args = ["targets", "test", address]
    question = "Trust this certificate and remember it? [y/N]"
    refused = at_terminal(args, until=question, answer=b"\n")
    assert "was not accepted" in refused
    assert not (home / "mysql_certificates").exists()
    shown = at_terminal(args, until=question, answer=b"y\n")
    assert "MySQL answers: " in shown
    assert "certificate accepted by its fingerprint" in shown
    [line] = (home / "mysql_certificates").read_text().splitlines()
    assert line.endswith(f" {real.host}:{real.port}")
    assert line.split()[0] in shown
    # From now on nobody needs to be asked.
    again = leadline("targets", "test", address, "--json")
    assert again.code == 0
    facts = json.loads(again.stdout)["facts"]
    assert facts["connection"] == "TLS, certificate accepted by its fingerprint"
