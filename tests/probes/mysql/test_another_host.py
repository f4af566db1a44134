"""A real MariaDB at another host's address: verified, accepted by its fingerprint, or refused."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.cancel import CancelToken
from probes.errors import CertificateRejected, MySQLUnreachable
from probes.events import PointDone
from probes.mysql.connection import MySQLSession, connect
from probes.mysql.transport.known_certificates import place
from probes.targets.address import MySQLAddress, TargetSpec, TlsMode
from probes.targets.connect import open_target
from probes.targets.local import LocalTarget
from probes.targets.target import Target
from tests.probes.engines.conftest import work_on
from tests.probes.engines.lines import plan_of, select_setting
from tests.probes.engines.measuring import measure
from tests.prompts import Answers
from tests.servers.another_host import another_address
from tests.servers.mariadb import BOSS, ED25519, NATIVE, MariaDB, private_mariadb


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[MariaDB]:
    """A server with a certificate of an authority that no system knows."""
    with another_address() as host, private_mariadb(host=host) as server:
        yield server


@pytest.fixture(scope="module")
def bare() -> Iterator[MariaDB]:
    """A server without TLS."""
    with another_address() as host, private_mariadb(host=host, tls=False) as server:
        yield server


@contextmanager
def session(
    server: MariaDB,
    via: Target,
    prompts: Answers | None = None,
    account: tuple[str, str] = NATIVE,
    **more: object,
) -> Iterator[MySQLSession]:
    address = MySQLAddress(host=server.host, port=server.port, user=account[0], **more)  # type: ignore[arg-type]
    with connect(
        address, via=via, prompts=prompts or Answers(), token=CancelToken(), password=account[1]
    ) as connected:
        yield connected


def shown(server: MariaDB) -> str:
    """The fingerprint as openssl would show it."""
    der = ssl.PEM_cert_to_DER_cert(server.certificates.server.read_text())
    digits = hashlib.sha256(der).hexdigest().upper()
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def test_its_authority_is_named(local: Target, elsewhere: MariaDB) -> None:
    with session(elsewhere, local, tls_ca_file=str(elsewhere.certificates.authority)) as connected:
        assert connected.encrypted
        assert connected.protection == "TLS, verified"


def test_its_authority_stands_in_an_option_file(
    local: Target, elsewhere: MariaDB, home: Path
) -> None:
    (home / ".my.cnf").write_text(f"[client]\nssl-ca={elsewhere.certificates.authority}\n")
    with session(elsewhere, local) as connected:
        assert connected.protection == "TLS, verified"


def test_option_files_do_not_lower_the_guard(local: Target, elsewhere: MariaDB, home: Path) -> None:
    for line in ("skip-ssl", "ssl-mode=DISABLED", "ssl-mode=PREFERRED", "ssl-mode=REQUIRED"):
        (home / ".my.cnf").write_text(f"[client]\n{line}\n")
        with pytest.raises(CertificateRejected):
            session(elsewhere, local).__enter__()


def test_nobody_accepts_its_certificate(local: Target, elsewhere: MariaDB) -> None:
    prompts = Answers()
    with pytest.raises(CertificateRejected) as caught:
        session(elsewhere, local, prompts).__enter__()
    assert prompts.certificates == [(f"{elsewhere.host}:{elsewhere.port}", shown(elsewhere))]
    assert shown(elsewhere) in caught.value.sentence
    assert "ca=FILE" in caught.value.advice
    assert not place().exists()


@pytest.mark.parametrize("account", [NATIVE, ED25519], ids=["native", "ed25519"])
def test_its_certificate_is_accepted_once(
    local: Target, elsewhere: MariaDB, account: tuple[str, str]
) -> None:
    prompts = Answers(trust=True)
    for _ in range(2):
        with session(elsewhere, local, prompts, account) as connected:
            assert connected.protection == "TLS, certificate accepted by its fingerprint"
            with connected.writer(CancelToken()) as writer:
                assert writer.encrypted
    assert len(prompts.certificates) == 1
    assert place().stat().st_mode & 0o777 == 0o600


def test_a_password_that_is_asked_for_comes_after_the_certificate(
    local: Target, elsewhere: MariaDB
) -> None:
    prompts = Answers("wrong", NATIVE[1], trust=True)
    address = MySQLAddress(host=elsewhere.host, port=elsewhere.port, user=NATIVE[0])
    with connect(address, via=local, prompts=prompts, token=CancelToken()) as connected:
        assert connected.encrypted
    assert len(prompts.certificates) == 1
    assert len(prompts.asked) == 2


def test_any_certificate_is_taken_where_that_was_said(local: Target, elsewhere: MariaDB) -> None:
    with session(elsewhere, local, tls=TlsMode.UNVERIFIED) as connected:
        assert connected.protection == "TLS, not verified"


def test_a_server_without_tls(local: Target, bare: MariaDB) -> None:
    with pytest.raises(MySQLUnreachable, match="offers no TLS") as caught:
        session(bare, local).__enter__()
    assert all(way in caught.value.advice for way in ("socket", "SSH", "tls=disabled"))
    with pytest.raises(MySQLUnreachable, match="offers no TLS"):
        session(bare, local, tls=TlsMode.UNVERIFIED).__enter__()
    # Its accounts prove their passwords, which is safe from eyes, though not from hands.
    for account in (NATIVE, ED25519):
        with session(bare, local, account=account, tls=TlsMode.DISABLED) as connected:
            assert connected.protection == "no TLS"


def test_the_agent_goes_the_same_way(local: Target, elsewhere: MariaDB, bare: MariaDB) -> None:
    prompts = Answers(trust=True)
    trials: tuple[tuple[MariaDB, dict[str, Any]], ...] = (
        (elsewhere, {}),
        (elsewhere, {"tls_ca_file": str(elsewhere.certificates.authority)}),
        (elsewhere, {"tls": TlsMode.UNVERIFIED}),
        (bare, {"tls": TlsMode.DISABLED}),
    )
    for server, wish in trials:
        work = work_on(server)
        try:
            with session(server, local, prompts, BOSS, **wish) as connected:
                there = replace(work, login=connected.login)
                events = list(measure(local, plan_of(select_setting(), seconds=0.6), there))
        finally:
            server.sql("DROP DATABASE leadline_engine")
        [point] = [event.point for event in events if isinstance(event, PointDone)]
        assert point.operations > 0
    assert len(prompts.certificates) == 1


def test_behind_ssh_the_way_from_there_counts(
    ssh_spec: TargetSpec, elsewhere: MariaDB, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_target(ssh_spec, Answers(), CancelToken()) as target:
        prompts = Answers()
        with pytest.raises(CertificateRejected):
            session(elsewhere, target, prompts).__enter__()
        assert prompts.certificates[0][0] == f"{elsewhere.host}:{elsewhere.port} on {target.name}"
        with session(mariadb, target) as connected:
            assert connected.protection == "loopback over SSH, TLS, not verified"
            assert connected.login.private


def test_what_is_accepted_here_is_not_accepted_there(
    ssh_spec: TargetSpec, elsewhere: MariaDB
) -> None:
    prompts = Answers(trust=True)
    with closing(LocalTarget()) as local, session(elsewhere, local, prompts):
        pass
    prompts.trust = False
    with (
        open_target(ssh_spec, Answers(), CancelToken()) as target,
        pytest.raises(CertificateRejected),
    ):
        session(elsewhere, target, prompts).__enter__()
