"""Writes docs/rules/ from the rules; pages of rules that are gone are removed."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

FOLDER = ROOT / "docs" / "rules"


def main() -> int:
    """Write every page whose text has changed."""
    from advisor.rulebook.pages import pages
    from advisor.rulekit.registry import all_rules

    wanted = {FOLDER / place: text for place, text in pages(all_rules()).items()}
    for path in FOLDER.rglob("*.md"):
        if path not in wanted:
            path.unlink()
    written = 0
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written += 1
    print(f"{len(wanted)} pages in {FOLDER.relative_to(ROOT)}, {written} of them written anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
