"""The changelog has an entry for the version that the tree declares, in the usual form."""

from __future__ import annotations

import re

from build_agent import project_version

from tests.conftest import ROOT

ENTRY = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (Unreleased|\d{4}-\d{2}-\d{2})$", re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_has_an_entry_with_content() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    entries = list(ENTRY.finditer(text))
    assert [found[0] for found in entries] == headings
    assert entries[0][1] == project_version(ROOT)
    end = entries[1].start() if len(entries) > 1 else len(text)
    assert re.search(r"^- .", text[entries[0].end() : end], re.MULTILINE)


def test_an_entry_is_ordered_by_kinds_of_changes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= KINDS
