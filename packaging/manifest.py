"""Lists what an installed Leadline must contain, from the source tree, for ``--self-test``.

Frozen builds and wheels lose files silently: a module that is found by scanning, an icon, an agent.
The list travels with them as ``resources/manifest.json``. The 200 sheets of variables travel as one
file, which is read ten times as fast, and so do the pages of the documentation that the window's
help shows (180 KiB, 65 in a wheel).
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from build_agent import ROOT

from app.presenters.frame import manual
from app.runtime.commit import KEPT, commit

PACKAGES = ("app", "advisor", "probes")
SHEETS, PACKED = "variables", "variables.json"
WRITTEN = ("manifest.json", KEPT)
"""What a build adds to the resources beside what they list."""
BUILT = (PACKED, manual.PACKED)
NOT_SHIPPED = {"__pycache__", "__init__.py", *WRITTEN, "SOURCE_SHA256", SHEETS, *BUILT}


def modules(root: Path) -> list[str]:
    """Every module of the three layers by its dotted name."""
    names = []
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def resources(root: Path) -> list[str]:
    """Every data file that is shipped, relative to ``resources/``."""
    folder = root / "resources"
    found = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not NOT_SHIPPED.intersection(path.relative_to(folder).parts)
    ]
    return [*found, *BUILT]


def pack(root: Path, into: Path) -> None:
    """Write the tree's sheets of variables into one file."""
    sheets = sorted((root / "resources" / SHEETS).glob("*.toml"))
    told = [tomllib.loads(sheet.read_text(encoding="utf-8")) for sheet in sheets]
    into.write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")


def pack_manual(root: Path, into: Path) -> None:
    """Write the pages of the documentation that the window shows into one file."""
    pages = manual.of_tree(root / "docs")
    into.write_text(json.dumps(pages, ensure_ascii=False) + "\n", encoding="utf-8")


def keep_commit(root: Path) -> None:
    """Keep the tree's commit among its resources, for what is built from it; "" where unknown."""
    (root / "resources" / KEPT).write_text(f"{commit(root)}\n", encoding="utf-8")


def write(root: Path) -> Path:
    """Write what a build adds to the tree's resources; returns the manifest's path."""
    keep_commit(root)
    pack(root, root / "resources" / PACKED)
    pack_manual(root, root / "resources" / manual.PACKED)
    path = root / "resources" / "manifest.json"
    content = {"modules": modules(root), "resources": resources(root)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    print(write(ROOT))
