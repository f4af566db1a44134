"""Tooltips show texts as they are, whatever tags are in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import Qt, QTextDocument

from app.presenters.texts.typesetting import plain_tip

APP = Path(__file__).parents[4] / "app"


@pytest.mark.parametrize(
    "text",
    [
        "<img src='file:///etc/x.png'>",
        "a <b>bold</b> name\non two lines",
        "reads < 4 & more > 2",
        "<?xml version='1.0'?><html><body>x</body></html>",
        "plain\ntext & more",
        "&lt;b&gt;",
    ],
)
def test_a_text_is_shown_as_it_is(text: str) -> None:
    tip = plain_tip(text)
    if Qt.mightBeRichText(tip):
        document = QTextDocument()
        document.setHtml(tip)
        shown = document.toPlainText()
    else:
        shown = tip
    assert shown == text
    assert "<img" not in tip


def calls() -> Iterator[tuple[str, ast.expr]]:
    """Each text that is given as a tooltip, with its place."""
    for file in sorted(APP.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                place = f"{file.relative_to(APP)}:{node.lineno}"
                if node.func.attr == "setToolTip":
                    yield place, node.args[-1]
                elif node.func.attr == "showText":
                    yield place, node.args[1]


def is_ours(text: ast.expr) -> bool:
    """A text of the program's own, or one that is held to be plain."""
    match text:
        case ast.Constant():
            return True
        case ast.IfExp():
            return is_ours(text.body) and is_ours(text.orelse)
        case ast.Call(func=ast.Name(id="plain_tip")):
            return True
        case ast.Call(func=ast.Name(id="tr"), keywords=[]):
            return True
        case ast.Subscript():
            return is_ours(text.value)
        case ast.Name():
            return text.id.isupper()
    return False


def test_every_tooltip_is_plain() -> None:
    found = list(calls())
    assert len(found) > 20
    assert [place for place, text in found if not is_ours(text)] == []
