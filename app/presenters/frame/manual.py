"""The documentation in the window: pages in sections, each found by the words in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath

from app.presenters.frame.help_topics import ABOUT, GLOSSARY, KEYS, MANUAL
from app.presenters.frame.shortcuts import SHORTCUTS
from app.runtime.translation import tr

PACKED = "manual.json"
"""All pages in one file of the resources, which a build writes."""

PAGES = (
    GLOSSARY,
    MANUAL,
    "how-to/connect",
    "how-to/tune-a-server",
    "how-to/report-to-a-client",
    "how-to/choose-a-drive",
    "how-to/containers",
    "how-to/collect",
    "watch",
    "advice",
    "change-plan",
    "trial",
    "lab",
    "compare",
    "reports",
    "imports",
    "server-texts",
    "plans",
    "probes/trust",
    "safety",
    "logins",
    "command-line",
    "engines",
    "import-csv",
    "install",
)
"""The pages of ``docs/`` that are for users, in the order of the list."""

_DOCS = Path(__file__).resolve().parents[3] / "docs"
_UNSEEN = re.compile(r"<!--.*?-->\n?|!\[[^\]]*\]\([^)]*\)\n?", re.DOTALL)
"""Marks for programs, and pictures, which are not shipped."""

_LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s]+)\)")
SCHEME = "manual:"
"""How a link to another page of it begins."""


@dataclass(frozen=True, slots=True)
class HelpSection:
    """A part of a page: ``heading`` is "" for what stands above the first; ``text`` is Markdown."""

    page: str
    title: str
    heading: str
    text: str

    @property
    def name(self) -> str:
        """What it is called in a list of sections of several pages."""
        return f"{self.title}: {self.heading}" if self.heading else self.title

    @property
    def shown(self) -> str:
        """Its text under its own heading, with links that the window can follow."""
        return f"## {self.heading or self.title}\n\n{_linked(self.text, self.page)}"


def of_tree(docs: Path = _DOCS) -> dict[str, str]:
    """The pages as they lie in the source tree, by name."""
    return {name: (docs / f"{name}.md").read_text(encoding="utf-8") for name in PAGES}


@cache
def manual() -> tuple[HelpSection, ...]:
    """All sections: the keys, then the documentation, at last the licences."""
    packed = files("resources").joinpath(PACKED)
    in_tree = (_DOCS.parent / "packaging").is_dir() and (_DOCS / f"{GLOSSARY}.md").is_file()
    # What was packed in a source tree may be older.
    told: Mapping[str, str] = of_tree() if in_tree else json.loads(packed.read_text("utf-8"))
    about = files("resources").joinpath("texts", "about.md").read_text("utf-8")
    keys, licences = tr("Keyboard"), tr("About Leadline")
    return (
        *_sections(KEYS, f"# {keys}\n\n{_keys()}"),
        *(section for name, text in told.items() for section in _sections(name, text)),
        *_sections(ABOUT, f"# {licences}\n\n{about}"),
    )


def found(sections: Iterable[HelpSection], typed: str) -> list[HelpSection]:
    """The sections with all of these words: who is called so first, then who explains the term."""
    words = typed.casefold().split()
    ranked = [(_rank(one, words, typed.casefold().strip()), one) for one in sections]
    return [one for rank, one in sorted(ranked, key=lambda each: each[0]) if rank < len(_RANKS)]


_RANKS = ("called", "term", "named", "said")


def _rank(one: HelpSection, words: list[str], typed: str) -> int:
    name, text = one.name.casefold(), one.text.casefold()
    if typed in (one.title.casefold(), one.heading.casefold()):
        return 0
    if one.page == GLOSSARY and f"| {typed}" in text:
        return 1
    if all(word in name for word in words):
        return 2
    return 3 if all(word in name or word in text for word in words) else len(_RANKS)


def led_to(link: str) -> HelpSection | None:
    """The section that a link within the manual leads to; None for any other link."""
    if not link.startswith(SCHEME):
        return None
    page, _, anchor = link.removeprefix(SCHEME).partition("#")
    of_page = [one for one in manual() if one.page == page]
    named = (one for one in of_page if anchor and _anchor(one.heading) == anchor)
    return next(named, of_page[0] if of_page else None)


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


def _sections(page: str, text: str) -> Iterator[HelpSection]:
    head, *parts = re.split(r"^## ", _UNSEEN.sub("", text), flags=re.MULTILINE)
    title, _, first = head.removeprefix("# ").partition("\n")
    if first.strip() or not parts:
        yield HelpSection(page, title.strip(), "", first.strip())
    for part in parts:
        heading, _, below = part.partition("\n")
        yield HelpSection(page, title.strip(), heading.replace("`", "").strip(), below.strip())


def _keys() -> str:
    tables = (
        "\n".join(
            (
                f"## {title}\n",
                "| Keys | What they do |",
                "| --- | --- |",
                *(f"| {k} | {d} |" for k, d in keys),
            )
        )
        for title, keys in SHORTCUTS
    )
    return "\n\n".join(tables)


def _linked(text: str, page: str) -> str:
    """Links to pages that are here lead there, those to the web stay, of others the words do."""

    def led(link: re.Match[str]) -> str:
        words, target = link[1], link[2]
        if target.startswith(("https:", "http:")):
            return link[0]
        path, _, anchor = target.partition("#")
        there = _beside(page, path) if path else page
        if there not in PAGES:
            return words
        return f"[{words}]({SCHEME}{there}{'#' if anchor else ''}{anchor})"

    return _LINK.sub(led, text)


def _beside(page: str, path: str) -> str:
    """The name of the page that a link on a page means."""
    parts: list[str] = []
    for part in (*PurePosixPath(page).parent.parts, *PurePosixPath(path).parts):
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    return "/".join(parts).removesuffix(".md")
