"""What texts say of the machine, as one answer of the agent's: an inventory reads both alike."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping, Sequence

from probes.inventory.machine.mounts import Mount, find_mount, parse_mounts
from probes.inventory.roles import role_directories
from probes.texts.reading.pieces import MachinePiece
from probes.version import ServerVersion

ANSWER = "agent.inventory"
_MOUNTS = "/proc/self/mountinfo"


def machine_answer(
    pieces: Sequence[MachinePiece], variables: Mapping[str, str], version: ServerVersion
) -> dict[str, str]:
    """Put the parts together, each file as the first text has it, and find the directories."""
    files: dict[str, str] = {}
    block: dict[str, Mapping[str, object]] = {}
    rooms: dict[str, tuple[int, int]] = {}
    mounts: list[str] = []
    for piece in pieces:
        files = {**piece.files, **files}
        block = _joined(block, piece.block)
        rooms = {**piece.rooms, **rooms}
        mounts += piece.mounts
    if mounts:
        files[_MOUNTS] = "\n".join(_best(mounts))
    content = {
        "sent": True,
        "hostname": next((each.hostname for each in pieces if each.hostname), ""),
        "arch": next((each.architecture for each in pieces if each.architecture), ""),
        "files": files,
        "block": block,
        "paths": _paths(parse_mounts(files.get(_MOUNTS, "")), rooms, variables, version),
    }
    return {ANSWER: json.dumps(content, ensure_ascii=False)}


def _joined(
    known: Mapping[str, Mapping[str, object]], more: Mapping[str, Mapping[str, object]]
) -> dict[str, Mapping[str, object]]:
    """Devices of two texts: one has the numbers, the other files of sysfs; names are the same."""
    made = dict(known)
    at = {str(each.get("name")): number for number, each in known.items()}
    for number, device in more.items():
        place = at.get(str(device.get("name")), number)
        before = made.get(place, {})
        files = {**_files(before), **_files(device)}
        made[place] = {**device, **before, "files": files}
    return made


def _files(device: Mapping[str, object]) -> dict[str, object]:
    files = device.get("files")
    return dict(files) if isinstance(files, dict) else {}


def _best(mounts: Sequence[str]) -> list[str]:
    """One line a mount point: the one that says most of it (df knows no options)."""
    best: dict[str, str] = {}
    for line in mounts:
        point = line.split(" ")[4]
        if "- ? " not in line or point not in best:
            best[point] = line
    return list(best.values())


def _paths(
    mounts: list[Mount],
    rooms: Mapping[str, tuple[int, int]],
    variables: Mapping[str, str],
    version: ServerVersion,
) -> dict[str, dict[str, object]]:
    """Each directory of the server's on a mount that is known; nothing where none is."""
    made: dict[str, dict[str, object]] = {}
    for role, directory in role_directories(variables, version).items():
        path = posixpath.normpath(directory)
        mount = find_mount(mounts, path)
        if mount is None:
            continue
        # Blocks of one byte: texts say how large a file system is, and not what its blocks are.
        size, free = rooms.get(mount.point, (0, 0))
        made[role.value] = {"path": path, "resolved": path, "exists": True, "block_bytes": 1,
                            "blocks": size, "blocks_available": free}  # fmt: skip
    return made
