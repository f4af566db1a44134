"""How PyInstaller freezes Leadline: what the specifications for all systems share, and their icons.

An icon is written as its system wants it: PNG pictures in a file of its kind.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import manifest
from build_agent import ROOT

START = ROOT / "app" / "__main__.py"
BUNDLE = "org.leadline.Leadline"
CASE_TYPE = f"{BUNDLE}.case"
"""How macOS calls the program, and the type of its case files."""


ICONS = ROOT / "resources" / "icons"
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


def freeze(spec: str, dist: Path) -> None:
    """Put what the specification makes into ``dist``; raises subprocess.CalledProcessError."""
    argv = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    argv += ["--distpath", str(dist), "--workpath", str(ROOT / "build" / "frozen")]
    # With any other seed, the order of sets would differ from build to build.
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    subprocess.run(
        [*argv, str(ROOT / "packaging" / "frozen" / spec)], cwd=ROOT, env=environment, check=True
    )


def analysed() -> dict[str, Any]:
    """The arguments of PyInstaller's Analysis; the list of parts is written anew."""
    from PyInstaller.utils.hooks import (  # type: ignore[import-untyped]
        collect_submodules,
        copy_metadata,
    )

    manifest.write(ROOT)
    # Its RECORD has sums of scripts that name the place of this environment.
    about, place = copy_metadata("keyring")[0]
    shipped = [*manifest.resources(ROOT), *manifest.WRITTEN]
    return {
        "pathex": [str(ROOT)],
        # Rules are found by scanning, keyring's backends by entry points: no import names them.
        "hiddenimports": [
            "resources",
            *manifest.modules(ROOT),
            *collect_submodules("keyring.backends"),
        ],
        "datas": [
            *[
                (str(ROOT / "resources" / name), str((Path("resources") / name).parent))
                for name in shipped
            ],
            *[(f"{about}/{name}", place) for name in ("METADATA", "entry_points.txt")],
        ],
        "excludes": ["tkinter", "pytest", "IPython", "matplotlib", "PyInstaller", "setuptools"],
        # Docstrings are the rules' pages: no optimisation may drop them.
        "optimize": 0,
    }


def property_list(version: str) -> dict[str, Any]:
    """What macOS reads of the bundle: its version, and that it opens case files."""
    return {
        "CFBundleName": "Leadline",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": "12.0",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The Leadline authors. Apache-2.0.",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Leadline case",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [CASE_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": CASE_TYPE,
                "UTTypeDescription": "Leadline case",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": ["leadline"]},
            }
        ],
    }


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
