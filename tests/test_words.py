"""The glossary's words, held over every sentence that a user can see, and over every document."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.rulekit.registry import all_rules

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
LAYERS = ("app", "advisor", "probes")


def not_written() -> list[str]:
    """The phrases of the glossary's last table."""
    table = GLOSSARY.read_text(encoding="utf-8").split("## Not written")[1]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
    return [phrase for row in rows[2:] for phrase in row.split(", ")]


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module that is no docstring and has a space, with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) not in silent and " " in node.value.strip():
            yield node.lineno, node.value


PHRASES = re.compile(
    rf"(?<![\w-])(?:{'|'.join(re.escape(phrase) for phrase in not_written())})(?![\w-])",
    re.IGNORECASE,
)


def remarks(path: Path) -> Iterator[tuple[int, str]]:
    """Every line of a module's docstrings and comments, without the code that they quote."""
    source = path.read_text(encoding="utf-8")
    inside = {
        number
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for number, line in enumerate(source.splitlines(), 1):
        if number in inside or line.lstrip().startswith("#"):
            yield number, QUOTED.sub("", line)


def names(path: Path) -> Iterator[tuple[int, str]]:
    """Every name that a module gives to something."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


QUOTED = re.compile(r"``[^`]*``")
NO_NAME = {"told", "tells", "untold", "said", "unsaid"}
"""Whether a server reports, a person states or a text is meant, these do not say."""

PUBLISHED = {"told"}
"""The field of a target and of an inventory, which documents and stores have under that name."""


@pytest.mark.parametrize("layer", LAYERS)
def test_docstrings_and_comments_use_the_glossarys_words(layer: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {found[0]!r}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        for line, text in remarks(path)
        if (found := PHRASES.search(text))
    ]
    assert wrong == []


@pytest.mark.parametrize("layer", LAYERS)
def test_names_say_who_says_it(layer: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        for line, name in names(path)
        if name not in PUBLISHED
        and NO_NAME.intersection(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_"))
    ]
    assert wrong == []


def test_no_two_classes_are_called_the_same() -> None:
    found: dict[str, list[str]] = {}
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


@pytest.mark.parametrize("layer", LAYERS)
def test_sentences_use_the_glossarys_words(layer: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {found[0]!r} in {text!r}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        for line, text in sentences(path)
        if (found := PHRASES.search(text))
    ]
    assert wrong == []


def test_rules_pages_use_the_glossarys_words() -> None:
    wrong = [
        f"{rule.id}: {found[0]!r} in {line!r}"
        for rule in all_rules()
        for line in (rule.title, *rule.text.splitlines())
        if (found := PHRASES.search(line))
    ]
    assert wrong == []


DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/**/*.md",
    "resources/texts/*.md",
    "resources/findings/*.toml",
    "resources/variables/*.toml",
    "benchmarks/servers/review.toml",
)
"""Pages and data that people read; the glossary itself lists the words."""


@pytest.mark.parametrize("pattern", DOCUMENTS)
def test_documents_use_the_glossarys_words(pattern: str) -> None:
    pages = [path for path in sorted(ROOT.glob(pattern)) if path != GLOSSARY]
    assert pages
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {found[0]!r} in {line!r}"
        for path in pages
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (found := PHRASES.search(line))
    ]
    assert wrong == []


def test_the_glossary_explains_each_term_once() -> None:
    page = GLOSSARY.read_text(encoding="utf-8").split("## Not written")[0]
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| ")]
    terms = [term.strip() for term, _ in rows if term.strip() not in {"term", "---"}]
    assert len(terms) == len(set(terms)) > 40
    assert all(meaning.strip() for _, meaning in rows)
