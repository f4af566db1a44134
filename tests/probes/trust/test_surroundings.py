"""Which place a directory lies in."""

from __future__ import annotations

import pytest

from probes.inventory.facts import CpuFacts, Disk, HostFacts, Inventory, Role, Storage
from probes.trust.surroundings import DirectoryPlace, Surroundings

FAST = Disk("nvme0n1", bus="nvme")
SLOW = Disk("sda", bus="sata")
INVENTORY = Inventory(
    "2026-01-01T00:00:00Z",
    host=HostFacts(platform="KVM/QEMU", cpu=CpuFacts(threads=8)),
    storage=(
        Storage(Role.DATA, "/srv/mysql", mount_point="/srv", filesystem="xfs", disks=(FAST,)),
        Storage(Role.PROBE, "/var/tmp", mount_point="/", filesystem="ext4", disks=(SLOW,)),
    ),
)


@pytest.mark.parametrize(
    ("directory", "filesystem"),
    [
        ("/var/tmp", "ext4"),
        ("/srv/mysql", "xfs"),
        ("/srv/other", "xfs"),
        ("/srvold", "ext4"),
        ("", "ext4"),
        ("relative", "ext4"),
    ],
)
def test_the_place_of_a_directory(directory: str, filesystem: str) -> None:
    surroundings = Surroundings.of(INVENTORY, "/var/tmp")
    assert surroundings.at(directory).filesystem == filesystem
    assert (surroundings.platform, surroundings.processors) == ("KVM/QEMU", 8)


def test_nothing_known() -> None:
    surroundings = Surroundings.of(Inventory("2026-01-01T00:00:00Z"), "/var/tmp")
    assert surroundings.at("/var/tmp") == DirectoryPlace()
    assert surroundings == Surroundings("/var/tmp")
