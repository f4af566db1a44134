"""Builds the documentation: rules' pages, limits of trust, proofs, and the site in build/site/.

Everything of the site is gathered in build/site-source/ first: the tree's pages with their links
turned into the site's, and the reference, written from commands, rules, variables and schemas.
Strict: a link or a heading that is not there ends it, and so does a page that no list of the site
has. The site needs no server and loads nothing from elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from docs.build import commands, proofs, rule_pages, schema_pages, tree_pages, variable_pages
from docs.build.tree_pages import ROOT
from probes.trust.thresholds import documented

TRUST = ROOT / "docs" / "probes" / "trust.md"
SOURCE = ROOT / "build" / "site-source"
SITE = ROOT / "build" / "site"
KEPT = ROOT / "build" / "site-kept"
"""What Sphinx keeps, so that a page that has not changed is not read again."""

_LOADED = re.compile(
    r'<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)="((?:https?:)?//[^"]*)"'
)

NAVIGATION = {
    "Start": ("install", "tutorial"),
    "How to": (
        "how-to/connect",
        "how-to/containers",
        "how-to/tune-a-server",
        "how-to/report-to-a-client",
        "how-to/choose-a-drive",
        "how-to/collect",
        "lab",
        "trial",
        "compare",
        "reports",
        "imports",
        "server-texts",
        "assistant",
    ),
    "Background": (
        "advice",
        "change-plan",
        "model",
        "watch",
        "plans",
        "probes/trust",
        "safety",
        "threat-model",
        "logins",
    ),
    "Evidence": ("right-about", "servers", "benchmarks/*"),
    "Reference": (
        "command-line",
        "reference/commands/index",
        "reference/rules/index",
        "reference/variables/index",
        "probes/README",
        "engines",
        "import-csv",
        "reference/documents/index",
        "store",
        "reference/agent-protocol",
        "reference/load-protocol",
        "glossary",
    ),
    "Taking part": (
        "contributing",
        "contributing/house",
        "contributing/a-new-rule",
        "contributing/a-new-importer",
        "contributing/a-new-report-section",
        "contributing/a-new-probe",
        "contributing/a-new-target-field",
        "contributing/rules",
        "contributing/probes",
        "contributing/windows",
        "contributing/tests",
        "contributing/packages",
        "visual-language",
        "changelog",
    ),
}
"""The lists in the site's margin: each page once. An index has the pages of its folder below it."""


def main() -> int:
    """Write what is kept, gather the pages, and build the site of them; Sphinx's exit code."""
    rule_pages.write()
    for path, parts in written().items():
        path.write_text(with_parts(path, parts), encoding="utf-8")
    if "--clean" in sys.argv[1:]:
        for folder in (SOURCE, SITE, KEPT):
            shutil.rmtree(folder, ignore_errors=True)
    gather()
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--jobs", "auto", "--quiet"]
    strict = ["--fail-on-warning", "--keep-going", "--nitpicky"]
    places = ["--doctree-dir", str(KEPT), str(SOURCE), str(SITE)]
    code = subprocess.run([*command, *strict, *places], check=False).returncode
    if code:
        return code
    built = {path: loaded_from_elsewhere(path.read_text("utf-8")) for path in SITE.rglob("*.html")}
    for path, found in built.items():
        for address in found:
            print(f"{path.relative_to(ROOT)} loads {address}.", file=sys.stderr)
    print(f"{len(built)} pages in {SITE.relative_to(ROOT)}: open index.html there.")
    return int(any(built.values()))


def written() -> dict[Path, dict[str, str]]:
    """Pages that are written in part: what stands between which marks."""
    return {TRUST: documented()} | {
        each: proofs.parts(each) for each in (proofs.README, proofs.PAGE)
    }


def with_parts(path: Path, parts: Mapping[str, str]) -> str:
    """The page with each part between the marks that are in it."""
    text = path.read_text(encoding="utf-8")
    for mark, part in parts.items():
        begin, end = f"<!-- {mark} -->\n", f"\n<!-- /{mark} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            sys.exit(f"{path.relative_to(ROOT)} has no place for {mark}.")
        text = before + begin + part + end + after
    return text


def loaded_from_elsewhere(page: str) -> list[str]:
    """The addresses from which a page of HTML would load something on its own."""
    return _LOADED.findall(page)


def gather() -> None:
    """Write all that Sphinx reads; what is as it was stays untouched."""
    texts = pages()
    files = {place: text.encode() for place, text in texts.items()} | dict(_files())
    for old in [path for path in SOURCE.rglob("*") if path.is_file()]:
        if old.relative_to(SOURCE).as_posix() not in files:
            old.unlink()
    for place, content in files.items():
        path = SOURCE / place
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def pages() -> dict[str, str]:
    """Every page of the site by its place, with the lists of the margin."""
    texts = {tree_pages.place(path): tree_pages.page(path) for path in tree_pages.taken()}
    for made in (commands, rule_pages, schema_pages, variable_pages):
        texts |= made.pages()
    texts["index.md"] += "".join(
        _contents(title, entries, hidden=True) for title, entries in NAVIGATION.items()
    )
    for place in texts:
        folder, _, name = place.rpartition("/")
        if folder and name in ("index.md", "README.md"):
            below = sorted(_below(folder, texts) - {place.removesuffix(".md")} - _listed(texts))
            texts[place] += _contents("", [f"/{each}" for each in below], hidden=True)
    return texts


def _below(folder: str, texts: Mapping[str, str]) -> set[str]:
    return {place.removesuffix(".md") for place in texts if place.rpartition("/")[0] == folder}


def _listed(texts: Mapping[str, str]) -> set[str]:
    """The pages that the lists of the margin name themselves."""
    names = {name for entries in NAVIGATION.values() for name in entries}
    return {place.removesuffix(".md") for place in texts} & names


def _contents(title: str, entries: list[str] | tuple[str, ...], *, hidden: bool) -> str:
    options = [f":caption: {title}"] if title else []
    options += [":glob:"] if any("*" in entry for entry in entries) else []
    options += [":hidden:"] if hidden else []
    return "\n".join(("\n```{toctree}", *options, "", *entries, "```\n"))


def _files() -> Iterator[tuple[str, bytes]]:
    """What is no page: pictures, style, fonts, icon, settings of Sphinx."""
    for path in tree_pages.taken():
        text = (ROOT / path).read_text(encoding="utf-8")
        for picture in tree_pages.pictures(text, path):
            yield tree_pages.place(picture), (ROOT / picture).read_bytes()
    resources = ROOT / "resources"
    yield "conf.py", (ROOT / "docs" / "conf.py").read_bytes()
    yield "_static/site.css", (ROOT / "docs" / "site.css").read_bytes()
    for name in ("leadline.svg", "leadline-64.png"):
        yield f"_static/{name}", (resources / "icons" / name).read_bytes()
    for font in sorted((resources / "fonts").iterdir()):
        yield f"_static/fonts/{font.name}", font.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
