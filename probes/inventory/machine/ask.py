"""Asking a machine, through the agent or, where that can't run, file by file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.errors import AgentFailed, CommandFailed
from probes.inventory.facts import Role
from probes.inventory.machine.answer import LONGEST_BYTES
from probes.targets.target import Target

_FILES = (
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/vm/swappiness",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/vm/overcommit_ratio",
    "/proc/sys/vm/zone_reclaim_mode",
    "/proc/sys/vm/dirty_background_ratio",
    "/proc/sys/vm/dirty_background_bytes",
    "/proc/sys/kernel/numa_balancing",
    "/proc/pressure/memory",
    "/proc/version",
    "/proc/self/mountinfo",
    "/proc/device-tree/model",
    "/etc/os-release",
    "/run/systemd/container",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/node/online",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
    "/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "/sys/devices/system/clocksource/clocksource0/available_clocksource",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/class/dmi/id/bios_vendor",
    "/sys/class/dmi/id/bios_version",
    "/sys/class/dmi/id/chassis_asset_tag",
    "/sys/hypervisor/type",
)
"""What is worth a question each; the agent reads these and more at once."""

_TIMEOUT_S = 30.0
_LONGEST_FILE_BYTES = 2 << 20


def ask_agent(
    target: Target,
    directories: Mapping[Role, str],
    server_pid_file: str | None = None,
    option_files: Sequence[str] = (),
    server_hostname: str = "",
) -> str:
    """The agent's JSON about the machine, these directories and the server's process.

    ``server_pid_file`` is where the server writes its process number, None where there is none to
    be looked at, and ``server_hostname`` what it calls its machine. ``option_files`` are read
    besides those that the process names or finds.
    Raises AgentFailed when it can't run, ends badly or sends nonsense, and TargetError.
    """
    argv = [target.agent(), "inventory"]
    for role, directory in directories.items():
        argv += ["--path", f"{role.value}={directory}"]
    if server_pid_file is not None:
        argv.append(f"--server-pid-file={server_pid_file}")
        argv.append(f"--server-hostname={server_hostname}")
        argv += [f"--option-file={path}" for path in option_files]
    try:
        result = target.run(argv, timeout_s=_TIMEOUT_S, limit_bytes=LONGEST_BYTES)
    except CommandFailed as error:
        raise AgentFailed(error.sentence, error.advice) from error
    if result.status != 0:
        raise AgentFailed(
            f"The agent could not take the inventory of {target.name}.",
            details=result.stderr.decode("utf-8", "replace")[-2000:],
        )
    try:
        decode_object(result.stdout, LONGEST_BYTES)
    except Malformed as error:
        raise AgentFailed(
            f"The agent on {target.name} sent an inventory that can't be read: {error}."
        ) from error
    return result.stdout.decode("utf-8")


def ask_data_size(target: Target, directory: str) -> tuple[int, int] | None:
    """The bytes of InnoDB's tablespace files below a data directory, and how many there are.

    None where some of it can't be looked at, or its machine has no ``find`` that prints sizes.
    Raises TargetError.
    """
    files = ("(", "-name", "*.ibd", "-o", "-name", "ibdata*", ")")
    argv = ["find", "-H", directory, "-xdev", "-type", "f", *files, "-printf", "%s\\n"]
    try:
        result = target.run(argv, timeout_s=_TIMEOUT_S)
    except CommandFailed:
        return None
    sizes = result.stdout.split()
    if result.status != 0 or not all(each.isdigit() for each in sizes):
        return None
    total = sum(map(int, sizes))
    return (total, len(sizes)) if total else None


def ask_files(target: Target) -> str:
    """The same shape with files alone: no directory, no disk. Raises TargetError."""
    files = {}
    for name in _FILES:
        text = _file(target, name)
        if text is not None:
            files[name] = text
    hostname = (_file(target, "/proc/sys/kernel/hostname") or "").strip()
    answer = {"hostname": hostname, "arch": _architecture(target), "files": files}
    return json.dumps(answer, ensure_ascii=False)


def _file(target: Target, name: str) -> str | None:
    try:
        result = target.run(["cat", name], limit_bytes=_LONGEST_FILE_BYTES)
    except CommandFailed:
        return None
    return result.stdout.decode("utf-8", "replace") if result.status == 0 else None


def _architecture(target: Target) -> str:
    return shown(target.run(["uname", "-m"]).stdout.decode("ascii", "replace").strip())
