"""What lies between a file system and its disks, from answers made by hand."""

import json

from probes.inventory.facts import Inventory, Partition, RawInventory, Role, Storage
from probes.inventory.read import read
from tests.present import present

Device = dict[str, object]
"""A block device as the agent answers."""

ARRAY: Device = {
    "name": "md0",
    "files": {
        "md/level": "raid5",
        "md/chunk_size": "524288",
        "md/degraded": "1",
        "md/sync_action": "recover",
    },
    "slaves": ["8:1", "8:17", "8:33"],
    "parent": "9:0",
    "path": "/devices/virtual/block/md0",
}


def disk(name: str, **fields: object) -> Device:
    path = f"/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/{name}"
    return {"name": name, "files": {}, "slaves": [], "parent": "", "path": path, **fields}


def inventory(block: dict[str, Device], device: str, **fields: object) -> Inventory:
    path = {"path": "/srv", "resolved": "/srv", "exists": True, "device": device, **fields}
    answer = {"paths": {"data": path}, "block": block, "files": {}}
    return read(RawInventory("2026-01-01T00:00:00Z", {"agent.inventory": json.dumps(answer)}))


def storage(block: dict[str, Device], device: str, **fields: object) -> Storage:
    return present(inventory(block, device, **fields).role(Role.DATA))


def test_an_array_tells_its_chunks_and_its_health() -> None:
    parts = {
        f"8:{16 * i + 1}": disk(
            f"sd{name}1", files={"partition": "1", "start": "2048"}, parent=f"8:{16 * i}"
        )
        for i, name in enumerate("abc")
    }
    disks = {f"8:{16 * i}": disk(f"sd{name}") for i, name in enumerate("abc")}
    found = storage({"9:0": ARRAY} | parts | disks, "9:0")
    (array,) = found.layers
    assert (array.detail, array.chunk_bytes, array.missing_disks, array.activity) == (
        "raid5 of 3", 524288, 1, "recover",
    )  # fmt: skip
    assert found.partitions == tuple(Partition(f"sd{name}1", 1 << 20) for name in "abc")
    assert [one.name for one in found.disks] == ["sda", "sdb", "sdc"]


def test_a_loop_device_tells_whether_it_is_direct() -> None:
    for text, direct in (("1", True), ("0", False)):
        files = {"loop/backing_file": "/srv/disk.img", "loop/dio": text}
        found = storage({"7:0": disk("loop0", files=files)}, "7:0")
        assert [layer.direct for layer in found.layers] == [direct]
    old = storage({"7:0": disk("loop0", files={"loop/backing_file": "/srv/disk.img"})}, "7:0")
    assert [layer.direct for layer in old.layers] == [None]


def test_an_encrypted_volume_tells_its_sectors() -> None:
    files = {
        "dm/uuid": "CRYPT-LUKS2-0123-data",
        "dm/name": "data",
        "queue/logical_block_size": "4096",
    }
    crypt = disk("dm-0", files=files, slaves=["8:0"])
    found = storage({"253:0": crypt, "8:0": disk("sda")}, "253:0")
    assert [(one.kind, one.logical_block_bytes) for one in found.layers] == [("crypt", 4096)]


def test_a_disk_tells_its_queue_its_own_cache_and_its_interrupts() -> None:
    files = {
        "device/queue_depth": "31",
        "device/scsi_disk/0:0:0:0/cache_type": "write back",
        "queue/write_cache": "write through",
    }
    sda = disk("sda", files=files, interrupts={"35": "0-3", "36": "2"})
    (found,) = storage({"8:0": sda}, "8:0").disks
    assert (found.queue_depth, found.own_write_cache, found.write_cache, found.interrupt_cpus) == (
        31, "write back", "write through", ("0-3", "2"),
    )  # fmt: skip


def test_a_virtual_disk_tells_its_cache_at_another_place() -> None:
    (found,) = storage({"254:0": disk("vda", files={"cache_type": "write through"})}, "254:0").disks
    assert found.own_write_cache == "write through"


def test_what_only_root_may_use_is_the_difference_of_two_counts() -> None:
    sizes = {"blocks": 1000, "blocks_free": 300, "blocks_available": 250, "block_bytes": 4096}
    assert storage({}, "8:1", **sizes).reserved_bytes == 50 * 4096
    del sizes["blocks_free"]
    assert storage({}, "8:1", **sizes).reserved_bytes is None


def test_a_closed_directory_takes_no_flags_from_its_neighbour() -> None:
    answer = {
        "paths": {
            "data": {"path": "/srv", "resolved": "/srv", "exists": True, "attributes": 0x80},
            "redo": {"path": "/srv/redo", "denied": True},
        },
        "files": {"/proc/self/mountinfo": "28 1 8:1 / / rw - btrfs /dev/sda1 rw\n"},
    }
    found = read(RawInventory("2026-01-01T00:00:00Z", {"agent.inventory": json.dumps(answer)}))
    assert [one.attributes for one in found.storage] == [0x80, None]


def test_a_volume_tells_its_own_read_ahead_and_the_kernels_name() -> None:
    files = {
        "dm/name": "vg0-data",
        "dm/uuid": "LVM-0123456789",
        "queue/read_ahead_kb": "4096",
        "queue/discard_max_bytes": "0",
    }
    volume = disk("dm-3", files=files, slaves=["8:0"])
    found = storage(
        {"253:3": volume, "8:0": disk("sda", files={"queue/read_ahead_kb": "128"})}, "253:3"
    )
    (layer,) = found.layers
    assert (layer.name, layer.device, layer.read_ahead_bytes) == ("vg0-data", "dm-3", 4 << 20)
    assert layer.discard is False
    assert [one.read_ahead_bytes for one in found.disks] == [128 << 10]
