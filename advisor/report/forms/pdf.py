"""A document as PDF: A4 or Letter, with an outline and links; and its pages as pictures.

``resources/report/document.typ`` lays it out. Texts come to it as data: none is read as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from advisor.report.document.blocks import Bar, Document, Graph
from advisor.report.document.plot import Plot
from advisor.report.document.templates import Paper
from advisor.report.forms.html import drawn
from advisor.report.forms.typesetting import TypstSources, typeset, typeset_apart
from advisor.report.safe_text import visible
from probes.errors import LeadlineError, UsageError

Made = TypeVar("Made")

_SHORT = 100
"""Letters of the title at the foot of a page."""

_PDF = {"format": "pdf"}

_ELSEWHERE = re.compile("[^\0-\u0530\u1e00-\u2bff\ufffd]")
"""Letters beyond Latin, Greek and Cyrillic ones and signs: no font that comes along has them."""


@dataclass(frozen=True, slots=True)
class PdfPages:
    """A document on paper: its file, and each page as a picture (PNG)."""

    pdf: bytes
    pictures: tuple[bytes, ...]


def to_pdf(document: Document, paper: Paper) -> bytes:
    """The PDF's bytes: the same for the same document, as long as its letters are European ones.

    Raises UsageError where the logo can't be drawn or Typst is not installed.
    """

    def here(sources: TypstSources) -> bytes:
        (made,) = typeset(sources, _PDF)
        return made

    return _made(document, paper, here)


def to_pages(document: Document, paper: Paper, dots_per_inch: float) -> PdfPages:
    """The PDF and its pictures, from a process of its own; raises UsageError as ``to_pdf`` does."""

    def apart(sources: TypstSources) -> PdfPages:
        (pdf,), pictures = typeset_apart(sources, (_PDF, {"format": "png", "ppi": dots_per_inch}))
        return PdfPages(pdf, tuple(pictures))

    return _made(document, paper, apart)


def _made(document: Document, paper: Paper, make: Callable[[TypstSources], Made]) -> Made:
    try:
        with TemporaryDirectory(prefix="leadline-") as folder:
            return make(_sources(document, paper, Path(folder)))
    except OSError as error:
        raise LeadlineError(
            f"The PDF can't be made: {error.strerror}.", "Make room for temporary files."
        ) from error
    except RuntimeError as error:
        cover = document.cover
        if cover.logo is None:
            raise LeadlineError(
                f"The PDF can't be made: {error}.", "Write .html and print that."
            ) from error
        # Whether the logo is at fault is seen when all else can be laid out.
        _made(replace(document, cover=replace(cover, logo=None)), paper, make)
        raise UsageError(
            "The logo can't be drawn: its picture is damaged.",
            "Save it again as PNG or plain SVG, or leave it out.",
        ) from error


def _sources(document: Document, paper: Paper, folder: Path) -> TypstSources:
    """What Typst is handed; the logo lies in ``folder``."""
    content = _document_json(document, paper)
    if document.cover.logo is not None:
        (folder / "logo").write_bytes(document.cover.logo.content)
    ours = resources.files("resources")
    return TypstSources(
        {
            "main.typ": (ours / "report" / "document.typ").read_text("utf-8"),
            "document.json": content,
        },
        str(folder),
        str(ours / "fonts"),
        system_fonts=_ELSEWHERE.search(content) is not None,
    )


def _document_json(document: Document, paper: Paper) -> str:
    """What the template reads, as JSON."""
    cover = document.cover
    content = {
        "paper": paper.value,
        "title": document.title,
        "short": " ".join(document.title.split())[:_SHORT],
        "author": cover.author,
        "confidential": cover.confidential,
        "logo": cover.logo is not None,
        "rows": cover.rows,
        "facts": document.facts,
        "notice": document.notice,
        "blocks": document.blocks,
        "last": document.last,
    }
    return json.dumps(_coded(content), ensure_ascii=False)


def _coded(value: Any) -> Any:
    """A part of a document as JSON has it: drawings as SVG, each block with its kind."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, tuple | frozenset):
        return [_coded(each) for each in value]
    if isinstance(value, dict):
        return {name: _coded(each) for name, each in value.items()}
    if not is_dataclass(value):
        return value
    found: dict[str, Any] = {"kind": type(value).__name__}
    for each in fields(value):
        found[each.name] = _coded(getattr(value, each.name))
    match value:
        case Bar():
            found["svg"] = drawn("bar", value)
        case Plot():
            about = visible(f"{value.title} along {value.below}")
            found = {"about": about, "svg": drawn("plot", value)}
        case Graph():
            found["names"] = [
                {"name": visible(name), "svg": drawn("sign", number)}
                for number, name in enumerate(value.names, 1)
                if name
            ]
    return found
