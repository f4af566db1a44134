"""The form of a target: what it makes, what it keeps, and which field is faulty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.presenters.target_form import TargetForm, form_of
from probes.errors import UsageError
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, ToldMachine


def test_a_form_makes_the_target_and_the_target_the_form() -> None:
    form = TargetForm(
        kind=TargetKind.SSH,
        name="prod",
        ssh_host="db7",
        ssh_port="2222",
        ssh_user="root",
        with_mysql=True,
        by_socket=True,
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
    assert spec.told == ToldMachine(64 << 30, "db.x9.large", 3000, 102_400_000)
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
        (TargetForm(ssh_host="a", ssh_port="70000"), "70000 is no SSH port"),
        (TargetForm(ssh_host="a", name="local"), "always means this computer"),
        (TargetForm(ssh_host="a", name="12"), "would be taken for a run's number"),
        (TargetForm(ssh_host="a", name="db.leadline"), "or a case file"),
        (TargetForm(ssh_host="a", name="db\x1b[2J"), "can't be a target's name"),
        (TargetForm(ssh_host="a", name="db7"), "a target called db7 already"),
        (TargetForm(kind=TargetKind.MYSQL), "MySQL host is missing"),
        (TargetForm(kind=TargetKind.LOCAL, by_socket=True), "socket is missing"),
    ],
)
def test_a_faulty_form_says_which_field(form: TargetForm, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        form.spec(["db7"])
