"""Writes the program's icon as Windows and macOS want it: PNG pictures in a file of its kind."""

from __future__ import annotations

import struct
from pathlib import Path

ICONS = Path(__file__).resolve().parents[1] / "resources" / "icons"
_PICTURES = {
    64: "leadline-64.png",
    128: "leadline-128.png",
    256: "leadline.png",
    512: "leadline-512.png",
}
"""By their width in pixels."""
_ICO_SIZES = (64, 128, 256)
_ICNS_KINDS = {64: b"ic12", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
"""ic12 is 32 points on a screen with two pixels for each."""


def picture(size_px: int) -> bytes:
    """The icon as PNG."""
    return (ICONS / _PICTURES[size_px]).read_bytes()


def write_ico(path: Path) -> Path:
    """Write an icon for Windows: a directory of pictures, and the pictures."""
    pictures = [(size_px, picture(size_px)) for size_px in _ICO_SIZES]
    offset = 6 + 16 * len(pictures)
    entries = b""
    for size_px, content in pictures:
        side = size_px % 256  # 256 does not fit a byte, and is written as 0
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(content), offset)
        offset += len(content)
    head = struct.pack("<HHH", 0, 1, len(pictures))
    return _written(path, head + entries + b"".join(content for _, content in pictures))


def write_icns(path: Path) -> Path:
    """Write an icon for macOS: each picture behind its kind and length."""
    parts = b""
    for size_px, kind in _ICNS_KINDS.items():
        content = picture(size_px)
        parts += kind + struct.pack(">I", 8 + len(content)) + content
    return _written(path, b"icns" + struct.pack(">I", 8 + len(parts)) + parts)


def _written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
