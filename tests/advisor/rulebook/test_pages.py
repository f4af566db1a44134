"""The index of the rules is the one that ships, and a review finds what a rule lacks."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from advisor.knowledge.findings import findings
from advisor.rulebook.dates import PageDate, age_of, dated, digest
from advisor.rulebook.pages import index, page
from advisor.rulebook.review import SECTIONS, Tree, reviewed, source_tree
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.rulekit.versions import mysql

ROOT = Path(__file__).resolve().parents[3]
INDEX = ROOT / "docs" / "rules" / "README.md"
FIRST: Rule = all_rules()[0]


def test_the_index_in_docs_is_current() -> None:
    assert INDEX.read_text(encoding="utf-8") == index(all_rules()), "`make docs` writes it anew"


def test_a_page_tells_what_a_rule_is_about_and_what_it_stands_on() -> None:
    finding = next(iter(findings().values()))
    rule = replace(
        FIRST,
        applies_to=(mysql("8.0.30"),),
        findings=(finding.id,),
        waits_for=("storage.page-size",),
    )
    text = page(rule)
    assert text.startswith(f"# {rule.title}\n\n- Rule: `{rule.id}`, since {rule.since}\n")
    assert "- Servers: MySQL from 8.0.30\n" in text
    assert "- Waits for: `storage.page-size`\n" in text
    assert finding.statement in text.split("## Published findings")[1]
    assert finding.source in text
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        *SECTIONS,
        "Facts",
        "Published findings",
    ]


def test_the_index_links_every_rule() -> None:
    links = re.findall(r"\]\(([^)]+)\)", index(all_rules()))
    assert len(links) == len(all_rules())
    for link in links:
        assert (INDEX.parent / link.partition("#")[0]).is_file(), link


def test_docs_on_servers_link_to_rules_that_are_there() -> None:
    docs = ROOT / "docs"
    links = re.findall(r"\]\((\.\./advisor/[^)]+)\)", (docs / "servers.md").read_text("utf-8"))
    assert links
    assert [link for link in links if not (docs / link).is_file()] == []


def test_every_rule_is_complete() -> None:
    tree = source_tree(ROOT)
    assert tree is not None
    for review in reviewed(all_rules(), tree):
        assert review.faults == (), review.rule.id
        assert review.cases is not None
        assert review.cases.total >= 3


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path / "cases", tmp_path / "README.md")
    made.index.write_text(index([FIRST]), encoding="utf-8")
    cases = made.cases / f"{FIRST.id.replace('.', '/').replace('-', '_')}.toml"
    cases.parent.mkdir(parents=True)
    cases.write_text(
        '[[case]]\nexpect = "recommend"\nboundary = true\n[[case]]\nexpect = "fine"\n'
        '[[case]]\nexpect = "not applicable"\n',
        encoding="utf-8",
    )
    return made


def test_a_review_names_what_is_missing(tree: Tree) -> None:
    (found,) = reviewed([FIRST], tree)
    assert found.cases is not None
    assert (found.cases.firing, found.cases.fine, found.cases.boundary) == (1, 1, 1)
    assert found.cases.not_applicable == 1
    assert found.faults == ("it has no case that it can't judge",)


def test_a_review_finds_stale_lines_and_unknown_sources(tree: Tree) -> None:
    changed = replace(
        FIRST, title="Another title", text=FIRST.text.replace("## Why it matters", "## Why")
    )
    (found,) = reviewed([changed], tree)
    assert "its page lacks a section, or has them in another order" in found.faults
    assert 'its page says nothing under "Why it matters"' in found.faults
    assert any("missing or old" in fault for fault in found.faults)
    (cited,) = reviewed([replace(FIRST, findings=("F9999",))], None)
    assert cited.faults == ("it cites F9999, which is not kept",)
    assert cited.cases is None


def test_a_rule_without_cases_or_page_is_told(tmp_path: Path) -> None:
    (found,) = reviewed([FIRST], Tree(tmp_path, tmp_path / "README.md"))
    assert "it has no cases" in found.faults
    assert any("line in docs/rules/README.md is missing" in fault for fault in found.faults)


def test_every_page_has_the_day_of_its_text() -> None:
    undated = [rule.id for rule in all_rules() if age_of(rule).written is None]
    assert not undated, "`make docs` writes them anew"


def test_a_page_that_changes_gets_a_new_day_and_no_other_does() -> None:
    first, second = date(2026, 1, 2), date(2026, 3, 4)
    other = next(rule for rule in all_rules() if rule.page != FIRST.page)
    known = {rule.page: PageDate(first, digest(rule)) for rule in (FIRST, other)}
    written = dated([replace(FIRST, text=f"{FIRST.text}\nMore."), other], known, second)
    assert f'"{FIRST.page}" = ["2026-03-04"' in written
    assert f'"{other.page}" = ["2026-01-02"' in written


def test_a_rule_is_as_old_as_its_page_and_its_sources() -> None:
    dates = {name: each.date for name, each in findings().items() if each.date}
    oldest, newest = min(dates, key=dates.__getitem__), max(dates, key=dates.__getitem__)
    age = age_of(replace(FIRST, findings=(newest, oldest)))
    assert age.published == (dates[oldest], dates[newest])
    assert age.written is not None
    assert age.days(age.written + timedelta(days=3)) == 3
    assert age_of(replace(FIRST, text="other")).days(age.written) is None
