"""Every way to log in, to a MariaDB and to a MySQL 9.7, from here and through SSH."""

from __future__ import annotations

import pytest

from probes.errors import CertificateRejected, MySQLAccessDenied, MySQLUnreachable
from probes.mysql.connection import MySQLSession
from probes.mysql.transport.known_certificates import accepted_certificate
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.target import Target
from tests.probes.mysql.conftest import Connects
from tests.prompts import Answers
from tests.servers.mariadb import ED25519, NATIVE, MariaDB
from tests.servers.mysql97 import BARE, SHA2, MySQL

PLAIN = TlsMode.DISABLED


def address(server: MariaDB | MySQL, user: str, *, way: str, **more: object) -> MySQLAddress:
    if way == "socket":
        return MySQLAddress(socket=server.socket, user=user, **more)  # type: ignore[arg-type]
    return MySQLAddress(host=server.host, port=server.port, user=user, **more)  # type: ignore[arg-type]


def cipher(session: MySQLSession) -> object:
    """The cipher of the connection as the server sees it; "" without TLS."""
    return session.rows("SHOW SESSION STATUS LIKE 'Ssl_cipher'")[0]["Value"]


@pytest.mark.parametrize("way", ["socket", "tcp"])
@pytest.mark.parametrize("account", [NATIVE, ED25519], ids=["native", "ed25519"])
def test_mariadb(session: Connects, mariadb: MariaDB, account: tuple[str, str], way: str) -> None:
    user, password = account
    with session(address(mariadb, user, way=way), password=password) as connected:
        assert connected.account == f"{user}@%"
        assert connected.login.password == password
        assert password not in repr(connected.login)
        assert bool(cipher(connected)) is connected.encrypted is (way == "tcp")


@pytest.mark.parametrize(
    ("way", "tls"), [("socket", TlsMode.VERIFIED), ("tcp", TlsMode.UNVERIFIED)]
)
def test_mysql_by_caching_sha2(session: Connects, mysql97: MySQL, way: str, tls: TlsMode) -> None:
    user, password = SHA2
    # Without this the server remembers the account and skips what is tested here.
    mysql97.sql("FLUSH PRIVILEGES")
    with session(address(mysql97, user, way=way, tls=tls), password=password) as connected:
        assert connected.account == f"{user}@%"
        assert bool(cipher(connected)) is (tls is TlsMode.UNVERIFIED)
    # And once more, when it does.
    with session(address(mysql97, user, way=way, tls=tls), password=password) as connected:
        assert connected.version.at_least(connected.version.flavour, 9, 7)


def test_caching_sha2_without_tls(session: Connects, target: Target, mysql97: MySQL) -> None:
    user, password = SHA2
    there = address(mysql97, user, way="tcp", tls=PLAIN)
    mysql97.sql("FLUSH PRIVILEGES")
    if target.is_local:
        # The server's own key would come from anybody who listens on that port.
        with pytest.raises(MySQLAccessDenied, match="asks for the password itself"):
            session(there, password=password).__enter__()
        with session(address(mysql97, user, way="socket"), password=password):
            pass
    with session(there, password=password) as connected:
        assert not cipher(connected)


def test_caching_sha2_on_loopback(session: Connects, target: Target, mysql97: MySQL) -> None:
    user, password = SHA2
    there = address(mysql97, user, way="tcp")
    for trusting in (False, True, False):
        mysql97.sql("FLUSH PRIVILEGES")
        prompts = Answers(trust=trusting)
        known = accepted_certificate(f"127.0.0.1:{mysql97.port}")
        if target.is_local and not trusting and not known:
            with pytest.raises(CertificateRejected, match=f"127.0.0.1:{mysql97.port}"):
                session(there, password=password, prompts=prompts).__enter__()
        else:
            with session(there, password=password, prompts=prompts) as connected:
                assert cipher(connected)
        assert len(prompts.certificates) == (target.is_local and not known)


def test_the_system_s_user_is_let_in_by_its_socket(session: Connects, mariadb: MariaDB) -> None:
    prompts = Answers()
    with session(MySQLAddress(socket=mariadb.socket), prompts=prompts) as connected:
        assert connected.account == f"{mariadb.system_user}@localhost"
        assert connected.login.user == mariadb.system_user
    assert prompts.asked == []


@pytest.mark.parametrize("mode", [TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY])
@pytest.mark.parametrize("kind", ["mariadb", "mysql97"])
def test_verified_tls(
    request: pytest.FixtureRequest, session: Connects, kind: str, mode: TlsMode
) -> None:
    server = request.getfixturevalue(kind)
    user, password = NATIVE if kind == "mariadb" else BARE
    ours, strangers = (str(server.certificates.authority), str(server.certificates.stranger))
    good = address(server, user, way="tcp", tls=mode, tls_ca_file=ours)
    with session(good, password=password) as connected:
        assert cipher(connected)
        assert "BEGIN CERTIFICATE" in connected.login.tls_ca_pem
    bad = address(server, user, way="tcp", tls=mode, tls_ca_file=strangers)
    with (
        pytest.raises(CertificateRejected, match="certificate") as caught,
        session(bad, password=password),
    ):
        pass
    assert caught.value.advice


def test_a_certificate_for_another_name(session: Connects, mariadb: MariaDB) -> None:
    there = {"host": "localhost", "port": mariadb.port, "user": NATIVE[0]}
    ca = str(mariadb.certificates.authority)
    right = MySQLAddress(**there, tls=TlsMode.VERIFY_CA, tls_ca_file=ca)  # type: ignore[arg-type]
    with session(right, password=NATIVE[1]) as connected:
        assert cipher(connected)
    wrong = MySQLAddress(**there, tls=TlsMode.VERIFY_IDENTITY, tls_ca_file=ca)  # type: ignore[arg-type]
    with pytest.raises(MySQLUnreachable, match="localhost"), session(wrong, password=NATIVE[1]):
        pass


def test_tls_off(session: Connects, mariadb: MariaDB) -> None:
    place = address(mariadb, NATIVE[0], way="tcp", tls=PLAIN)
    with session(place, password=NATIVE[1]) as connected:
        assert not cipher(connected)
        assert not connected.encrypted


def test_a_wrong_password(session: Connects, mariadb: MariaDB, mysql97: MySQL) -> None:
    for server, user in ((mariadb, NATIVE[0]), (mariadb, ED25519[0]), (mysql97, SHA2[0])):
        place = address(server, user, way="tcp", tls=TlsMode.UNVERIFIED)
        with pytest.raises(MySQLAccessDenied) as caught, session(place, password="hunter2"):
            pass
        assert user in caught.value.sentence
        assert caught.value.advice
        assert "hunter2" not in f"{caught.value} {caught.value.details}"


def test_nothing_listens(session: Connects, mariadb: MariaDB) -> None:
    nowhere = f"{mariadb.directory}/no such.sock"
    with pytest.raises(MySQLUnreachable) as caught, session(MySQLAddress(socket=nowhere)):
        pass
    assert nowhere in caught.value.sentence
    closed = MySQLAddress(host="127.0.0.1", port=1, user="x")
    with pytest.raises(MySQLUnreachable, match=r"127\.0\.0\.1:1"), session(closed, password="x"):
        pass
