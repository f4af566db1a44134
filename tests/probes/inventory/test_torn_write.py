"""Whether pages can be torn: every recording's verdict, and what single facts make of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from probes.inventory.facts import Disk, Layer, RawInventory, Role, Storage
from probes.inventory.read import read
from probes.inventory.torn_write import Whole, read_torn_write
from tests.present import present

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.json"))

NVME = Disk("nvme0n1", model="FAST", bus="nvme", atomic_write_unit_max_bytes=16384)
EBS = Disk("nvme1n1", model="Amazon Elastic Block Store", bus="nvme")
GOOGLE = Disk("sda", model="Google PersistentDisk", bus="virtio-scsi")
PROVEN = Storage(
    Role.DATA,
    "/data",
    filesystem="ext4",
    atomic_write_unit_max_bytes=16384,
    allocation_bytes=16384,
    disks=(NVME,),
)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_is_judged_as_a_person_would(path: Path) -> None:
    recording = json.loads(path.read_text(encoding="utf-8"))
    answers = {
        name: answer if isinstance(answer, str) else json.dumps(answer)
        for name, answer in recording["answers"].items()
    }
    inventory = read(RawInventory("2026-01-01T00:00:00+00:00", answers))
    for role, (whole, reason) in recording["expected"]["torn_write"].items():
        found = read_torn_write(
            present(inventory.role(Role(role))), present(inventory.host).platform
        )
        assert found.whole == whole
        assert reason in " ".join(found.reasons)
        assert all(sentence.endswith(".") for sentence in found.reasons)


def test_the_reason_that_decided_comes_first() -> None:
    plain = replace(PROVEN, atomic_write_unit_max_bytes=None, allocation_bytes=4096)
    found = read_torn_write(plain, "")
    assert found.whole is Whole.NO
    assert "pieces of 4 KiB or less" in found.reasons[0]
    assert "nvme0n1 reports atomic writes of 16 KiB" in found.reasons[1]


@pytest.mark.parametrize(
    ("page_bytes", "whole"), [(4096, Whole.YES), (16384, Whole.YES), (65536, Whole.NO)]
)
def test_larger_pages_need_more(page_bytes: int, whole: Whole) -> None:
    assert read_torn_write(PROVEN, "", page_bytes).whole is whole


@pytest.mark.parametrize(
    ("layers", "whole"),
    [
        ((Layer("mpatha", "multipath", "2 paths"),), Whole.UNKNOWN),
        ((Layer("md0", "md", "raid5 of 4"),), Whole.NO),
        ((Layer("md0", "md", "raid1 of 2"),), Whole.UNKNOWN),
        ((Layer("vg-data", "lvm"),), Whole.UNKNOWN),
    ],
)
def test_layers_without_the_kernels_word(layers: tuple[Layer, ...], whole: Whole) -> None:
    """The file system below is the unknown one in all of them: no layer makes it better."""
    storage = replace(PROVEN, atomic_write_unit_max_bytes=None, layers=layers)
    found = read_torn_write(storage, "")
    assert found.whole is whole
    named = any(layers[0].name in reason for reason in found.reasons)
    assert named == (layers[0].kind != "multipath")


def test_the_kernels_word_covers_layers() -> None:
    storage = replace(PROVEN, layers=(Layer("vg-data", "lvm"),))
    found = read_torn_write(storage, "")
    assert found.whole is Whole.YES
    assert "vg-data" not in " ".join(found.reasons)


@pytest.mark.parametrize(
    ("disk", "platform", "whole", "reason"),
    [
        (EBS, "Amazon EC2 (m6i.2xlarge)", Whole.YES, "EBS volume on Nitro"),
        (EBS, "KVM/QEMU", Whole.UNKNOWN, "Linux 6.11"),
        (replace(EBS, model="Amazon EC2 NVMe Instance Storage"), "Amazon EC2 (i4i.large)",
         Whole.YES, "Nitro SSD of i4i.large"),
        (replace(EBS, model="Amazon EC2 NVMe Instance Storage"), "Amazon EC2 (m5d.large)",
         Whole.UNKNOWN, "local disk of m5d.large"),
        (GOOGLE, "Google Compute Engine", Whole.UNKNOWN, "look alike"),
        (replace(GOOGLE, physical_block_bytes=16384), "Google Compute Engine",
         Whole.YES, "blocks of 16 KiB"),
        (replace(NVME, atomic_write_unit_max_bytes=0), "", Whole.NO, "reports no atomic"),
        (replace(NVME, atomic_write_unit_max_bytes=512), "", Whole.NO, "512 bytes"),
    ],
)  # fmt: skip
def test_disks(disk: Disk, platform: str, whole: Whole, reason: str) -> None:
    found = read_torn_write(replace(PROVEN, disks=(disk,)), platform)
    assert found.whole is whole
    assert reason in " ".join(found.reasons)


def test_one_bad_disk_is_enough() -> None:
    both = replace(PROVEN, disks=(NVME, replace(NVME, atomic_write_unit_max_bytes=0)))
    assert read_torn_write(both, "").whole is Whole.NO


def test_the_disks_are_told_apart_from_the_rest() -> None:
    plain = replace(PROVEN, atomic_write_unit_max_bytes=None, allocation_bytes=4096)
    assert read_torn_write(plain, "").disks is Whole.YES
    assert read_torn_write(replace(plain, disks=()), "").disks is Whole.UNKNOWN


def test_no_facts_at_all_are_unknown() -> None:
    found = read_torn_write(Storage(Role.DATA, "/data"), "unknown")
    assert found.whole is Whole.UNKNOWN
    assert found.reasons
