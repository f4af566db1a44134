"""Prints which folder imports which, the upper ones first: ``packaging/import_graph.py [ROOT]``.

What the contracts in pyproject.toml hold, to look at. Ends with 1 where folders import each other.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import grimp

FLOORS = ("app", "advisor", "probes")
IN_FOLDERS = ("app.views", "advisor.report")
"""Folders whose own folders are told apart."""

Arrows = Mapping[str, Mapping[str, int]]
"""By folder: the folders that it imports, and in how many places."""


def folder_of(module: str, packages: frozenset[str]) -> str:
    """The folder that a module lies in, two names deep at most; three in IN_FOLDERS."""
    names = module.split(".")
    if module not in packages:
        names = names[:-1]
    depth = 3 if ".".join(names[:2]) in IN_FOLDERS else 2
    return ".".join(names[:depth])


def arrows() -> Arrows:
    """Which folder imports which, in the source tree on ``sys.path``."""
    graph = grimp.build_graph(*FLOORS, cache_dir=None)
    packages = frozenset(each.rpartition(".")[0] for each in graph.modules) | set(FLOORS)
    found: dict[str, dict[str, int]] = {}
    for importer in sorted(graph.modules):
        source = folder_of(importer, packages)
        counted = found.setdefault(source, {})
        for imported in graph.find_modules_directly_imported_by(importer):
            target = folder_of(imported, packages)
            if target != source:
                counted[target] = counted.get(target, 0) + 1
    return found


def reached(start: str, found: Arrows) -> set[str]:
    """All folders that ``start`` imports, directly or through others."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = set(found.get(waiting.pop(), {})) - seen
        seen |= new
        waiting += new
    return seen


def main() -> int:
    """Print the graph of the tree that is named, or of this one."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    sys.path.insert(0, str(root))
    found = arrows()
    below = {folder: reached(folder, found) for folder in found}
    for folder in sorted(found, key=lambda each: (-len(below[each]), each)):
        listed = ", ".join(f"{name} ({count})" for name, count in sorted(found[folder].items()))
        sys.stdout.write(f"{folder}: {listed or 'none'}\n")
    circles = sorted(folder for folder in found if folder in below[folder])
    if circles:
        sys.stdout.write(f"Folders that import each other: {', '.join(circles)}\n")
    else:
        sys.stdout.write(f"{len(found)} folders, none imports one that imports it.\n")
    return 1 if circles else 0


if __name__ == "__main__":
    sys.exit(main())
