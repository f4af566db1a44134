"""The pages for contributors: what they show is the program's own, and what they name is there."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "contributing"
SHOWN = {
    "a-new-target-field.md": ("app/fields/target.py", "    "),
    "a-new-probe.md": ("probes/kinds/redo.py", ""),
}
"""Where the code of a page stands, and how far it is indented there."""

TRIED = {"a-new-importer.md", "a-new-report-section.md", "a-new-rule.md"}
"""Pages that write something new: tests of their own make the files, and run them."""

BUILT = {"resources/commit.txt"}


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_shows_the_code_as_it_is(page: str) -> None:
    path, by = SHOWN[page]
    (block,) = re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(encoding="utf-8"), re.S)
    assert indent(block, by) in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [ROOT / "CONTRIBUTING.md", *sorted(PAGES.glob("*.md"))])
def test_what_a_page_names_is_there(page: Path) -> None:
    named = re.findall(
        # Alone, or in a command.
        r"`(?:[^`\n]*\s)?((?:app|advisor|probes|resources|tests|packaging|benchmarks|docs)/[\w./-]+)"
        r"(?:\s[^`\n]*)?`",
        page.read_text(encoding="utf-8"),
    )
    gone = {name for name in named if not (ROOT / name).exists()} - BUILT
    assert page.name in TRIED or gone == set()


def test_the_first_page_is_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_bytes()) <= 5 << 10
