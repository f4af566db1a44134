"""Where the server's files lie: what df, mount, /proc/mounts and lsblk print."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from probes.texts.reading import amounts
from probes.texts.reading.pieces import MachinePiece, Piece

_DF_HEAD = re.compile(
    r"^\s*Filesystem\s+(?P<type>Type\s+)?(?P<unit>1K-blocks|1024-blocks|512-blocks|1M-blocks|1B-blocks"
    r"|Size|Inodes)\b"
)
_DF_ROW = re.compile(
    r"^\s*(?P<source>\S+)\s+(?:(?P<type>[a-z][\w.]{1,20})\s+)?(?P<size>[\d.]+[KMGTPE]?i?)\s+"
    r"(?P<used>[\d.]+[KMGTPE]?i?)\s+(?P<free>-?[\d.]+[KMGTPE]?i?)\s+(?P<share>\d{1,3}%|-)\s+(?P<point>/\S*)\s*$"
)
_DF_UNITS = {"1K-blocks": 1024, "1024-blocks": 1024, "512-blocks": 512, "1M-blocks": 1 << 20,
             "1B-blocks": 1, "Size": 0}  # fmt: skip
_MOUNT = re.compile(
    r"^\s*(?P<source>/dev/\S+|tmpfs|\S+:/\S*|\w[\w/-]*) on (?P<point>/\S*) type (?P<type>[\w.]+) "
    r"\((?P<options>[^)]{1,2000})\)\s*$"
)
_PROC_MOUNTS = re.compile(
    r"^\s*(?P<source>/dev/\S+|\S+:/\S*|\w[\w/-]*) (?P<point>/\S*) "
    r"(?P<type>ext[234]|xfs|btrfs|zfs|nfs4?|tmpfs"
    r"|overlay|ocfs2|gfs2|reiserfs|jfs|f2fs) (?P<options>r[ow](?:,\S{1,2000})?) \d \d\s*$"
)
_LSBLK_HEAD = re.compile(r"^\s*NAME\s+(?:\S+\s+){1,40}")
_TREE = re.compile(r"^[\s|`├└─│-]*")
_NOT_MEASURED = frozenset({"loop", "rom"})
_TRANSPORTS = {"nvme": "/nvme/", "sata": "/ata1/", "sas": "/end_device-0/", "usb": "/usb1/",
               "virtio": "/virtio0/", "iscsi": "/session1/", "fc": "/rport-0/"}  # fmt: skip
"""A path in sysfs that the reader of disks knows a bus by."""


def read_storage_texts(lines: Sequence[str]) -> Iterator[Piece]:
    """Mounts, room and block devices, as far as the text has them."""
    mounts: dict[str, tuple[str, str, str]] = {}
    rooms: dict[str, tuple[int, int]] = {}
    unit, typed = -1, False
    for line in lines:
        head = _DF_HEAD.match(line)
        if head is not None:
            unit, typed = _DF_UNITS.get(head["unit"], -1), bool(head["type"])
            continue
        found = _MOUNT.match(line) or _PROC_MOUNTS.match(line)
        if found is not None:
            mounts[found["point"]] = (found["source"], found["type"], found["options"])
            continue
        row = _DF_ROW.match(line)
        if row is None or unit < 0:
            continue
        sizes = [_size(row[name], unit) for name in ("size", "free")]
        if all(size is not None for size in sizes):
            rooms[row["point"]] = (sizes[0] or 0, sizes[1] or 0)
        kind = (row["type"] or "") if typed else ""
        mounts.setdefault(row["point"], (row["source"], kind, ""))
    block, numbers = _block_devices(lines)
    if mounts or block:
        yield MachinePiece(mounts=tuple(_mountinfo(mounts, numbers)), block=block, rooms=rooms)


def _size(word: str, unit: int) -> int | None:
    if word.isdecimal() and unit:
        return int(word) * unit
    return amounts.size_bytes(word.removesuffix("i"))


def _mountinfo(
    mounts: Mapping[str, tuple[str, str, str]], numbers: Mapping[str, str]
) -> Iterator[str]:
    """Lines of /proc/self/mountinfo, the form in which mounts are read."""
    for at, (point, (source, kind, options)) in enumerate(mounts.items()):
        device = numbers.get(source.rpartition("/")[2], f"0:{at + 1}")
        text = options.replace(" ", "")
        mounted = f"{at + 1} 0 {device} / {_escaped(point)} {text or 'rw'}"
        yield f"{mounted} - {kind or '?'} {source} {text}"


def _escaped(point: str) -> str:
    return point.replace(" ", "\\040")


def _block_devices(
    lines: Sequence[str],
) -> tuple[dict[str, dict[str, object]], dict[str, str]]:
    """The devices of lsblk by "major:minor", and the numbers by name."""
    text = "\n".join(lines)
    at = text.find('"blockdevices"')
    if at >= 0:
        start = text.rfind("{", 0, at)
        try:
            document, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            return {}, {}
        rows = list(_json_rows(document.get("blockdevices"), ""))
    else:
        rows = list(_table_rows(lines))
    made: dict[str, dict[str, object]] = {}
    numbers: dict[str, str] = {}
    slaves: dict[str, list[str]] = {}
    for row, parent in rows:
        name = row.get("NAME", "").rpartition("/")[2]
        number = numbers.setdefault(name, row.get("MAJ:MIN") or f"999:{len(made)}")
        # A volume over two disks stands below each of them.
        below = slaves.setdefault(number, [])
        device = made.setdefault(number, {"name": name, "files": _files(row), "slaves": below})
        if path := _TRANSPORTS.get(row.get("TRAN", ""), ""):
            device["path"] = f"/sys/devices{path}{name}"
        if parent in numbers and row.get("TYPE") == "part":
            device["parent"] = numbers[parent]
        elif parent in numbers:
            below.append(numbers[parent])
    return made, numbers


def _files(row: Mapping[str, str]) -> dict[str, str]:
    """What lsblk says of a device, as the files of sysfs that it reads."""
    files: dict[str, str] = {}
    size = amounts.size_bytes(row.get("SIZE", ""))
    if size is not None:
        files["size"] = str(size // 512)
    for column, name in (("ROTA", "queue/rotational"), ("SCHED", "queue/scheduler"),
                         ("RQ-SIZE", "queue/nr_requests"), ("LOG-SEC", "queue/logical_block_size"),
                         ("PHY-SEC", "queue/physical_block_size"), ("RA", "queue/read_ahead_kb"),
                         ("MODEL", "device/model"), ("VENDOR", "device/vendor")):  # fmt: skip
        if row.get(column):
            files[name] = row[column]
    kind, name = row.get("TYPE", ""), row.get("NAME", "")
    if kind == "part":
        files["partition"] = "1"
    if kind in ("lvm", "crypt", "mpath"):
        # device-mapper's own files, by which layers are known.
        prefix = {"lvm": "LVM-", "crypt": "CRYPT-LUKS-", "mpath": "mpath-"}[kind]
        files |= {"dm/uuid": prefix + re.sub(r"\W", "", name), "dm/name": name}
    if kind.startswith("raid"):
        files["md/level"] = kind
    return files


def _table_rows(lines: Sequence[str]) -> Iterator[tuple[dict[str, str], str]]:
    """Rows of lsblk's tree with the name of what each lies on.

    Cells stand below their heads; one that is empty leaves its place blank.
    """
    heads: list[tuple[str, int, int]] = []
    path: list[tuple[int, str]] = []
    for line in lines:
        if _LSBLK_HEAD.match(line) and ("MAJ:MIN" in line or "ROTA" in line or "TYPE" in line):
            heads, path = _heads(line), []
            continue
        if not heads or not line.strip():
            heads = heads if line.strip() else []
            continue
        deep = len(_TREE.match(line)[0])  # type: ignore[index] # it matches nothing, too
        row = _row(line, heads)
        name = _TREE.sub("", row.get("NAME", "")).strip()
        if not name or not re.fullmatch(r"[\w.!:@+/-]{1,80}", name):
            heads = []
            continue
        row["NAME"] = name
        while path and path[-1][0] >= deep:
            path.pop()
        parent = path[-1][1] if path else ""
        path.append((deep, name))
        if row.get("TYPE", "disk") not in _NOT_MEASURED:
            yield row, parent


def _heads(line: str) -> list[tuple[str, int, int]]:
    return [(match[0], match.start(), match.end()) for match in re.finditer(r"\S+", line)]


def _row(line: str, heads: Sequence[tuple[str, int, int]]) -> dict[str, str]:
    """The words of a line by the head that each overlaps, or is nearest to."""
    row: dict[str, str] = {}
    words = list(re.finditer(r"\S+", line))
    first = words[0] if words else None
    for word in words:
        if word is first or _TREE.fullmatch(word[0]):
            row["NAME"] = f"{row.get('NAME', '')} {word[0]}".strip()
            continue
        middle = (word.start() + word.end()) / 2
        head = min(heads, key=lambda each: _distance(each, word.start(), word.end(), middle))
        row[head[0]] = f"{row[head[0]]} {word[0]}" if head[0] in row else word[0]
    return row


def _distance(head: tuple[str, int, int], start: int, end: int, middle: float) -> float:
    if start < head[2] and head[1] < end:
        return 0.0
    return min(abs(head[1] - middle), abs(head[2] - middle))


def _json_rows(devices: object, parent: str) -> Iterator[tuple[dict[str, str], str]]:
    for device in devices if isinstance(devices, list) else ():
        if not isinstance(device, dict):
            continue
        row = {str(name).upper(): _word(value) for name, value in device.items()
               if not isinstance(value, list | dict)}  # fmt: skip
        if row.get("TYPE", "disk") not in _NOT_MEASURED:
            yield row, parent
        yield from _json_rows(device.get("children"), row.get("NAME", ""))


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else str(value)
