"""The processors: model, sockets, cores, threads, NUMA nodes."""

from __future__ import annotations

import re

from probes.inventory.facts import CpuFacts
from probes.inventory.machine.answer import MachineAnswer

_TOPOLOGY = re.compile(r"/sys/devices/system/cpu/cpu(\d+)/topology/(physical_package_id|core_id)")

_ARM_PARTS = {
    (0x41, 0xD03): "Arm Cortex-A53",
    (0x41, 0xD07): "Arm Cortex-A57",
    (0x41, 0xD08): "Arm Cortex-A72",
    (0x41, 0xD0B): "Arm Cortex-A76",
    (0x41, 0xD0C): "Arm Neoverse-N1",
    (0x41, 0xD40): "Arm Neoverse-V1",
    (0x41, 0xD49): "Arm Neoverse-N2",
    (0x41, 0xD4F): "Arm Neoverse-V2",
    (0x41, 0xD84): "Arm Neoverse-V3",
    (0x41, 0xD8E): "Arm Neoverse-N3",
    (0x46, 0x001): "Fujitsu A64FX",
    (0x48, 0xD01): "HiSilicon Kunpeng-920",
    (0x6D, 0xD49): "Microsoft Azure Cobalt 100",
    (0xC0, 0xAC3): "Ampere-1",
    (0xC0, 0xAC4): "Ampere-1a",
}
"""Arm cores give numbers instead of names: (implementer, part), as lscpu names them."""


def read_processors(answer: MachineAnswer) -> CpuFacts:
    """Read ``/proc/cpuinfo`` and sysfs' topology; what neither reports is None."""
    cpuinfo = answer.text("/proc/cpuinfo")
    listed = len(re.findall(r"^processor\s*:", cpuinfo, re.MULTILINE))
    packages, cores = _topology(answer)
    if not packages:
        packages, cores = _x86_topology(cpuinfo)
    return CpuFacts(
        model=_model(cpuinfo),
        sockets=len(packages) or None,
        cores=len(cores) or None,
        # The agent gives the first processor's block alone: they are alike, and can be hundreds.
        threads=count_of(answer.text("/sys/devices/system/cpu/online")) or listed or None,
        numa_nodes=count_of(answer.text("/sys/devices/system/node/online")),
    )


def count_of(ranges: str) -> int | None:
    """How many numbers a kernel list like ``0-3,8`` holds; None when it is no such list."""
    if not re.fullmatch(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*", ranges):
        return None
    total = 0
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return total


def _topology(answer: MachineAnswer) -> tuple[set[str], set[tuple[str, str]]]:
    """The distinct sockets, and the distinct (socket, core) pairs."""
    read: dict[str, dict[str, str]] = {}
    for name, text in answer.files.items():
        match = _TOPOLOGY.fullmatch(name)
        if match is not None:
            read.setdefault(match[1], {})[match[2]] = text.strip()
    places = [(cpu.get("physical_package_id", ""), cpu.get("core_id", "")) for cpu in read.values()]
    return {package for package, _ in places}, set(places)


def _x86_topology(cpuinfo: str) -> tuple[set[str], set[tuple[str, str]]]:
    places = set()
    for block in cpuinfo.split("\n\n"):
        package, core = _field(block, "physical id"), _field(block, "core id")
        if package and core:
            places.add((package, core))
    return {package for package, _ in places}, places


def _model(cpuinfo: str) -> str:
    name = _field(cpuinfo, "model name") or _field(cpuinfo, "Model Name")
    if name:
        return " ".join(name.split())
    implementer, part = _field(cpuinfo, "CPU implementer"), _field(cpuinfo, "CPU part")
    if implementer and part:
        known = _ARM_PARTS.get((int(implementer, 0), int(part, 0)))
        return known or f"Arm implementer {implementer} part {part}"
    # POWER says "cpu", RISC-V "uarch"; s390 reports no more than its maker.
    return _field(cpuinfo, "cpu") or _field(cpuinfo, "uarch") or _field(cpuinfo, "vendor_id")


def _field(text: str, name: str) -> str:
    match = re.search(rf"^{re.escape(name)}[ \t]*:[ \t]*(.*)$", text, re.MULTILINE)
    return match[1].strip() if match else ""
