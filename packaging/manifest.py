"""Lists what an installed Leadline must contain, from the source tree, for ``--self-test``.

Frozen builds and wheels lose files silently: a module that is found by scanning, an icon, an agent.
The list travels with them as ``resources/manifest.json``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "advisor", "probes")
NOT_SHIPPED = {"__pycache__", "__init__.py", "manifest.json", "SOURCE_SHA256"}


def modules(root: Path) -> list[str]:
    """Every module of the three layers by its dotted name."""
    names = []
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def resources(root: Path) -> list[str]:
    """Every data file, relative to ``resources/``."""
    folder = root / "resources"
    return [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not NOT_SHIPPED.intersection(path.relative_to(folder).parts)
    ]


def write(root: Path) -> Path:
    """Write the manifest into the tree's resources and return its path."""
    path = root / "resources" / "manifest.json"
    content = {"modules": modules(root), "resources": resources(root)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{write(ROOT)}\n")
