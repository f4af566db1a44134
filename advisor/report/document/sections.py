"""The sections of reports by their names, and a document that holds some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any

from advisor.report.document.blocks import (
    Block,
    Document,
    Heading,
    Paragraph,
    TextSpan,
    plain,
    rebuilt,
)
from advisor.report.document.cover import Cover
from probes.errors import UsageError

SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "summary": "What to decide",
        "roles": "By role",
        "under": "Under a server",
        "risks": "Risks",
        "seen": "Seen as another version",
        "advice": "Changes",
        "watch": "Keep an eye on",
        "plan": "Change plan",
        "forecast": "Today and after the plan",
        "tried": "What was tried",
        "what-if": "What if",
        "fine": "Fine as it is",
        "conditions": "Conditions",
        "glossary": "Terms",
        "evidence": "Evidence of each change",
        "drive": "What the drive gives",
        "work": "The server's own work",
        "pool": "Sizes of the buffer pool",
        "curves": "Measured curves",
        "open": "Open questions",
        "minor": "Minor",
        "not-judged": "What was not judged, and why",
        "looked-at": "Why it is fine",
        "not-applicable": "Not about this server",
        "published": "Published findings behind the advice",
        "reproduce": "How to reproduce it",
    }
)
"""Headings by the names that templates choose them by; a comparison and a run have some each."""

APPENDIX = frozenset(
    {
        *("evidence", "drive", "work", "pool", "curves", "open", "minor", "not-judged"),
        *("looked-at", "not-applicable", "published", "reproduce"),
    }
)
"""What proves a report: for those who check it."""

OF_COMPARISON = ("summary", "roles", "under", "curves", "conditions", "glossary", "reproduce")
OF_RUN = tuple(name for name in SECTIONS if name not in ("roles", "under"))
"""What each kind of report can have."""

_OPENING = ("About this report", "about")


def section(
    name: str, blocks: Iterable[Block], *, new_page: bool = False, title: str = ""
) -> Iterator[Block]:
    """A section with its heading, ``title`` or the usual one; nothing where it has no block."""
    inside = tuple(blocks)
    if inside:
        yield Heading(1, title or SECTIONS[name], name, new_page)
        yield from inside


def paragraphs(opening: str) -> list[str]:
    """What was typed to stand before all else, each paragraph in one line."""
    return [" ".join(each.split()) for each in opening.split("\n\n") if each.strip()]


def opened(cover: Cover) -> list[Block]:
    """What its maker says before the sections; nothing where that is nothing."""
    opening = [Paragraph(plain(each)) for each in paragraphs(cover.opening)]
    return [Heading(1, *_OPENING, new_page=True), *opening] if opening else []


def holding(document: Document) -> Document:
    """The document with the sections that its cover asks for, and its maker's words before them.

    What led to a section that is left out leads nowhere. Raises UsageError where none is left.
    """
    cover, first = document.cover, opened(document.cover)
    if not first and cover.sections is None:
        return document
    names = chosen(cover, map(_name, document.blocks))
    kept = (*first, *_kept(document.blocks, names))
    anchors = set(_anchors(kept))

    def loosened(text: TextSpan | str) -> TextSpan | str:
        if isinstance(text, TextSpan) and text.to not in anchors:
            return replace(text, to="")
        return text

    return replace(document, blocks=rebuilt(kept, loosened))


def chosen(cover: Cover, there: Iterable[str]) -> Collection[str]:
    """The names of the sections that a report is to hold, of those that are ``there``.

    Raises UsageError where there is none of them.
    """
    names = [name for name in there if name and (cover.sections is None or name in cover.sections)]
    if not names:
        raise UsageError(
            "The report would hold no section: its template names none that this report has.",
            f"Sections are {', '.join(SECTIONS)}.",
        )
    return names


def _name(block: Block) -> str:
    """The section's that begins here, "" where none does."""
    return block.anchor if isinstance(block, Heading) and block.level == 1 else ""


def _kept(blocks: Iterable[Block], names: Collection[str]) -> Iterator[Block]:
    wanted = True
    for block in blocks:
        if name := _name(block):
            wanted = name in names
        if wanted:
            yield block


def _anchors(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for each in value:
            yield from _anchors(each)
    elif is_dataclass(value) and not isinstance(value, type):
        yield getattr(value, "anchor", "")
        for each in fields(value):
            yield from _anchors(getattr(value, each.name))
