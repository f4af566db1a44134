"""Addresses as people and other tools write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from probes.errors import UsageError
from probes.mysql.any_address import any_address
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TlsMode

SSH = [
    ("root@db7", SshAddress("db7", None, "root")),
    ("  db7:2222 ", SshAddress("db7", 2222)),
    ("db7.example", SshAddress("db7.example")),
    ("ssh://root@db7:2222", SshAddress("db7", 2222, "root")),
    ("2001:db8::7", SshAddress("2001:db8::7")),
    ("ops@[2001:db8::7]:2022", SshAddress("2001:db8::7", 2022, "ops")),
    ("me@corp.example@db7", SshAddress("db7", None, "me@corp.example")),
    ("ssh -p 2222 -i ~/.ssh/db root@db7", SshAddress("db7", 2222, "root", "~/.ssh/db")),
    ("ssh -l root -o StrictHostKeyChecking=no db7 uptime", SshAddress("db7", None, "root")),
]

ALONE = [
    ("mysql://app@db7:3307", MySQLAddress("db7", 3307, user="app")),
    ("mysql://app@db7/shop?charset=utf8mb4", MySQLAddress("db7", user="app")),
    ("jdbc:mysql://db7:3307/shop?user=app&useSSL=false", MySQLAddress("db7", 3307, user="app")),
    ("jdbc:mariadb:replication://db7:3307,db8/shop", MySQLAddress("db7", 3307)),
    ("mysql+pymysql://app@db7/shop", MySQLAddress("db7", user="app")),
    ("mariadb+mariadbconnector://app@[::2]:3310/shop", MySQLAddress("::2", 3310, user="app")),
    ("mysql2://app%40corp@db7/shop", MySQLAddress("db7", user="app@corp")),
    ("app@tcp(db7:3307)/shop?parseTime=true", MySQLAddress("db7", 3307, user="app")),
    ("mysql:host=db7;port=3307;dbname=shop", MySQLAddress("db7", 3307)),
    ("Server=db7;Port=3307;Database=shop;Uid=app;", MySQLAddress("db7", 3307, user="app")),
    ("mysql -h db7 -u app -P3307 shop", MySQLAddress("db7", 3307, user="app")),
    ("mariadb --host=db7 --user app -p shop", MySQLAddress("db7", user="app")),
    ("/usr/bin/mysql -h db7 -uapp -e 'SELECT 1'", MySQLAddress("db7", user="app")),
    (
        "[client]\nhost = db7\nuser=app\nssl-mode=VERIFY_CA\nssl-ca=/etc/ca.pem\n",
        MySQLAddress("db7", user="app", tls=TlsMode.VERIFY_CA, tls_ca_file="/etc/ca.pem"),
    ),
]

HERE = [
    ("mysql://root@localhost/shop", MySQLAddress(user="root")),
    ("jdbc:mysql://127.0.0.1:3307/shop", MySQLAddress("127.0.0.1", 3307)),
    (
        "mysql+pymysql://app@/shop?unix_socket=/run/mysqld/mysqld.sock",
        MySQLAddress(socket="/run/mysqld/mysqld.sock", user="app"),
    ),
    ("app@unix(/run/m.sock)/shop", MySQLAddress(socket="/run/m.sock", user="app")),
    ("/run/mysqld/mysqld.sock", MySQLAddress(socket="/run/mysqld/mysqld.sock")),
    ("mysql -u root -S /run/m.sock", MySQLAddress(socket="/run/m.sock", user="root")),
    ("mysql -uroot", MySQLAddress(user="root")),
    ("[mysqld]\nsocket=/run/m.sock\ndatadir=/srv", MySQLAddress(socket="/run/m.sock")),
]

SECRETS = [
    "root:hunter2@db7",
    "ssh://root:hunter2@db7",
    "mysql://app:hunter2@db7/shop",
    "mysql://app:hun/ter2@db7/shop",
    "jdbc:mysql://db7/shop?user=app&password=hunter2",
    "mysql+ssh://root:hunter2@db7/app:hunter2@127.0.0.1/shop",
    "app:hunter2@tcp(db7)/shop",
    "Server=db7;Uid=app;Pwd=hunter2",
    "mysql -h db7 -u app -phunter2",
    "mysql -h db7 --password=hunter2",
    "[client]\nhost=db7\npassword=hunter2\n",
]


@pytest.mark.parametrize(("text", "ssh"), SSH)
def test_a_machine_behind_ssh(text: str, ssh: SshAddress) -> None:
    found = any_address(text).target
    assert (found.kind, found.ssh, found.mysql) == (TargetKind.SSH, ssh, None)


@pytest.mark.parametrize(("text", "mysql"), ALONE)
def test_a_server_alone(text: str, mysql: MySQLAddress) -> None:
    found = any_address(text)
    assert (found.target.kind, found.target.mysql) == (TargetKind.MYSQL, mysql)
    assert found.target.name.startswith("mysql://")
    assert not found.password


@pytest.mark.parametrize(("text", "mysql"), HERE)
def test_a_server_of_this_computer(text: str, mysql: MySQLAddress) -> None:
    found = any_address(text).target
    assert (found.kind, found.mysql) == (TargetKind.LOCAL, mysql)


def test_a_server_behind_ssh_in_one_address() -> None:
    found = any_address("mysql+ssh://root@db7:2222/app@127.0.0.1:3307/shop?name=Shop").target
    assert found.ssh == SshAddress("db7", 2222, "root")
    assert found.mysql == MySQLAddress("127.0.0.1", 3307, user="app")


@pytest.mark.parametrize("text", SECRETS)
def test_a_password_is_noticed_and_kept_nowhere(text: str) -> None:
    found = any_address(text)
    assert found.password
    assert "ter2" not in repr(found) + found.text


def test_an_option_file_is_named_so_that_its_password_is_found(tmp_path: Path) -> None:
    file = tmp_path / "shop.cnf"
    file.write_text("[client]\nhost=db7\nuser=app\npassword=hunter2\n")
    for text in (str(file), f"mysql --defaults-file={file}"):
        found = any_address(text)
        wanted = MySQLAddress("db7", user="app", defaults_file=str(file))
        assert (found.target.kind, found.target.mysql) == (TargetKind.MYSQL, wanted)
        assert not found.password


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "address is missing"),
        ("https://db7/shop", "https:// is no address of a MySQL server"),
        ("postgresql://app@db7/shop", "is no address of a MySQL server"),
        ("mysql://app@db7:70000/shop", "is not a valid port"),
        ("root@db7;id", "holds the character ;"),
        ("$(id)@db7", "holds the character"),
        ("mysql -h 'db7", "quotes are not closed"),
        ("ssh -p 22", "No host stands"),
        ("/nowhere/my.cnf", "can't be read"),
        ("jdbc:mysql://`id`/shop", "holds the character"),
        ("root@", "names no host"),
        ("two words", "a space"),
    ],
)
def test_what_is_no_address_is_refused_with_a_sentence(text: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        any_address(text)
