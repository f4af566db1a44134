"""Writes the rules' pages into build/rules/, and their index into docs/rules/."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

INDEX = ROOT / "docs" / "rules" / "README.md"
PAGES = ROOT / "build" / "rules"


def main() -> int:
    """Write every page anew."""
    from advisor.rulebook.pages import index, page, page_path
    from advisor.rulekit.registry import all_rules

    rules = all_rules()
    INDEX.write_text(index(rules), encoding="utf-8")
    shutil.rmtree(PAGES, ignore_errors=True)
    for rule in rules:
        path = PAGES / page_path(rule)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(rule), encoding="utf-8")
    print(f"{INDEX.relative_to(ROOT)} and {len(rules)} pages in {PAGES.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
