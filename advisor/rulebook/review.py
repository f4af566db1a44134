"""Whether every rule is complete: its cases, its page, its sources."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.knowledge.findings import findings
from advisor.rulebook.pages import index_row
from advisor.rulekit.rule import Rule

SECTIONS = (
    "What it checks",
    "Why it matters",
    "How it is judged",
    "How to check by hand",
    "Risk and undo",
    "When it is wrong",
    "References",
)
"""What every page says, in this order."""

_FIRING = {"recommend", "watch"}


@dataclass(frozen=True, slots=True)
class Cases:
    """How many of a rule's cases end how; a boundary case is also one of the others."""

    firing: int
    fine: int
    not_judged: int
    not_applicable: int
    boundary: int

    @property
    def total(self) -> int:
        """How many there are."""
        return self.firing + self.fine + self.not_judged + self.not_applicable


@dataclass(frozen=True, slots=True)
class Review:
    """One rule: its cases (None where they do not ship), its sources, and what it lacks.

    ``sources`` counts its references and published findings.
    """

    rule: Rule
    cases: Cases | None
    sources: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """What a review looks into of a source tree: the cases, and the index of the rules.

    An installation has neither.
    """

    cases: Path
    index: Path


def source_tree(root: Path) -> Tree | None:
    """The tree at ``root``, None where the program was installed without one."""
    tree = Tree(root / "tests" / "rules" / "cases", root / "docs" / "rules" / "README.md")
    return tree if tree.cases.is_dir() else None


def reviewed(rules: Sequence[Rule], tree: Tree | None) -> list[Review]:
    """Review rules one by one; raises OSError when a file can't be read."""
    return [_review(rule, tree) for rule in rules]


def _review(rule: Rule, tree: Tree | None) -> Review:
    cases = None if tree is None else _cases(rule, tree.cases)
    references = _section(rule, "References")
    sources = len(re.findall(r"^- ", references, re.MULTILINE)) + len(rule.findings)
    unknown = [each for each in rule.findings if each not in findings()]
    faults = [*_page_faults(rule), *(f"it cites {each}, which is not kept" for each in unknown)]
    if not sources:
        faults.append("it names no source")
    if tree is not None:
        faults += _case_faults(cases)
    if tree is not None and not _is_listed(rule, tree.index):
        faults.append("its line in docs/rules/README.md is missing or old: `make docs` writes it")
    return Review(rule, cases, sources, tuple(faults))


def _cases(rule: Rule, folder: Path) -> Cases | None:
    path = folder / f"{rule.id.replace('.', '/').replace('-', '_')}.toml"
    if not path.is_file():
        return None
    cases = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    ends = Counter(case["expect"] for case in cases)
    return Cases(
        firing=sum(ends[word] for word in _FIRING),
        fine=ends["fine"],
        not_judged=ends["not judged"],
        not_applicable=ends["not applicable"],
        boundary=sum(bool(case.get("boundary")) for case in cases),
    )


def _case_faults(cases: Cases | None) -> Iterator[str]:
    if cases is None:
        yield "it has no cases"
        return
    counts = (
        (cases.firing, "in which it speaks up"),
        (cases.fine, "in which all is fine"),
        (cases.not_judged, "that it can't judge"),
        (cases.boundary, "at a boundary"),
    )
    yield from (f"it has no case {which}" for count, which in counts if not count)


def _page_faults(rule: Rule) -> Iterator[str]:
    if tuple(re.findall(r"^## (.+)$", rule.text, re.MULTILINE)) != SECTIONS:
        yield "its page lacks a section, or has them in another order"
    yield from (
        f'its page says nothing under "{name}"' for name in SECTIONS if not _section(rule, name)
    )


def _section(rule: Rule, name: str) -> str:
    """The text below a heading, "" when there is none."""
    after = re.split(rf"^## {re.escape(name)}$", rule.text, maxsplit=1, flags=re.MULTILINE)
    return (
        re.split(r"^## ", after[1], maxsplit=1, flags=re.MULTILINE)[0].strip() if after[1:] else ""
    )


def _is_listed(rule: Rule, index: Path) -> bool:
    return index.is_file() and index_row(rule) in index.read_text(encoding="utf-8").splitlines()
