"""Block devices as the script found them in /sys, in the shape of the agent's answer."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from probes.collection.sections import Section

DISK = "@disk"
_CLASS = "/sys/class/block/"
_DEEPEST = 16

Block = dict[str, Any]
"""One device, as the agent reports it."""


@dataclass(frozen=True, slots=True)
class Disks:
    """All devices by their numbers ("8:1"), the numbers by name, and which btrfs spread over."""

    blocks: Mapping[str, Block]
    numbers: Mapping[str, str]
    spread: tuple[tuple[str, ...], ...] = field(default=())

    def number(self, source: str) -> str:
        """The number of the device that a mount's source names; "" where it is none."""
        name = source.rpartition("/")[2]
        if not source.startswith("/dev/"):
            return ""
        by_name = (
            number for number, block in self.blocks.items() if name == block["files"].get("dm/name")
        )
        return self.numbers.get(name) or next(by_name, "")

    def together(self, number: str) -> tuple[str, ...]:
        """All devices of the btrfs that this one belongs to; none of other file systems."""
        return next((devices for devices in self.spread if number in devices), ())

    def lowest(self, number: str) -> str:
        """Down from a partition or a volume to where nothing distinguishes its requests further."""
        for _ in range(_DEEPEST):
            block = self.blocks.get(number)
            if block is None:
                break
            below = [block["parent"]] if "partition" in block["files"] else block["slaves"]
            if len(below) != 1 or below[0] in ("", number):
                break
            (number,) = below
        return number


def read_disks(found: Iterable[Section]) -> Disks:
    """Read the sections of disks, and of the files of each that follow it."""
    known: dict[str, tuple[Section, dict[str, str]]] = {}
    groups: list[list[str]] = []
    for section in found:
        if section.kind == DISK:
            known[section.about] = (section, {})
        elif section.title == "@btrfs":
            groups.append([posixpath.basename(line) for line in section.lines])
        elif section.title.startswith(_CLASS):
            name, _, file = section.title.removeprefix(_CLASS).partition("/")
            if name in known:
                known[name][1][file] = section.text.strip()
    numbers = {name: files.get("dev", "") for name, (_, files) in known.items() if "dev" in files}
    blocks = {
        number: _block(name, *known[name], numbers) for name, number in numbers.items() if number
    }
    spread = tuple(tuple(filter(None, map(numbers.get, names))) for names in groups)
    return Disks(blocks, numbers, spread)


def _block(name: str, section: Section, files: dict[str, str], numbers: Mapping[str, str]) -> Block:
    path = section.first("path")
    parent = numbers[name]
    if "partition" in files:
        parent = numbers.get(posixpath.basename(posixpath.dirname(path)), parent)
    interrupts = (each.partition(" ") for each in section.all("interrupt"))
    return {
        "name": name,
        "files": files,
        "slaves": [numbers[each] for each in section.all("slave") if each in numbers],
        "parent": parent,
        "path": path.removeprefix("/sys"),
        "queues": len(section.all("queue")),
        "interrupts": {number: processors for number, _, processors in interrupts},
    }
