"""Servers that are after the password get none, from the program or from the agent.

Each is met at another host's address and on loopback, with TLS as it is by default and without.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from probes.cancel import CancelToken
from probes.errors import (
    CertificateRejected,
    LeadlineError,
    MySQLAccessDenied,
    MySQLError,
    MySQLUnreachable,
)
from probes.figures import THIN
from probes.mysql.connection import connect
from probes.mysql.login import ResolvedLogin
from probes.mysql.transport.known_certificates import accepted_certificate
from probes.mysql.work import MySQLWork, WorkTable
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.target import Target
from tests.probes.engines.lines import plan_of, select_setting
from tests.probes.engines.measuring import measure
from tests.prompts import Answers
from tests.servers.another_host import another_address
from tests.servers.certificates import Authority, make_authority, self_signed
from tests.servers.hostile_mysql import MODES, WANTED_WORDS, Hostile, hostile_mysql

SECRET = "the password 0815 of the account"
WISHES = [TlsMode.VERIFIED, TlsMode.DISABLED]

Certificate = tuple[Path, Path]


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Another host's address."""
    with another_address() as address:
        yield address


@pytest.fixture(params=["loopback", "another host"])
def host(request: pytest.FixtureRequest) -> str:
    """Where the server listens."""
    if request.param == "loopback":
        return "127.0.0.1"
    address: str = request.getfixturevalue("elsewhere")
    return address


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """What the server made for itself."""
    return self_signed(tmp_path_factory.mktemp("hostile"), "hostile")


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Whom the user trusts."""
    return make_authority(tmp_path, "trusted")


def log_in(
    server: Hostile,
    via: Target,
    tls: TlsMode = TlsMode.VERIFIED,
    prompts: Answers | None = None,
    ca: str = "",
) -> None:
    """Log in and ask something, as the program does."""
    address = MySQLAddress(host=server.host, port=server.port, user="app", tls=tls, tls_ca_file=ca)
    answers = prompts or Answers()
    with connect(
        address, via=via, prompts=answers, token=CancelToken(), password=SECRET
    ) as session:
        session.rows("SELECT 1")


def look_up(
    server: Hostile, via: Target, tls: TlsMode, tls_ca_pem: str = "", certificate: str = ""
) -> LeadlineError:
    """Have the agent look rows up there; returns why it could not."""
    login = ResolvedLogin(
        host=server.host,
        port=server.port,
        user="app",
        password=SECRET,
        tls=tls,
        tls_ca_pem=tls_ca_pem,
        certificate=certificate,
    )
    work = MySQLWork(login, "shop", {"cached": WorkTable("t", "id", "c", 1, 9)})
    with pytest.raises(LeadlineError) as caught:
        list(measure(via, plan_of(select_setting(), seconds=0.5), work))
    return caught.value


@pytest.mark.parametrize("tls", WISHES)
@pytest.mark.parametrize("mode", MODES)
def test_the_program_gives_no_password(
    local: Target, host: str, certificate: Certificate, mode: str, tls: TlsMode
) -> None:
    with hostile_mysql(host, mode, certificate) as server:
        with pytest.raises(LeadlineError) as caught:
            log_in(server, local, tls)
        assert server.connections
    assert not server.knows(SECRET)
    assert not server.knows(WANTED_WORDS)
    assert caught.value.sentence.replace(THIN, " ").isprintable()
    assert SECRET not in f"{caught.value} {caught.value.details}"


@pytest.mark.parametrize("tls", WISHES)
@pytest.mark.parametrize("mode", MODES)
def test_the_agent_gives_no_password(
    local: Target, host: str, certificate: Certificate, mode: str, tls: TlsMode
) -> None:
    with hostile_mysql(host, mode, certificate) as server:
        told = look_up(server, local, tls)
        assert server.connections
    assert not server.knows(SECRET)
    assert not server.knows(WANTED_WORDS)
    assert isinstance(told, MySQLError)
    assert told.sentence.replace(THIN, " ").isprintable()
    assert SECRET not in f"{told} {told.details}"


@pytest.mark.parametrize(
    "mode", ["rsa", "rsa after a switch", "sha256", "sha256 after a switch", "clear", "dialog"]
)
def test_a_client_that_trusts_everybody_is_read(certificate: Certificate, mode: str) -> None:
    """The servers do understand what they hear: otherwise nothing above would mean a thing."""
    with hostile_mysql("127.0.0.1", mode, certificate) as server:
        with pytest.raises(pymysql.MySQLError):
            pymysql.connect(
                host=server.host, port=server.port, user="app", password=SECRET, ssl_disabled=True
            )
        assert server.knows(SECRET)


@pytest.mark.parametrize("mode", ["tls, full", "tls, clear", "tls, sha256"])
def test_who_says_unverified_trusts_everybody(
    local: Target, host: str, certificate: Certificate, mode: str
) -> None:
    for by in ("program", "agent"):
        with hostile_mysql(host, mode, certificate) as server:
            if by == "agent":
                look_up(server, local, TlsMode.UNVERIFIED)
            else:
                with pytest.raises(LeadlineError):
                    log_in(server, local, TlsMode.UNVERIFIED)
            assert server.knows(SECRET), by


@pytest.mark.parametrize("mode", ["rsa", "clear", "sha256", "tls, full"])
def test_what_is_refused_is_said(
    local: Target, elsewhere: str, certificate: Certificate, mode: str
) -> None:
    tls = mode.startswith("tls")
    with hostile_mysql(elsewhere, mode, certificate) as server:
        expected = CertificateRejected if tls else MySQLUnreachable
        with pytest.raises(expected) as caught:
            log_in(server, local)
        assert f"{elsewhere}:{server.port}" in caught.value.sentence
        ways = ["socket", "SSH", "tls=unverified" if tls else "tls=disabled"]
        assert all(way in caught.value.advice for way in ways)
        # Not even a name was told.
        assert not server.knows("app")
        if not tls:
            with pytest.raises(MySQLAccessDenied, match="asks for the password itself"):
                log_in(server, local, TlsMode.DISABLED)


def test_a_certificate_is_asked_about_once_and_then_the_only_one(
    local: Target, elsewhere: str, certificate: Certificate, tmp_path: Path
) -> None:
    prompts = Answers()
    with hostile_mysql(elsewhere, "tls, full", certificate) as server:
        with pytest.raises(CertificateRejected, match="was not accepted"):
            log_in(server, local, prompts=prompts)
        assert not server.knows(SECRET)
        prompts.trust = True
        with pytest.raises(MySQLAccessDenied, match="Access denied"):
            log_in(server, local, prompts=prompts)
        # Who trusts the wrong one is read: that is what the question is about.
        assert server.knows(SECRET)
        name = f"{elsewhere}:{server.port}"
        assert [each for each, _ in prompts.certificates] == [name, name]
        accepted = accepted_certificate(name)
        assert accepted == prompts.certificates[0][1]
        assert len(accepted) == 95
        with pytest.raises(MySQLAccessDenied, match="Access denied"):
            log_in(server, local, prompts=prompts)
        assert len(prompts.certificates) == 2


@pytest.mark.parametrize("change", ["another certificate", "no TLS"])
def test_a_server_that_changes_after_it_was_accepted(
    local: Target, host: str, certificate: Certificate, tmp_path: Path, change: str
) -> None:
    prompts = Answers(trust=True)
    with hostile_mysql(host, "tls, full", certificate) as server:
        with pytest.raises(MySQLAccessDenied, match="Access denied"):
            log_in(server, local, prompts=prompts)
        accepted = accepted_certificate(f"{host}:{server.port}")
        port = server.port
    other = self_signed(tmp_path, "other")
    mode = "rsa" if change == "no TLS" else "tls, full"
    with hostile_mysql(host, mode, other, port) as server:
        with pytest.raises(MySQLUnreachable) as caught:
            log_in(server, local, prompts=prompts)
        words = "offers no TLS" if change == "no TLS" else "has changed"
        assert words in caught.value.sentence
        look_up(server, local, TlsMode.VERIFIED, certificate=accepted)
    assert len(prompts.certificates) == 1
    assert not server.knows(SECRET)
    assert not server.knows("app")


@pytest.mark.parametrize("fault", ["expired", "another host's", "another authority's"])
def test_a_certificate_that_does_not_hold(
    local: Target, elsewhere: str, authority: Authority, tmp_path: Path, fault: str
) -> None:
    signing = make_authority(tmp_path, "stranger") if "authority" in fault else authority
    name = "192.0.2.99" if "host" in fault else elsewhere
    shown = signing.sign("shown", name, expired=fault == "expired")
    prompts = Answers()
    with hostile_mysql(elsewhere, "tls, full", shown) as server:
        with pytest.raises(CertificateRejected, match="can't be trusted"):
            log_in(server, local, prompts=prompts, ca=str(authority.file))
        pem = authority.file.read_text()
        told = look_up(server, local, TlsMode.VERIFIED, tls_ca_pem=pem)
    # Who named an authority is not asked.
    assert prompts.certificates == []
    assert not server.knows(SECRET)
    assert "certificate" in told.sentence


def test_a_certificate_that_holds(
    local: Target, elsewhere: str, authority: Authority, tmp_path: Path
) -> None:
    shown = authority.sign("shown", elsewhere)
    for by in ("program", "agent"):
        with hostile_mysql(elsewhere, "tls, full", shown) as server:
            if by == "program":
                with pytest.raises(MySQLAccessDenied, match="Access denied"):
                    log_in(server, local, ca=str(authority.file))
            else:
                pem = authority.file.read_text()
                look_up(server, local, TlsMode.VERIFIED, tls_ca_pem=pem)
            assert server.knows(SECRET), by
