"""The agent's raw answer about a machine, as a value whose absent parts are simply empty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST_WORD, whole_from_text
from probes.boundary.numbers import whole as whole_number

LONGEST_BYTES = 8 << 20
"""A machine of a thousand disks answers with some 3 MiB."""

_NO_DEVICE = re.compile(r"[^A-Za-z0-9_.!:@+-]")
"""What stands in no device's name. Names get into commands and udev's rules, which root runs."""


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """What ``stat`` and ``statfs`` reported of one directory; ``device`` is "major:minor".

    ``denied`` marks one inside a directory that the account may not enter: nothing more is known.
    ``contained`` marks one of a server in a container, where the machine has another one, or none.
    Where the filesystem has an anonymous device of its own, ``source_device`` is the one that the
    mount's source names, and ``devices`` are all that btrfs spreads over.
    """

    path: str
    resolved: str = ""
    exists: bool = False
    denied: bool = False
    contained: bool = False
    device: str = ""
    devices: tuple[str, ...] = ()
    source_device: str = ""
    block_bytes: int = 0
    blocks: int = 0
    blocks_free: int = 0
    blocks_available: int = 0
    atomic_write_unit_max_bytes: int | None = None
    allocation_bytes: int | None = None
    attributes: int | None = None


@dataclass(frozen=True, slots=True)
class BlockAnswer:
    """One block device: its sysfs files, the devices below it and the disk it is a part of.

    ``interrupts`` maps each of its interrupts to the processors that answer it ("0-3").
    """

    name: str
    path: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    slaves: tuple[str, ...] = ()
    parent: str = ""
    queues: int = 0
    interrupts: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A sysfs file without its end of line, "" when it was not there."""
        return self.files.get(name, "").strip()

    def number(self, name: str) -> int | None:
        """A sysfs file as a whole number, None when absent or none."""
        return whole(self.text(name))


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """The server's process: files of its folder in /proc, and the limits of its control groups.

    ``options`` is what stands in its option files, None where nobody looked. ``hostname`` is what
    it calls its machine, "" where that is not known.
    """

    pid: int
    files: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] | None = None
    hostname: str = ""


@dataclass(frozen=True, slots=True)
class MachineAnswer:
    """Everything that ``leadline-agent inventory`` printed.

    ``sent``: it was made of texts that somebody sent, so that what is absent says nothing.
    """

    hostname: str = ""
    architecture: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    paths: Mapping[str, PathAnswer] = field(default_factory=dict)
    block: Mapping[str, BlockAnswer] = field(default_factory=dict)
    server: ServerAnswer | None = None
    sent: bool = False

    @classmethod
    def parse(cls, text: str) -> MachineAnswer:
        """Read the JSON; raises Malformed, a ValueError, when it is no object within limits."""
        answer = decode_object(text, LONGEST_BYTES)
        return cls(
            hostname=_text(answer, "hostname"),
            architecture=_text(answer, "arch"),
            files=_texts(answer, "files"),
            paths={role: _path(path) for role, path in _objects(answer, "paths").items()},
            block={device: _block(block) for device, block in _objects(answer, "block").items()},
            server=_server(answer.get("server")),
            sent=answer.get("sent") is True,
        )

    def text(self, name: str) -> str:
        """A file without its end of line, "" when it was not there."""
        return self.files.get(name, "").strip()

    def number(self, name: str) -> int | None:
        """A file as a whole number, None when absent or none."""
        return whole(self.text(name))


def whole(text: str) -> int | None:
    """A whole number in decimal digits, None when ``text`` is none."""
    try:
        return whole_from_text(text, "a file", -LARGEST_WORD, LARGEST_WORD)
    except Malformed:
        return None


def device_name(name: str) -> str:
    """A device's name, with a ``?`` for what stands in none."""
    return _NO_DEVICE.sub("?", name)


def _path(answer: Mapping[str, Any]) -> PathAnswer:
    return PathAnswer(
        path=_text(answer, "path"),
        resolved=_text(answer, "resolved"),
        exists=answer.get("exists") is True,
        denied=answer.get("denied") is True,
        contained=answer.get("contained") is True,
        device=_text(answer, "device"),
        devices=_list(answer, "devices"),
        source_device=_text(answer, "source_device"),
        block_bytes=_whole(answer, "block_bytes") or 0,
        blocks=_whole(answer, "blocks") or 0,
        blocks_free=_whole(answer, "blocks_free") or 0,
        blocks_available=_whole(answer, "blocks_available") or 0,
        atomic_write_unit_max_bytes=_whole(answer, "atomic_write_unit_max_bytes"),
        allocation_bytes=_whole(answer, "allocation_bytes") or None,
        attributes=_whole(answer, "attributes"),
    )


def _block(answer: Mapping[str, Any]) -> BlockAnswer:
    return BlockAnswer(
        name=device_name(_text(answer, "name")),
        path=_text(answer, "path"),
        files=_texts(answer, "files"),
        slaves=_list(answer, "slaves"),
        parent=_text(answer, "parent"),
        queues=_whole(answer, "queues") or 0,
        interrupts=_texts(answer, "interrupts"),
    )


def _server(answer: object) -> ServerAnswer | None:
    if not isinstance(answer, dict) or _whole(answer, "pid") is None:
        return None
    files, groups = _texts(answer, "files"), _texts(answer, "groups")
    options = answer.get("options")
    return ServerAnswer(
        _whole(answer, "pid") or 0,
        files,
        groups,
        options if isinstance(options, dict) else None,
        _text(answer, "hostname"),
    )


def _text(answer: Mapping[str, Any], name: str) -> str:
    value = answer.get(name)
    return value if isinstance(value, str) else ""


def _whole(answer: Mapping[str, Any], name: str) -> int | None:
    value = answer.get(name)
    try:
        return whole_number(value, name, 0, LARGEST_WORD)
    except Malformed:
        return None


def _list(answer: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = answer.get(name)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _texts(answer: Mapping[str, Any], name: str) -> dict[str, str]:
    value = answer.get(name)
    return {str(key): str(text) for key, text in value.items()} if isinstance(value, dict) else {}


def _objects(answer: Mapping[str, Any], name: str) -> dict[str, Mapping[str, Any]]:
    value = answer.get(name)
    items = value.items() if isinstance(value, dict) else ()
    return {str(key): item for key, item in items if isinstance(item, dict)}
