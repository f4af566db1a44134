"""The form of a target: what it makes, what it keeps, and which field is faulty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.fields.target import TargetForm, form_of
from app.fields.target_field import SOCKET
from probes.errors import UsageError
from probes.targets.address import MySQLAddress, SshAddress, StatedMachine, TargetKind


def test_a_form_makes_the_target_and_the_target_the_form() -> None:
    form = TargetForm(
        kind=TargetKind.SSH,
        name="prod",
        ssh_host="db7",
        ssh_port="2222",
        ssh_user="root",
        with_mysql=True,
        way=SOCKET,
        mysql_socket="/run/mysqld/mysqld.sock",
        directory="/var/tmp",
        sudo=True,
    )
    spec = form.spec()
    assert spec.ssh == SshAddress("db7", 2222, "root")
    assert spec.sudo
    assert spec.mysql == MySQLAddress(socket="/run/mysqld/mysqld.sock")
    assert form_of(spec).spec() == spec


def test_a_form_keeps_what_was_said_of_a_machine_that_cannot_be_asked() -> None:
    form = TargetForm(
        kind=TargetKind.MYSQL,
        mysql_host="db.example",
        memory="64G",
        machine_class="db.x9.large",
        volume_iops="3,000",
        volume_throughput="97.65625M",
    )
    spec = form.spec()
    assert spec.told == StatedMachine(64 << 30, "db.x9.large", 3000, 102_400_000)
    assert form_of(spec).spec() == spec
    # A machine behind SSH is asked itself.
    over_ssh = replace(form, kind=TargetKind.SSH, ssh_host="db7", name="db7")
    assert over_ssh.spec().told is None
    with pytest.raises(UsageError, match="does not know the class"):
        replace(form, memory="").spec()


def test_a_name_is_taken_from_the_address() -> None:
    alone = TargetForm(kind=TargetKind.MYSQL, mysql_host="db.example", mysql_user="app")
    assert alone.spec().name == "db.example"
    assert alone.spec().mysql == MySQLAddress("db.example", user="app")


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        (TargetForm(), "SSH host is missing"),
        (TargetForm(ssh_host="a", ssh_port="x"), "x is no SSH port"),
        (TargetForm(ssh_host="ssh://root:secret@a"), "holds a password"),
        (TargetForm(ssh_host="root:secret@a"), "holds a password"),
        (TargetForm(ssh_host="root@a;id"), "holds the character ;"),
        (TargetForm(ssh_host="$(id)@a"), "holds the character"),
        (TargetForm(ssh_host="mysql://a"), "is no address over SSH"),
        (TargetForm(ssh_host="root@"), "."),
        (TargetForm(ssh_host="a", ssh_port="70000"), "70000 is no SSH port"),
        (TargetForm(ssh_host="a", name="local"), "always means this computer"),
        (TargetForm(ssh_host="a", name="12"), "would be taken for a run's number"),
        (TargetForm(ssh_host="a", name="db.leadline"), "or a case file"),
        (TargetForm(ssh_host="a", name="db\x1b[2J"), "can't be a target's name"),
        (TargetForm(ssh_host="a", name="db7"), "a target called db7 already"),
        (TargetForm(kind=TargetKind.MYSQL), "MySQL host is missing"),
        (TargetForm(kind=TargetKind.LOCAL, way=SOCKET), "socket is missing"),
    ],
)
def test_a_faulty_form_says_which_field(form: TargetForm, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        form.spec(["db7"])


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("root@db7", SshAddress("db7", None, "root")),
        (" admin@192.0.2.7 ", SshAddress("192.0.2.7", None, "admin")),
        ("ssh://root@db7:2222", SshAddress("db7", 2222, "root")),
        ("ssh://db7", SshAddress("db7")),
        ("db7:2200", SshAddress("db7", 2200)),
        ("me@corp.example@db7", SshAddress("db7", None, "me@corp.example")),
        ("ops@[2001:db8::7]:2022", SshAddress("2001:db8::7", 2022, "ops")),
        ("2001:db8::7", SshAddress("2001:db8::7")),
        ("db7", SshAddress("db7")),
    ],
)
def test_an_address_that_is_typed_whole_is_taken_apart(typed: str, address: SshAddress) -> None:
    spec = TargetForm(ssh_host=typed).spec()
    assert spec.ssh == address
    assert spec.name == address.host


def test_what_was_typed_beside_an_address_stays() -> None:
    form = TargetForm(ssh_host="db7:2222", ssh_user="root", ssh_port="22")
    assert form.spec().ssh == SshAddress("db7", 2222, "root")
    form = TargetForm(ssh_host="root@db7", ssh_port="2200")
    assert form.spec().ssh == SshAddress("db7", 2200, "root")


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("app@db.example", MySQLAddress("db.example", user="app")),
        ("mysql://app@db.example:3307", MySQLAddress("db.example", 3307, user="app")),
        ("db.example:3310", MySQLAddress("db.example", 3310)),
        ("db.example", MySQLAddress("db.example", 3399)),
    ],
)
def test_the_address_of_a_mysql_server_is_taken_apart(typed: str, address: MySQLAddress) -> None:
    port = "3399" if address.port == 3399 else "3306"
    form = TargetForm(kind=TargetKind.MYSQL, mysql_host=typed, mysql_port=port)
    assert form.spec().mysql == address
