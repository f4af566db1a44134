"""What the script found out of a machine, in the shape of the agent's answer to an inventory."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from probes.architecture import in_go
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, whole_from_text
from probes.collection.disks import Disks, read_disks
from probes.collection.options import read_options_of
from probes.collection.sections import Section, sections
from probes.inventory.machine.mounts import Mount, find_mount, parse_mounts

_KIB = 1024
_MOUNTS = "/proc/self/mountinfo"
_PROCESS = frozenset({"status", "limits", "cgroup", "oom_score_adj", "smaps_rollup"})
_ATTRIBUTES = {"c": 0x4, "C": 0x00800000}
"""Of what lsattr shows: compressed, and not copied on write."""


@dataclass(frozen=True, slots=True)
class CollectedMachine:
    """The sections of one machine: of itself, of its disks, and of the server's process."""

    host: tuple[Section, ...]
    disks: Disks
    server: tuple[Section, ...]

    @property
    def named(self) -> Mapping[str, Section]:
        """The sections of the machine itself by title."""
        return {each.title: each for each in self.host}

    @property
    def pid(self) -> int:
        """The number of the server's process; 0 where none was found."""
        return _whole(self.server[0].first("pid")) if self.server else 0

    @property
    def because(self) -> str:
        """Why no process was found, "" where one was."""
        return self.server[0].first("because") if self.server else "nobody looked for it"

    @property
    def contained(self) -> bool:
        """Whether the server runs in a container, where its paths lead elsewhere."""
        return any(each.title == "@started" and "contained" in each.lines for each in self.server)

    @property
    def mounts(self) -> list[Mount]:
        """What is mounted where."""
        section = self.named.get(_MOUNTS)
        return parse_mounts("" if section is None else section.text)

    def devices(self, mount: Mount | None) -> tuple[str, ...]:
        """The block devices that hold a mount, by number; none where there is no such device."""
        if mount is None:
            return ()
        source = self.disks.number(mount.source)
        if together := self.disks.together(source):
            return together
        known = (each for each in (mount.device, source) if each in self.disks.blocks)
        return tuple(known)[:1]


def read_machine_text(text: str) -> CollectedMachine:
    """Sort the sections of a machine's text."""
    host: list[Section] = []
    server: list[Section] = []
    for each in sections(text):
        if each.kind in ("@directory", "@data_files"):
            host.append(each)
        elif each.title == "@server" or server:
            server.append(each)
        else:
            host.append(each)
    return CollectedMachine(tuple(host), read_disks(host), tuple(server))


def inventory_answer(
    machine: CollectedMachine, roles: Mapping[str, str], option_files: Iterable[str]
) -> str:
    """The agent's JSON; ``roles`` are the server's directories by role.

    ``option_files`` are those that the server says its values come from.
    """
    section = machine.named.get("@host", Section("@host"))
    answer: dict[str, Any] = {
        "hostname": section.first("name"),
        "arch": in_go(section.first("arch")),
        "files": {
            each.title: each.text
            for each in machine.host
            if each.title.startswith("/") and not each.title.startswith("/sys/class/block/")
        },
        "paths": {role: _place(machine, path) for role, path in roles.items()},
        "block": machine.disks.blocks,
    }
    if machine.pid:
        answer["server"] = _server(machine, option_files)
    return json.dumps(answer, ensure_ascii=False)


def data_size(machine: CollectedMachine) -> int | None:
    """The bytes of InnoDB's tablespace files, as far as the account could see them."""
    section = machine.named.get("@data_files")
    return None if section is None else _whole(section.first("bytes")) or None


def stated(machine: CollectedMachine) -> tuple[int, int] | None:
    """Memory in bytes and processors of a machine without /proc; None where it has one."""
    section = machine.named.get("@host", Section("@host"))
    memory = _whole(section.first("memory"))
    return (memory, _whole(section.first("processors"))) if memory else None


def _place(machine: CollectedMachine, path: str) -> dict[str, Any]:
    if machine.contained:
        return {"path": path, "contained": True}
    section = machine.named.get(f"@directory {path}", Section(""))
    resolved = section.first("resolved")
    if not resolved:
        return {"path": path, "denied": "denied" in section.lines}
    mount = find_mount(machine.mounts, resolved)
    whole, used, available = [*map(_whole, section.first("room").split()), 0, 0, 0][:3]
    pieces = [_whole(piece) * _KIB for piece in section.all("piece")]
    letters = section.first("attributes")
    block = _whole(section.first("block")) or _KIB
    return {
        "path": path,
        "resolved": resolved,
        "exists": True,
        "device": "" if mount is None else mount.device,
        "devices": list(machine.devices(mount)),
        "source_device": "" if mount is None else machine.disks.number(mount.source),
        "block_bytes": block,
        "blocks": whole * _KIB // block,
        "blocks_free": max(0, whole - used) * _KIB // block,
        "blocks_available": available * _KIB // block,
        "allocation_bytes": math.gcd(*pieces),
        "attributes": sum(bit for name, bit in _ATTRIBUTES.items() if name in letters)
        if letters
        else None,
    }


def _server(machine: CollectedMachine, option_files: Iterable[str]) -> dict[str, Any]:
    folder = f"/proc/{machine.pid}/"
    return {
        "pid": machine.pid,
        "hostname": "" if machine.contained else machine.server[0].first("host"),
        "files": {
            each.title.removeprefix(folder): each.text
            for each in machine.server
            if each.title.removeprefix(folder) in _PROCESS
        },
        "groups": {
            each.title: each.text
            for each in machine.server
            if each.title.startswith("/sys/fs/cgroup/")
        },
        "options": read_options_of(machine.server, option_files),
    }


def _whole(text: str) -> int:
    """A whole number; 0 where it is none."""
    try:
        return whole_from_text(text, "a figure of the machine", 0, LARGEST)
    except Malformed:
        return 0
