"""What kind of machine the firmware says this is: a cloud's, a hypervisor's, or a real one."""

from __future__ import annotations

from probes.inventory.machine.answer import MachineAnswer

UNKNOWN = "unknown"
UNNAMED = "virtual machine of an unknown kind"

_DMI = "/sys/class/dmi/id/"
_AZURE_CHASSIS = "7783-7084-3265-9085-8269-3286-77"
"""The asset tag that Azure gives its machines; other Hyper-V guests have another."""

_CLOUDS = (
    ("amazon ec2", "Amazon EC2"),
    ("google", "Google Compute Engine"),
    ("alibaba cloud", "Alibaba Cloud"),
    ("oraclecloud", "Oracle Cloud"),
    ("digitalocean", "DigitalOcean"),
    ("hetzner", "Hetzner"),
    ("linode", "Akamai Linode"),
    ("akamai", "Akamai Linode"),
    ("vultr", "Vultr"),
    ("scaleway", "Scaleway"),
    ("upcloud", "UpCloud"),
    ("ovh", "OVHcloud"),
    ("exoscale", "Exoscale"),
    ("tencent cloud", "Tencent Cloud"),
    ("huawei cloud", "Huawei Cloud"),
    ("nutanix", "Nutanix AHV"),
    ("openstack", "OpenStack"),
)
_HYPERVISORS = (
    ("vmware", "VMware"),
    ("virtualbox", "VirtualBox"),
    ("innotek", "VirtualBox"),
    ("firecracker", "Firecracker"),
    ("parallels", "Parallels"),
    ("ovirt", "KVM (oVirt)"),
    ("rhev", "KVM (RHV)"),
    ("bhyve", "bhyve"),
    ("cloud hypervisor", "Cloud Hypervisor"),
    ("xen", "Xen"),
    ("qemu", "KVM/QEMU"),
    ("bochs", "KVM/QEMU"),
    ("kvm", "KVM/QEMU"),
)

_AZURE, _HYPER_V = "Microsoft Azure", "Hyper-V"
_LENDERS = (*(name for _, name in _CLOUDS + _HYPERVISORS), _AZURE, _HYPER_V, UNNAMED)


def read_platform(answer: MachineAnswer) -> str:
    """Cloud, hypervisor or maker and model; ``unknown`` when the firmware reports nothing.

    A container is named in addition, since its limits differ from the machine's.
    """
    platform = _machine(answer)
    container = answer.text("/run/systemd/container")
    return f"{platform}, in a {container} container" if container else platform


def lender(platform: str) -> str:
    """Give the cloud or hypervisor in ``read_platform``'s words, "" for a machine of its own.

    A container shares its machine's kernel and drives: it is no virtual machine on its own. A
    cloud's whole machine ("c5.metal") is none either.
    """
    if ".metal" in platform:
        return ""
    return next((name for name in _LENDERS if platform.startswith(name)), "")


def _machine(answer: MachineAnswer) -> str:
    vendor, product = _dmi(answer, "sys_vendor"), _dmi(answer, "product_name")
    firmware = " ".join(
        _dmi(answer, name)
        for name in ("sys_vendor", "product_name", "bios_vendor", "bios_version", "board_vendor",
                     "chassis_vendor", "chassis_asset_tag")
    ).lower()  # fmt: skip
    cloud = next((name for word, name in _CLOUDS if word in firmware), "")
    if cloud:
        return _with_type(cloud, product, firmware)
    if "microsoft" in vendor.lower() and product == "Virtual Machine":
        return _AZURE if _AZURE_CHASSIS in firmware else _HYPER_V
    if answer.text("/sys/hypervisor/type") == "xen":
        return "Amazon EC2 (Xen)" if "amazon" in firmware else "Xen"
    hypervisor = next((name for word, name in _HYPERVISORS if word in firmware), "")
    return hypervisor or _maker(answer, vendor, product)


def _with_type(cloud: str, product: str, firmware: str) -> str:
    """A cloud with the machine type where the product name has it (EC2: "m6g.large")."""
    if cloud == "Amazon EC2" and "." in product:
        kind = "Xen, " if "xen" in firmware else ""
        return f"{cloud} ({kind}{product})"
    return cloud


def _maker(answer: MachineAnswer, vendor: str, product: str) -> str:
    if _is_guest(answer):
        return UNNAMED
    model = answer.text("/proc/device-tree/model").rstrip("\0")
    unknown = "" if answer.sent else UNKNOWN
    return " ".join(f"{vendor} {product}".split()) or model or unknown


def _is_guest(answer: MachineAnswer) -> bool:
    """Whether the processor itself says that it is lent by a hypervisor (x86 only)."""
    for line in answer.text("/proc/cpuinfo").splitlines():
        if line.startswith("flags"):
            return "hypervisor" in line.split()
    return False


def _dmi(answer: MachineAnswer, name: str) -> str:
    return answer.text(_DMI + name)
