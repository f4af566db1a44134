"""Addresses as they are typed, and those that are refused."""

from __future__ import annotations

import shlex
from typing import cast

import pytest

from app.cli.commands.check import check
from probes.errors import UsageError
from probes.targets.address import (
    ContainerAddress,
    ContainerEngine,
    MySQLAddress,
    SshAddress,
    TargetKind,
    TlsMode,
)
from probes.targets.allowed_characters import check_ssh
from probes.targets.parse import container_text, naming_socket, parse_mysql, parse_target


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ssh://db7", SshAddress("db7")),
        ("ssh://Root@DB7.example:2222", SshAddress("DB7.example", 2222, "Root")),
        ("ssh://root@[2001:db8::7]:2222", SshAddress("2001:db8::7", 2222, "root")),
        ("ssh://[::1]", SshAddress("::1")),
        ("ssh://a%40b@db7/", SshAddress("db7", None, "a@b")),
        ("ssh://CORP+me@db_7-log.example", SshAddress("db_7-log.example", None, "CORP+me")),
        ("ssh://me%23corp%25x@bücher", SshAddress("bücher", None, "me#corp%x")),
        ("ssh://[fe80::1%eth0]", SshAddress("fe80::1%eth0")),
        ("ssh://[fe80::1%25eth0]:22", SshAddress("fe80::1%eth0", 22)),
    ],
)
def test_ssh(text: str, address: SshAddress) -> None:
    spec = parse_target(text)
    assert (spec.kind, spec.name, spec.ssh, spec.mysql) == (TargetKind.SSH, text, address, None)


@pytest.mark.parametrize(
    ("text", "address", "ssh"),
    [
        ("docker://My_db.1", ContainerAddress(ContainerEngine.DOCKER, "My_db.1"), None),
        (
            "podman+ssh://root@db7:2222/db",
            ContainerAddress(ContainerEngine.PODMAN, "db"),
            SshAddress("db7", 2222, "root"),
        ),
        ("kubectl://prod/db-0", ContainerAddress(ContainerEngine.KUBECTL, "db-0", "prod"), None),
        (
            "kubectl+ssh://jump/prod/db-0/mysql",
            ContainerAddress(ContainerEngine.KUBECTL, "db-0", "prod", "mysql"),
            SshAddress("jump"),
        ),
    ],
)
def test_a_container(text: str, address: ContainerAddress, ssh: SshAddress | None) -> None:
    spec = parse_target(text)
    assert (spec.kind, spec.container, spec.ssh) == (TargetKind.CONTAINER, address, ssh)
    assert container_text(spec) == text


@pytest.mark.parametrize(
    "text",
    [
        *("podman://", "podman://a/b", "podman://-db", "podman://u@db", "podman://db:3306"),
        *("docker://a b", "docker://db?x=1", "docker+ssh://db7", "docker+ssh:///db", "oci://db"),
        *("kubectl://prod", "kubectl://prod/db/mysql/x", "kubectl:///db", "kubectl://prod/$(x)"),
    ],
)
def test_no_container(text: str) -> None:
    with pytest.raises(UsageError):
        parse_target(text)


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
        ("mysql://o'brien%20%26%20co%3b@db", MySQLAddress(host="db", user="o'brien & co;")),
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
        "port=" + "9" * 5000,
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


def characters_refused(where: str, allowed: str) -> list[str]:
    """The visible ASCII characters that are wrongly refused, or wrongly taken."""
    wrong = []
    for character in map(chr, range(33, 127)):
        address = SshAddress("db7", None, f"a{character}b")
        if where == "host":
            address = SshAddress(f"a{character}b")
        try:
            check_ssh(address)
            is_refused = False
        except UsageError:
            is_refused = True
        if is_refused is (character.isalnum() or character in allowed):
            wrong.append(character)
    return wrong


def test_which_characters_may_stand_where() -> None:
    assert characters_refused("host", "-._:%+=^") == []
    assert characters_refused("user", "-._:%+=^@,/#~") == []


@pytest.mark.parametrize(
    "character", ["\0", "\t", "\n", "\r", "\x1b", " ", "\xa0", "\u2028", "\u202e"]
)
def test_what_cannot_be_seen_is_refused_everywhere(character: str) -> None:
    for address in (SshAddress(f"a{character}b"), SshAddress("db7", None, f"a{character}")):
        with pytest.raises(UsageError, match="so it is refused") as caught:
            check_ssh(address)
        assert character == " " or character not in caught.value.sentence


@pytest.mark.parametrize("path", ["/run/mysqld/mysqld.sock", "/srv/my db's, new/s.sock"])
def test_an_option_that_names_a_socket_is_one_that_there_is(path: str) -> None:
    option, address = shlex.split(naming_socket(path))
    assert option in [name for each in check.params for name in each.opts]
    assert parse_mysql(address).socket == path


@pytest.mark.parametrize("front", ["-", "#", "~"])
def test_what_may_not_stand_in_front(front: str) -> None:
    with pytest.raises(UsageError, match=f"begins with {front}|holds the character {front}"):
        check_ssh(SshAddress("db7", None, f"{front}root"))
    with pytest.raises(UsageError):
        check_ssh(SshAddress(f"{front}db7"))


def test_an_account_of_a_domain_is_told_where_its_backslash_may_stand() -> None:
    with pytest.raises(UsageError, match="so it is refused") as caught:
        parse_target("ssh://CORP%5Cme@db7")
    assert "~/.ssh/config" in caught.value.advice


@pytest.mark.parametrize(
    "address",
    [
        SshAddress("db7", cast("int", "22\nProxyCommand x")),
        SshAddress("db7", 0),
        SshAddress(cast("str", None)),
        SshAddress("db7", None, cast("str", ["x"])),
        SshAddress("db7", identity_file="a\0b"),
    ],
)
def test_what_a_store_may_hold_that_somebody_else_wrote(address: SshAddress) -> None:
    with pytest.raises(UsageError):
        check_ssh(address)
