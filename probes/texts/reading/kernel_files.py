"""Files of /proc and /sys as they are printed together, each with its path.

``grep . FILE...`` puts the path before each line, ``head`` and ``tail`` put it above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probes.texts.reading.pieces import MachinePiece, Piece

_ONE_LINE = re.compile(
    r"^\s*(?P<path>/(?:proc|sys|etc/os-release)[\w./@:+-]{0,200}?):(?P<text>.*)$"
)
_ABOVE = re.compile(r"^==> (?P<path>/(?:proc|sys|etc/os-release)[\w./@:+-]{0,200}) <==$")
_OF_DISK = re.compile(
    r"/sys/(?:class/|dev/)?block/(?P<name>[\w.!:@+-]{1,60})/"
    r"(?P<file>(?:queue|device|dm|md|loop)/\w+|size|dev|start)"
)


def read_kernel_files(lines: Sequence[str]) -> Iterator[Piece]:
    """The files as a machine's, and those of devices as theirs; nothing where none is named."""
    texts: dict[str, list[str]] = {}
    path = ""
    for line in lines:
        if (above := _ABOVE.match(line)) is not None:
            path = above["path"]
            continue
        if (found := _ONE_LINE.match(line)) is not None:
            texts.setdefault(found["path"], []).append(found["text"])
            path = ""
        elif path and line.strip():
            texts.setdefault(path, []).append(line)
        else:
            path = path if line.strip() else ""
    files: dict[str, str] = {}
    block: dict[str, dict[str, dict[str, str]]] = {}
    for name, text in texts.items():
        content = "\n".join(text)
        if (disk := _OF_DISK.fullmatch(name)) is not None:
            block.setdefault(disk["name"], {"files": {}})["files"][disk["file"]] = content
        else:
            files[name] = content
    if files or block:
        yield MachinePiece(
            files, block={name: {"name": name, **each} for name, each in block.items()}
        )
