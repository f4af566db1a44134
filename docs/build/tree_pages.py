"""The pages that lie in the tree, as the site has them: where each goes, and what its links become.

In the tree a page links files, so that it can be read there. On the site a link to a page leads to
that page, a link to a rule's source to the rule's page, and any other file is only named.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]

RULES = "reference/rules"
"""Where the rules' pages are; their index is made like them, not taken from docs/."""

_MOVED = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "probes/agent/PROTOCOL.md": "reference/agent-protocol.md",
    "probes/agent/loader/PROTOCOL.md": "reference/load-protocol.md",
}
_INSTEAD = {
    "README.md": "index.md",
    "docs/rules/README.md": f"{RULES}/index.md",
    "app/cli/main.py": "reference/commands/index.md",
    "resources/schema": "reference/documents/index.md",
    "resources/variables": "reference/variables/index.md",
}
"""What the site has in place of a file or folder: pages that are made of it."""

_FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)")
_RULE = re.compile(r"(?:advisor|resources)/rules/([\w-]+)(?:/|\.toml#)([\w-]+?)(?:\.py)?")


class BrokenLink(ValueError):
    """A link to a file that is not there; says which, and on which page."""


def taken() -> Iterator[str]:
    """The pages of the tree that the site has, as paths from the tree's root."""
    docs = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    measured = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("benchmarks/*.md"))
    yield from (path for path in (*_MOVED, *docs, *measured) if path not in _INSTEAD)


def place(path: str) -> str:
    """Where a file of the tree is on the site; "" for one that the site does not have."""
    if path in _MOVED or path in _INSTEAD:
        return _MOVED.get(path) or _INSTEAD[path]
    folder, _, rest = path.partition("/")
    if folder == "docs" and path.endswith((".md", ".png")):
        return rest
    if folder == "benchmarks" and path.endswith(".md"):
        return f"benchmarks/{rest.lower()}"
    return ""


def page(path: str) -> str:
    """A page's text with the site's links; raises BrokenLink."""
    return linked((ROOT / path).read_text(encoding="utf-8"), path)


def linked(text: str, path: str) -> str:
    """The text of the tree's page ``path`` with the site's links; raises BrokenLink."""
    pieces = _FENCED.split(text)
    # What is fenced stands at the odd places.
    pieces[::2] = [_LINK.sub(lambda found: _link(found, path), piece) for piece in pieces[::2]]
    return "".join(pieces)


def pictures(text: str, path: str) -> Iterator[str]:
    """The files of the pictures on a page of the tree."""
    for found in _LINK.finditer(text):
        if found["image"]:
            yield _file(found["target"], path)


def _link(found: re.Match[str], path: str) -> str:
    text, target = found["text"], found["target"]
    if target.startswith("#") or ":" in target:
        return found[0]
    file, mark, heading = target.partition("#")
    file = _file(file, path)
    if rule := _RULE.fullmatch(f"{file}{mark}{heading}"):
        return f"[{text}](#{rule_label(rule[1], rule[2])})"
    there = place(file)
    if not there:
        return text if file in text else f"{text} (`{file}`)"
    way = os.path.relpath(there, PurePosixPath(place(path)).parent)
    if not found["image"]:
        return f"[{text}]({way}{mark}{heading})"
    return f"![{text}]({way})"


def rule_label(family: str, name: str) -> str:
    """What the site's links call a rule; both are parts of its id, or of its file's path."""
    return f"rule-{family}-{name}".replace("_", "-")


def _file(target: str, path: str) -> str:
    """What a link on ``path`` means, from the tree's root; raises BrokenLink."""
    file = os.path.normpath(PurePosixPath(path).parent / target)
    if not (ROOT / file).exists():
        raise BrokenLink(f"{path} links {target}, which is not there.")
    return file
