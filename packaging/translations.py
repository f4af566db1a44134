"""Gathers the window's texts into the catalogues of ``resources/languages``, and compiles these.

``de.ts`` is what a translator edits, by hand or in Qt Linguist; ``de.qm`` is what the window reads.
Both are kept in the tree, so that no build needs Qt's tools. Run this after a text has changed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ROOT / "resources" / "languages"

_ALIASES = "tr+=tr_n,QT_TR_NOOP+=tr_later"
"""Functions of app/runtime/translation.py that lupdate shall take for its own."""


def catalogues() -> list[Path]:
    """One for each language."""
    return sorted(LANGUAGES.glob("*.ts"))


def gather(catalogue: Path) -> None:
    """Add what is new in the sources, marked as unfinished, and drop what is gone."""
    sources = [str(path) for path in sorted((ROOT / "app").rglob("*.py"))]
    # Without line numbers, so that only a changed text changes the catalogue.
    form = ["-no-obsolete", "-locations", "none", "-sort-messages", "-disable-heuristic"]
    form += ["similartext", "-target-language", catalogue.stem, "-tr-function-alias", _ALIASES]
    _call("pyside6-lupdate", "-silent", *form, *sources, "-ts", str(catalogue))


def compile_into(catalogue: Path, compiled: Path) -> None:
    """Make what the window reads."""
    _call("pyside6-lrelease", "-silent", str(catalogue), "-qm", str(compiled))


def _call(tool: str, *arguments: str) -> None:
    subprocess.run([str(Path(sys.executable).parent / tool), *arguments], check=True)


def main() -> int:
    """Bring all catalogues up to date; 1 where a text has no translation yet."""
    unfinished = 0
    for catalogue in catalogues():
        gather(catalogue)
        compile_into(catalogue, catalogue.with_suffix(".qm"))
        left = catalogue.read_text(encoding="utf-8").count('type="unfinished"')
        sys.stdout.write(f"{catalogue.name}: {left} texts to translate\n")
        unfinished += left
    return 1 if unfinished else 0


if __name__ == "__main__":
    sys.exit(main())
