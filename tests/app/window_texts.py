"""The texts of the window as its sources have them: which are translated, and which are not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAYING = ("presenters", "views", "window")
"""Folders of ``app/`` that say something to the person at the window."""

TRANSLATING = frozenset({"tr", "tr_later", "tr_n"})
SILENT = TRANSLATING | {
    "Job",
    "QKeySequence",
    "TypeVar",
    "import_module",
    "info",
    "setObjectName",
    "setProperty",
    "set_state",
    "set_switch",
    "set_text",
    "state",
    "switch",
    "text",
    "warning",
}
"""What takes texts that are translated already, or that nobody at the window reads."""

Text = tuple[str, str]
"""A text, and what tells it from others of the same words: as a catalogue has them."""


def saying() -> list[Path]:
    """The modules that say something to the person at the window."""
    return sorted(path for folder in SAYING for path in (ROOT / "app" / folder).rglob("*.py"))


def translated(path: Path) -> Iterator[Text]:
    """Each text that a module has translated, where it stands."""
    for node in ast.walk(_tree(path)):
        if _called(node) in TRANSLATING and isinstance(node, ast.Call):
            given = (each.value for each in node.args if isinstance(each, ast.Constant))
            texts = [each for each in given if isinstance(each, str)]
            if texts:
                yield texts[0], texts[1] if len(texts) > 1 else ""


def untranslated(path: Path) -> Iterator[str]:
    """Each text of a module that reads like one for people and is not translated."""
    tree = _tree(path)
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        if _called(node) in SILENT:
            passed.update(map(id, ast.walk(node)))
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            passed.update(map(id, ast.walk(node.returns)))
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            passed.update(map(id, node.values))
            said = "".join(
                str(each.value) for each in node.values if isinstance(each, ast.Constant)
            )
            if _reads_like_text(said):
                yield said
        elif isinstance(node, ast.Constant) and _reads_like_text(node.value):
            yield str(node.value)


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _called(node: ast.AST) -> str:
    """The function or method that a call names; "" for all else."""
    if not isinstance(node, ast.Call):
        return ""
    name = node.func
    return name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")


def _reads_like_text(text: object) -> bool:
    """Several words, or one that begins like a label; a module's dotted name is neither."""
    if not isinstance(text, str) or not (words := re.findall(r"[A-Za-z]{2,}", text)):
        return False
    return " " in text.strip() or (words[0][0].isupper() and not re.search(r"\w\.\w", text))
