import json

import pytest

from probes.inventory.machine.answer import BlockAnswer, MachineAnswer
from probes.inventory.machine.disks import read_bus
from probes.inventory.machine.firmware import lender, read_platform
from probes.inventory.machine.host import read_host
from probes.inventory.machine.processors import count_of, read_processors

DMI = "/sys/class/dmi/id/"


@pytest.mark.parametrize(
    ("name", "path", "bus"),
    [
        ("vda", "/devices/pci0000:00/0000:00:02.0/virtio1/block/vda", "virtio"),
        (
            "sda",
            "/devices/pci0000:00/0000:00:0d.0/ata3/host2/target2:0:0/2:0:0:0/block/sda",
            "sata",
        ),
        (
            "sda",
            "/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sda",
            "usb",
        ),
        ("sda", "/devices/pci0000:00/0000:00:10.0/host2/target2:0:0/2:0:0:0/block/sda", "scsi"),
        ("sdb", "/devices/platform/host7/session1/target7:0:0/7:0:0:1/block/sdb", "iscsi"),
        (
            "sda",
            "/devices/LNXSYSTM:00/ACPI0004:00/VMBUS:00/aa-bb/host0/target0:0:0/0:0:0:0/block/sda",
            "hyper-v",
        ),
        ("xvda", "/devices/vbd-768/block/xvda", "xen"),
        ("nvme0n1", "/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1", "nvme"),
        ("mmcblk0", "/devices/platform/soc/fe340000.mmc/mmc_host/mmc0/block/mmcblk0", "mmc"),
        ("rbd0", "/devices/rbd/0/block/rbd0", "rbd"),
        ("loop3", "/devices/virtual/block/loop3", "loop"),
        ("sdq", "", ""),
    ],
)
def test_the_bus_is_told_by_the_place_in_sysfs(name: str, path: str, bus: str) -> None:
    assert read_bus(BlockAnswer(name=name, path=path)) == bus


def test_an_nvme_disk_over_a_network_says_so() -> None:
    block = BlockAnswer(name="nvme2n1", path="/devices/x", files={"device/transport": "tcp\n"})
    assert read_bus(block) == "nvme-tcp"


@pytest.mark.parametrize(
    ("dmi", "platform"),
    [
        ({"sys_vendor": "QEMU", "product_name": "Standard PC (i440FX + PIIX, 1996)"}, "KVM/QEMU"),
        ({"sys_vendor": "Red Hat", "product_name": "KVM"}, "KVM/QEMU"),
        ({"sys_vendor": "Microsoft Corporation", "product_name": "Virtual Machine"}, "Hyper-V"),
        (
            {
                "sys_vendor": "Microsoft Corporation",
                "product_name": "Virtual Machine",
                "chassis_asset_tag": "7783-7084-3265-9085-8269-3286-77",
            },
            "Microsoft Azure",
        ),
        ({"sys_vendor": "Microsoft Corporation", "product_name": "Surface Pro 7"},
         "Microsoft Corporation Surface Pro 7"),
        ({"sys_vendor": "Xen", "product_name": "HVM domU", "bios_version": "4.11.amazon"},
         "Amazon EC2 (Xen)"),
        ({"sys_vendor": "Amazon EC2", "product_name": "c5.metal"}, "Amazon EC2 (c5.metal)"),
        ({"sys_vendor": "QEMU", "chassis_asset_tag": "OracleCloud.com"}, "Oracle Cloud"),
        ({"sys_vendor": "innotek GmbH", "product_name": "VirtualBox"}, "VirtualBox"),
        ({"sys_vendor": "DigitalOcean", "product_name": "Droplet"}, "DigitalOcean"),
        ({}, "unknown"),
    ],
)  # fmt: skip
def test_the_platform_is_what_the_firmware_tells(dmi: dict[str, str], platform: str) -> None:
    files = {DMI + name: f"{text}\n" for name, text in dmi.items()}
    if "Xen" in dmi.get("sys_vendor", ""):
        files["/sys/hypervisor/type"] = "xen\n"
    assert read_platform(MachineAnswer(files=files)) == platform


def test_a_guest_without_firmware_tables_is_still_a_guest() -> None:
    answer = MachineAnswer(files={"/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu hypervisor\n"})
    assert read_platform(answer) == "virtual machine of an unknown kind"


@pytest.mark.parametrize(
    ("platform", "name"),
    [
        ("KVM/QEMU", "KVM/QEMU"),
        ("KVM/QEMU, in a lxc container", "KVM/QEMU"),
        ("Amazon EC2 (Xen, m4.large)", "Amazon EC2"),
        ("Amazon EC2 (c5.metal)", ""),
        ("virtual machine of an unknown kind", "virtual machine of an unknown kind"),
        ("Dell Inc. PowerEdge R740", ""),
        ("unknown, in a docker container", ""),
        ("unknown", ""),
    ],
)
def test_a_maker_of_machines_lends_none(platform: str, name: str) -> None:
    assert lender(platform) == name


@pytest.mark.parametrize(
    ("ranges", "count"),
    [("0", 1), ("0-3", 4), ("0-3,8,10-11", 7), ("", None), ("none", None)],
)
def test_counts_kernel_lists(ranges: str, count: int | None) -> None:
    assert count_of(ranges) == count


def test_an_arm_core_of_an_unknown_make_keeps_its_numbers() -> None:
    text = "processor : 0\nCPU implementer : 0x99\nCPU part : 0xabc\n"
    cpu = read_processors(MachineAnswer(files={"/proc/cpuinfo": text}))
    assert cpu.model == "Arm implementer 0x99 part 0xabc"
    assert cpu.threads == 1
    assert cpu.sockets is None


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        (
            {"/sys/fs/cgroup/a.slice/memory.max": "max\n", "/sys/fs/cgroup/memory.max": "4096\n"},
            4096,
        ),
        ({"/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, None),
        ({"/sys/fs/cgroup/memory/memory.limit_in_bytes": "8192\n"}, 8192),
        ({"/sys/fs/cgroup/memory.max": "max\n"}, None),
        ({}, None),
    ],
)
def test_a_control_groups_limit_counts_where_it_is_lower(
    files: dict[str, str], limit: int | None
) -> None:
    host = read_host(MachineAnswer(files={"/proc/meminfo": "MemTotal:  100 kB\n"} | files))
    assert host.memory_limit_bytes == limit
    assert host.usable_memory_bytes == (limit or 102400)


def test_nothing_told_is_nothing_known() -> None:
    answer = MachineAnswer.parse("{}")
    host = read_host(answer)
    assert host.memory_bytes is None
    assert host.swappiness is None
    assert host.platform == "unknown"
    assert host.cpu.threads is None


def test_odd_shapes_are_left_out() -> None:
    text = json.dumps({"files": [1], "paths": {"data": 7}, "block": "none", "hostname": 5})
    assert MachineAnswer.parse(text) == MachineAnswer()


def test_a_device_is_named_as_devices_are() -> None:
    """Names get into commands and udev's rules, which root runs."""
    foreign = 'vda", RUN+="touch /x'
    text = json.dumps({"block": {"8:0": {"name": foreign}, "8:1": {"name": "cciss!c0d0"}}})
    block = MachineAnswer.parse(text).block
    assert block["8:0"].name == "vda???RUN+??touch??x"
    assert block["8:1"].name == "cciss!c0d0"
