"""The machine: processors, memory, kernel, distribution, platform."""

from __future__ import annotations

import re

from probes.inventory.facts import HostFacts
from probes.inventory.machine.answer import MachineAnswer, whole
from probes.inventory.machine.firmware import read_platform
from probes.inventory.machine.kernel import meminfo, read_kernel
from probes.inventory.machine.processors import read_processors

_MEMORY_LIMIT = re.compile(r"/sys/fs/cgroup/.*(memory\.max|memory\.limit_in_bytes)")


def read_host(answer: MachineAnswer) -> HostFacts:
    """Read what the agent reported of its machine; what is absent stays unknown."""
    memory = meminfo(answer, "MemTotal")
    limit = _memory_limit(answer)
    return HostFacts(
        hostname=answer.hostname,
        cpu=read_processors(answer),
        memory_bytes=memory,
        memory_available_bytes=meminfo(answer, "MemAvailable"),
        memory_limit_bytes=None if limit is None or limit >= (memory or 0) else limit,
        swap_bytes=meminfo(answer, "SwapTotal"),
        swappiness=answer.number("/proc/sys/vm/swappiness"),
        transparent_hugepages=_chosen(answer.text("/sys/kernel/mm/transparent_hugepage/enabled")),
        kernel=answer.text("/proc/sys/kernel/osrelease"),
        distribution=_distribution(answer),
        architecture=answer.architecture,
        platform=read_platform(answer),
        kernel_settings=read_kernel(answer),
    )


def _memory_limit(answer: MachineAnswer) -> int | None:
    """The lowest limit of the agent's own control group and those above it."""
    limits = [
        whole(text.strip()) for name, text in answer.files.items() if _MEMORY_LIMIT.fullmatch(name)
    ]
    return min((limit for limit in limits if limit is not None), default=None)


def _chosen(text: str) -> str | None:
    match = re.search(r"\[(\w+)\]", text)
    return match[1] if match else None


def _distribution(answer: MachineAnswer) -> str:
    text = answer.text("/etc/os-release") or answer.text("/usr/lib/os-release")
    match = re.search(r"^PRETTY_NAME=(.*)$", text, re.MULTILINE)
    return match[1].strip().strip("\"'") if match else ""
