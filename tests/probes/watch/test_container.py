"""A server in a container, watched from its machine; and Leadline in a container of its own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory, Role
from probes.inventory.read import read
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.watch.words import FileRole, Operation, Source
from tests.probes.watch.test_server_series import missing
from tests.servers.containers.container import INSIDE, NAME, contained_mariadb
from tests.servers.mariadb import BOSS, MariaDB
from tests.tracing import INSTANCES

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes name spaces")


@pytest.fixture(scope="module")
def contained() -> Iterator[MariaDB]:
    with contained_mariadb() as server:
        yield server


def watched(server: MariaDB, *, trace: bool) -> Inventory:
    """The inventory of a server that is asked over the network, and commits at each step."""
    user, password = BOSS
    address = MySQLAddress(user=user, host="127.0.0.1", port=server.port)
    target = LocalTarget()
    with connect(
        address, via=target, prompts=Silent(), token=CancelToken(), password=password
    ) as session:
        asking = ask(target, session, directory="", window_s=2.0, trace=trace, token=CancelToken())
        while True:
            try:
                next(asking)
            except StopIteration as end:
                return read(end.value)
            server.sql("INSERT INTO shop.contained VALUES (1)")


@pytest.fixture(scope="module")
def seen(contained: MariaDB, mariadb: MariaDB) -> Inventory:
    """Another server runs on the machine, not in a container."""
    contained.sql("CREATE DATABASE shop")
    contained.sql("CREATE TABLE shop.contained (id INT) ENGINE=InnoDB")
    return watched(contained, trace=True)


def test_its_process_is_found_among_several_and_watched(
    seen: Inventory, contained: MariaDB
) -> None:
    assert not list((contained.directory / INSIDE).iterdir())
    process = seen.server_process
    assert process is not None
    assert process.hostname == NAME
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    (numbers,) = [line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:")]
    assert numbers == [str(process.pid), "1"]
    assert seen.watched is not None
    assert seen.watched.machine is not None
    assert seen.watched.machine.server_cpu is not None


def test_its_data_lies_on_the_disk_that_its_mount_leads_to(
    seen: Inventory, mariadb: MariaDB
) -> None:
    """The data of the other server lies beside it."""
    beside = ask_about(mariadb)
    assert beside.watched is not None
    assert seen.watched is not None
    devices = [
        None if each.machine is None else each.machine.device("data")
        for each in (seen.watched, beside.watched)
    ]
    names = [each and each.name for each in devices]
    assert names[0] == names[1]


def ask_about(server: MariaDB) -> Inventory:
    address = MySQLAddress(user="root", socket=server.socket)
    target = LocalTarget()
    with connect(
        address, via=target, prompts=Silent(), token=CancelToken(), password=""
    ) as session:
        asking = ask(target, session, directory="", window_s=0.3, token=CancelToken())
        while True:
            try:
                next(asking)
            except StopIteration as end:
                return read(end.value)


def test_where_its_directories_lie_on_the_machine_is_not_guessed(seen: Inventory) -> None:
    assert seen.role(Role.DATA) is None
    (because,) = missing(seen, f"storage.{Role.DATA}")
    assert because.endswith(
        "lies in the server's container, and another path leads there on this machine"
    )


@pytest.mark.skipif(not INSTANCES.is_dir(), reason="no tracefs is mounted here")
def test_its_calls_are_traced_by_the_roles_of_its_files(seen: Inventory) -> None:
    assert seen.watched is not None
    syncs = seen.watched.file_io(FileRole.REDO, Operation.SYNC)
    assert syncs is not None
    assert syncs.source is Source.TRACE
    assert syncs.calls >= 1


def test_an_agent_in_the_same_container_says_what_it_loses_and_sees_the_rest(
    contained: MariaDB, seen: Inventory
) -> None:
    process = seen.server_process
    assert process is not None
    inside = contained.directory / INSIDE
    enter = ["nsenter", f"--target={process.pid}", "--pid", "--mount", "--uts"]
    asked = [
        "--seconds=1",
        "--trace",
        f"--path=data={inside}",
        f"--server-pid-file={inside / 'pid'}",
    ]
    said = subprocess.run(
        [*enter, LocalTarget().agent(), "watch", *asked],
        stdin=subprocess.PIPE,
        check=True,
        capture_output=True,
    ).stdout
    answer = json.loads(said)
    assert answer["pid"] == 1
    assert answer["moments"][-1]["server"]["cpu_user_s"] >= 0
    lost = {each["what"]: each["because"] for each in answer["missing"]}
    assert lost["others"] == "in a container only its own processes are seen"
    # Where tracefs is there, the disks' requests are traced all the same.
    assert "trace" in lost or "container" in lost["trace.calls"]
    assert "others" not in answer
