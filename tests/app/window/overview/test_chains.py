"""The way down from the server's files to the disks."""

from __future__ import annotations

from dataclasses import replace

from app.presenters.overview import facts as overview
from probes.inventory.facts import Inventory, Role, Storage
from tests.app.window.machine import inventory


def test_roles_on_one_way_down_share_a_chain() -> None:
    data, tmp = overview.chains(inventory())
    assert data.roles == ("Data", "Redo log", "Probe files")
    assert [box.name for box in data.boxes] == ["ext4", "vg0-data", "md0"]
    assert [(box.kind, box.name) for box in data.disks] == [("2 disks", "nvme0n1, nvme1n1")]
    assert tmp.paths == ("/tmp",)
    assert tmp.disks[0].name == "vda"


def test_roles_that_all_lie_in_one_place_are_all_files() -> None:
    roles = (Role.DATA, Role.REDO, Role.UNDO, Role.BINLOG)
    place = Storage(Role.DATA, "/data")
    alike = Inventory("now", storage=tuple(replace(place, role=role) for role in roles))
    (chain,) = overview.chains(alike)
    assert chain.roles == ("All server files",)
    apart = replace(alike, storage=(*alike.storage, Storage(Role.TMP, "/tmp", mount_point="/tmp")))
    data, _ = overview.chains(apart)
    assert data.roles == ("Data", "Redo log", "Undo", "Binary log")


def test_an_unknown_way_down_is_no_guess() -> None:
    bare = Inventory("now", storage=(Storage(Role.DATA, "/data"),))
    (chain,) = overview.chains(bare)
    assert chain.boxes[0].name == "unknown"
    assert chain.disks == ()
