"""Words that the inventory never gives: of platforms, buses, file systems, schedulers and layers.

Where the inventory makes the word itself, what it reads is made up and read; where it copies what
the kernel says, the kernel's words are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from probes.inventory.facts import Disk, HostFacts, Storage
from probes.inventory.kernel_facts import KernelFacts
from probes.inventory.machine.answer import BlockAnswer, MachineAnswer
from probes.inventory.machine.disks import read_bus
from probes.inventory.machine.firmware import UNKNOWN, UNNAMED, lender, read_platform
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS
from probes.inventory.server_process import ServerProcess

Spec = Mapping[str, Any]

DMI = "/sys/class/dmi/id/"
AZURE = {
    "sys_vendor": "Microsoft Corporation",
    "product_name": "Virtual Machine",
    "chassis_asset_tag": "7783-7084-3265-9085-8269-3286-77",
}
FIRMWARE: tuple[Mapping[str, str], ...] = (
    AZURE,
    AZURE | {"chassis_asset_tag": ""},
    {"sys_vendor": "Google", "product_name": "Google Compute Engine"},
    {"sys_vendor": "Alibaba Cloud"},
    {"chassis_asset_tag": "OracleCloud.com"},
    {"sys_vendor": "DigitalOcean"},
    {"sys_vendor": "Hetzner"},
    {"sys_vendor": "VMware, Inc."},
    {"sys_vendor": "QEMU", "product_name": "Standard PC (Q35 + ICH9, 2009)"},
    {"sys_vendor": "OpenStack Foundation"},
    {"sys_vendor": "Nutanix"},
    {"sys_vendor": "Xen", "product_name": "HVM domU"},
    *(
        {"sys_vendor": vendor}
        for vendor in (
            *("Linode", "Vultr", "Scaleway", "UpCloud", "OVH", "Exoscale", "Tencent Cloud"),
            *("Huawei Cloud", "innotek GmbH", "Firecracker", "Parallels International GmbH"),
            *("oVirt", "RHEV Hypervisor", "BHYVE", "Cloud Hypervisor"),
        )
    ),
)
"""What the firmware of machines says that are lent; EC2's and makers' follow from the words."""

BUSES = {
    read_bus(BlockAnswer(name, f"/sys/devices/{path}", files))
    for name, path, files in (
        ("nvme0n1", "pci/nvme/nvme0/nvme0n1", {}),
        *(("nvme0n1", "x", {"device/transport": each}) for each in ("tcp", "rdma", "fc")),
        ("sda", "pci/usb2/host", {}),
        ("sda", "platform/host3/session1/target", {}),
        ("sda", "pci/host1/rport-1:0-0/target", {}),
        ("sda", "pci/host0/port/end_device-0:0/target", {}),
        ("sda", "pci/ata1/host0/target0:0:0", {}),
        ("xvda", "vbd-768/block", {}),
        ("sda", "LNXSYSTM/vmbus/host", {}),
        ("sda", "pci/virtio2/host2/target", {}),
        ("vda", "pci/virtio2/block", {}),
        ("mmcblk0", "mmc_host/block", {}),
        ("rbd0", "rbd/0/block", {}),
        ("sda", "pci/host0/target0:2:0", {}),
        ("loop0", "virtual/block/loop0", {}),
        ("nbd0", "virtual/block/nbd0", {}),
        ("drbd0", "virtual/block/drbd0", {}),
        ("pmem0", "virtual/block/pmem0", {}),
        ("dm", "virtual/block/x", {}),
        ("sda", "", {}),
    )
}

OF_GUESTS = frozenset({"virtio", "virtio-scsi", "xen", "hyper-v"})
"""Buses that hypervisors give to their guests alone."""

LOCAL_FILESYSTEMS = frozenset(
    {"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "bcachefs"}
)
WITHOUT_DISKS = frozenset({"zfs", "overlay", "tmpfs", "ramfs", "9p", "virtiofs"})
SINGLE_QUEUE = frozenset({"noop", "deadline", "cfq"})
KERNELS_WORDS = {
    "scheduler": frozenset({"", "none", "mq-deadline", "kyber", "bfq"}) | SINGLE_QUEUE,
    "write_cache": frozenset({"", "write back", "write through"}),
    "own_write_cache": frozenset({"", "none", "write back", "write through"}),
}
HOSTS_WORDS = {
    "transparent_hugepages": frozenset({"", "always", "madvise", "never"}),
    "clock_source": frozenset(
        {"", "tsc", "kvm-clock", "hpet", "acpi_pm", "xen", "arch_sys_counter"}
        | {"hyperv_clocksource_tsc_page", "jiffies"}
    ),
    "governor": frozenset(
        {"", "performance", "powersave", "schedutil", "ondemand", "conservative", "userspace"}
    ),
}
LAYERS = {
    "md": re.compile(r"(raid(0|1|4|5|6|10)|linear)( of \d+)?"),
    "crypt": re.compile(r"LUKS[12]|PLAIN|VERITY"),
    "lvm": re.compile(r"(thin)?"),
    "multipath": re.compile(r"\d+ paths"),
    "loop": re.compile(r"/.*"),
    **{kind: re.compile(r"") for kind in ("dmraid", "vdo", "stratis", "device-mapper", "bcache")},
}
OWN_HOST_KEYS = {"memory_gib", "memory_limit_gib", "cpus", "cores", "sockets", "numa_nodes"}


def unsaid(spec: Spec) -> Iterator[str]:
    """Each word of a case that no inventory gives, as a sentence that says what to write."""
    host, drive, storage = (spec.get(each, {}) for each in ("host", "drive", "storage"))
    yield from _unknown_fields(host, drive, storage, spec.get("process", {}))
    yield from _machine(host, drive)
    yield from _kernels(host, drive)
    yield from _filesystem(drive, storage)
    for layer in storage.get("layers", ()):
        kind, detail = layer.get("kind", ""), layer.get("detail", "")
        if kind not in LAYERS or not LAYERS[kind].fullmatch(detail):
            yield f"No layer is called {kind!r} with {detail!r} as its detail."


def is_platform(text: str) -> bool:
    """Whether the inventory says so of some machine: what the firmware would tell is read."""
    machine, _, container = text.partition(", in a ")
    kind = container.removesuffix(" container")
    if container and (not kind or kind == container):
        return False
    if machine in {UNKNOWN, UNNAMED}:
        return True
    return any(
        read_platform(MachineAnswer(files=_files(told, kind))) == text
        for told in (*FIRMWARE, *_firmware_of(machine))
    )


def _firmware_of(machine: str) -> Iterator[Mapping[str, str]]:
    """Makers and models that could be called so, and EC2's types."""
    found = re.fullmatch(r"Amazon EC2 \(([a-z0-9.-]+)\)", machine)
    if found:
        yield {"sys_vendor": "Amazon EC2", "product_name": found[1]}
    vendor, _, model = machine.partition(" ")
    if model and not lender(machine):
        yield {"sys_vendor": vendor, "product_name": model}


def _files(told: Mapping[str, str], container: str) -> dict[str, str]:
    files = {f"{DMI}{name}": value for name, value in told.items()}
    return files | ({"/run/systemd/container": container} if container else {})


def _machine(host: Spec, drive: Spec) -> Iterator[str]:
    platform, bus = host.get("platform", ""), drive.get("bus", "")
    if platform and not is_platform(platform):
        yield (
            f"No inventory calls a platform {platform!r}: firmware.py has the words, as KVM/QEMU, "
            "or a maker and a model."
        )
    if bus not in BUSES:
        yield f"No inventory calls a bus {bus!r}: it is one of {', '.join(sorted(BUSES))}."
    if bus in OF_GUESTS and not lender(platform):
        yield f"A drive at {bus} is a guest's, and {platform!r} is no platform that lends machines."
    if drive.get("model", "").startswith("Amazon") and "Amazon" not in platform:
        yield f"{drive['model']} is found on Amazon's machines alone, and not on {platform!r}."


def _kernels(host: Spec, drive: Spec) -> Iterator[str]:
    for table, words in ((drive, KERNELS_WORDS), (host, HOSTS_WORDS)):
        for name, known in words.items():
            if table.get(name, "") not in known:
                yield f"The kernel says no {name} {table[name]!r}: it is one of {sorted(known)}."
    scheduler, kernel = drive.get("scheduler", ""), host.get("kernel", "")
    found = re.match(r"(\d+)\.", kernel)
    if scheduler in SINGLE_QUEUE and found and int(found[1]) >= 5:
        yield f"Linux {kernel} has no scheduler {scheduler}: the last was 4.20."


def _filesystem(drive: Spec, storage: Spec) -> Iterator[str]:
    filesystem = drive.get("filesystem", "ext4")
    hides = filesystem in WITHOUT_DISKS | NETWORK_FILESYSTEMS or filesystem.startswith("fuse")
    if not hides and filesystem not in LOCAL_FILESYSTEMS:
        yield f"The kernel knows no file system {filesystem!r}."
    if hides and drive and storage.get("disks") != []:
        yield f"The inventory sees no disk below {filesystem}: write storage.disks = []."


def _unknown_fields(host: Spec, drive: Spec, storage: Spec, process: Spec) -> Iterator[str]:
    """Names that a case file gives and that no fact has: they would be passed over in silence."""
    for table, where, kinds, more in (
        (host, "host", (HostFacts, KernelFacts), OWN_HOST_KEYS),
        (drive, "drive", (Disk,), {"filesystem"}),
        (storage, "storage", (Storage,), set()),
        (process, "process", (ServerProcess,), set()),
    ):
        known = more | {field.name for kind in kinds for field in fields(kind)}
        for name in table.keys() - known:
            yield f"No {where} has a {name}."
