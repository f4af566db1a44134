"""Machine and server together."""

import json

import pytest

from probes.inventory.facts import Inventory, RawInventory, Role
from probes.inventory.read import read
from tests.present import present

MACHINE = {
    "hostname": "db7",
    "files": {"/proc/self/mountinfo": "28 1 8:0 / / rw - ext4 /dev/sda rw\n"},
    "paths": {
        role: {"path": path, "resolved": path, "exists": True, "device": "8:0"}
        for role, path in {"data": "/var/lib/mysql", "probe": "/var/tmp"}.items()
    },
    "block": {"8:0": {"name": "sda", "path": "/devices/ata1/block/sda", "files": {}}},
}


def read_both(hostname: str, over: str) -> Inventory:
    return read(
        RawInventory(
            "2026-01-01T00:00:00+00:00",
            {
                "agent.inventory": json.dumps(MACHINE),
                "mysql.version": '{"version": "8.0.36", "comment": ""}',
                "mysql.variables": json.dumps({"hostname": hostname} if hostname else {}),
                "mysql.over": over,
            },
        )
    )


@pytest.mark.parametrize(
    ("hostname", "over"),
    [("db7", "network"), ("DB7.example.org", "network"), ("", "network"), ("db8", "socket")],
)
def test_the_servers_directories_are_this_machines(hostname: str, over: str) -> None:
    inventory = read_both(hostname, over)
    assert present(inventory.role(Role.DATA)).disks[0].name == "sda"
    assert inventory.missing == ()


def test_a_server_on_another_machine_has_its_directories_there() -> None:
    inventory = read_both("db8.example.org", "network")
    assert inventory.role(Role.DATA) is None
    assert inventory.role(Role.PROBE) is not None
    assert [(one.fact, one.because) for one in inventory.missing] == [
        ("storage", "MySQL runs on db8.example.org, and this machine is db7")
    ]


def in_a_container(name: str, as_root: str | None = None) -> Inventory:
    """What the agent says of a server that calls its machine ``name``; MySQL says "box.local".

    ``as_root`` is what it says where sudo lets it see more.
    """
    machine = json.loads(json.dumps(MACHINE))
    machine["paths"]["data"] = {"path": "/var/lib/mysql", "exists": False, "contained": True}
    machine["server"] = {"pid": 7, "hostname": name}
    answers = {
        "agent.inventory": json.dumps(machine),
        "mysql.version": '{"version": "8.0.36", "comment": ""}',
        "mysql.variables": json.dumps({"hostname": "box.local"}),
        "mysql.over": "network",
    }
    if as_root is not None:
        answers["watch.machine"] = json.dumps({"hostname": as_root})
    return read(RawInventory("2026-01-01T00:00:00+00:00", answers))


def test_a_server_in_a_container_of_this_machine_is_no_other_machines() -> None:
    inventory = in_a_container("BOX")
    assert present(inventory.server_process).hostname == "BOX"
    assert inventory.role(Role.DATA) is None
    assert [(one.fact, one.because) for one in inventory.missing] == [
        (
            "storage.data",
            "/var/lib/mysql lies in the server's container, and another path leads there on this "
            "machine",
        )
    ]


def test_a_name_that_root_alone_may_see_tells_as_well() -> None:
    assert in_a_container("", as_root="box").server_process is not None
    assert in_a_container("", as_root="db7").server_process is None


@pytest.mark.parametrize("name", ["db7", ""])
def test_a_process_of_another_name_is_not_the_servers(name: str) -> None:
    inventory = in_a_container(name)
    assert inventory.server_process is None
    assert "MySQL runs on box.local" in inventory.missing[0].because


def test_a_mounts_source_leads_to_the_disk_where_the_device_is_anonymous() -> None:
    machine = json.loads(json.dumps(MACHINE))
    machine["paths"]["data"] |= {"device": "0:44", "source_device": "8:0"}
    raw = RawInventory("2026-01-01T00:00:00+00:00", {"agent.inventory": json.dumps(machine)})
    assert present(read(raw).role(Role.DATA)).disks[0].name == "sda"


@pytest.mark.parametrize(("disk", "free"), [("sda", 4096), ("sdb", None)])
def test_a_directory_that_may_not_be_entered_is_told_by_its_mount(
    disk: str, free: int | None
) -> None:
    """Redo files in MySQL's data directory, seen by an ordinary account."""
    machine = json.loads(json.dumps(MACHINE))
    machine["paths"]["data"] |= {"block_bytes": 4096, "blocks": 2, "blocks_available": 1}
    redo = "/var/lib/mysql/#innodb_redo"
    machine["paths"]["redo"] = {"path": redo, "exists": False, "denied": True}
    if disk == "sdb":
        own = f"29 28 8:16 / {redo} rw - ext4 /dev/sdb rw\n"
        machine["files"]["/proc/self/mountinfo"] += own
        machine["block"]["8:16"] = {"name": "sdb", "path": "/devices/ata2/block/sdb"}
    raw = RawInventory("2026-01-01T00:00:00+00:00", {"agent.inventory": json.dumps(machine)})
    inventory = read(raw)
    storage = present(inventory.role(Role.REDO))
    assert storage.path == redo
    assert [one.name for one in storage.disks] == [disk]
    assert storage.free_bytes == free
    assert inventory.missing == ()
