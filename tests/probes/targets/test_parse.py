"""Addresses as they are typed, and those that are refused."""

from __future__ import annotations

import pytest

from probes.errors import UsageError
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TlsMode
from probes.targets.parse import parse_mysql, parse_target


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ssh://db7", SshAddress("db7")),
        ("ssh://Root@DB7.example:2222", SshAddress("DB7.example", 2222, "Root")),
        ("ssh://root@[2001:db8::7]:2222", SshAddress("2001:db8::7", 2222, "root")),
        ("ssh://[::1]", SshAddress("::1")),
        ("ssh://a%40b@db7/", SshAddress("db7", None, "a@b")),
    ],
)
def test_ssh(text: str, address: SshAddress) -> None:
    spec = parse_target(text)
    assert (spec.kind, spec.name, spec.ssh, spec.mysql) == (TargetKind.SSH, text, address, None)


def test_this_computer() -> None:
    spec = parse_target("local")
    assert (spec.kind, spec.name) == (TargetKind.LOCAL, "local")


def test_a_server_alone() -> None:
    spec = parse_target("mysql://app@db.example:3307")
    assert spec.kind is TargetKind.MYSQL
    assert spec.mysql == MySQLAddress(host="db.example", port=3307, user="app")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("mysql://app@[::1]", MySQLAddress(host="::1", user="app")),
        ("socket=/srv/my data/s.sock", MySQLAddress(socket="/srv/my data/s.sock")),
        ("socket=/a,,b , user = röot", MySQLAddress(socket="/a,b", user="röot")),
        ("defaults_file=~/of=ten.cnf", MySQLAddress(defaults_file="~/of=ten.cnf")),
        (
            "HOST=db,port=3307,user=app,tls=verify-ca,ca=/etc/ca.pem",
            MySQLAddress(
                host="db", port=3307, user="app", tls=TlsMode.VERIFY_CA, tls_ca_file="/etc/ca.pem"
            ),
        ),
    ],
)
def test_mysql(text: str, address: MySQLAddress) -> None:
    assert parse_mysql(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "db7",
        "http://db7",
        "ssh://",
        "ssh://u@",
        "ssh://h:0",
        "ssh://h:65536",
        "ssh://h:x",
        "ssh://[::1",
        "ssh://h/srv",
        "mysql://h/db",
        "mysql://h?tls=required",
        "mysql:/tmp/s.sock",
    ],
)
def test_what_is_no_target(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_target(text)
    assert caught.value.advice


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh://h",
        "socket",
        "port=0",
        "port=x",
        "port=٣٣",
        "tls=maybe",
        "colour=red",
        "user=a,user=b",
        "host=h,socket=/s",
        "host=h,,port=1,",
    ],
)
def test_what_is_no_server(text: str) -> None:
    with pytest.raises(UsageError):
        parse_mysql(text)


@pytest.mark.parametrize(
    "text",
    ["ssh://u:hunter2@h", "mysql://u:hunter2@h", "https://u:hunter2@h", "ssh://u:hunter2@[::1"],
)
def test_a_password_is_refused_and_never_repeated(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_target(text)
    error = caught.value
    assert "hunter2" not in f"{error} {error.details}"


@pytest.mark.parametrize("text", ["mysql://u:hunter2@h", "user=u,password=hunter2", "PWD=hunter2"])
def test_a_server_s_password_is_refused_and_never_repeated(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_mysql(text)
    assert "password" in caught.value.sentence
    assert "hunter2" not in f"{caught.value} {caught.value.details}"
