"""Writes the thresholds of trust into docs/probes/trust.md, between the marks that are in it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PAGE = ROOT / "docs" / "probes" / "trust.md"


def main() -> int:
    """Write the page anew."""
    from probes.trust.thresholds import documented

    text = PAGE.read_text(encoding="utf-8")
    for mark, part in documented().items():
        begin, end = f"<!-- {mark} -->\n", f"\n<!-- /{mark} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            sys.exit(f"{PAGE.relative_to(ROOT)} has no place for {mark}.")
        text = before + begin + part + end + after
    PAGE.write_text(text, encoding="utf-8")
    print(f"thresholds in {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
