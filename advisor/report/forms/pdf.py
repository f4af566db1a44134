"""A document as PDF: A4 or Letter, with an outline and links; and its pages as pictures.

``resources/report/document.typ`` lays it out. Texts come to it as data: none is read as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from advisor.report.document.blocks import Bar, Document, Graph
from advisor.report.document.plot import Plot
from advisor.report.document.templates import Paper
from advisor.report.forms.html import drawn
from advisor.report.safe_text import visible
from probes.errors import LeadlineError, UsageError

if TYPE_CHECKING:
    from typst import Fonts

_SHORT = 100
"""Letters of the title at the foot of a page."""

_REMEMBERED = 12
"""Documents after which Typst has dropped what it kept of one."""

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
    made: bytes = _made(document, paper, format="pdf")
    return made


def to_pages(document: Document, paper: Paper, dots_per_inch: float) -> PdfPages:
    """The PDF and its pictures; raises UsageError where the logo can't be drawn.

    For a window, which lives on: what Typst keeps of the document is let go.
    """
    try:
        pdf = to_pdf(document, paper)
        pictures = _made(document, paper, format="png", ppi=dots_per_inch)
    finally:
        _let_go()
    return PdfPages(pdf, tuple([pictures] if isinstance(pictures, bytes) else pictures))


def _let_go() -> None:
    """Empty Typst's memory of documents: with each that it makes, it drops what is older than ten.

    Else every look at a report keeps 15 MB more, up to 130 MB; this takes some 25 ms.
    """
    try:
        import typst  # noqa: PLC0415 - as below
    except ModuleNotFoundError:
        return
    fonts = _fonts(False)
    for _ in range(_REMEMBERED):
        typst.compile(b"", font_paths=fonts)


def _made(document: Document, paper: Paper, **form: Any) -> Any:
    try:
        with TemporaryDirectory(prefix="leadline-") as folder:
            return _compiled(document, paper, Path(folder), form)
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
        _made(replace(document, cover=replace(cover, logo=None)), paper, **form)
        raise UsageError(
            "The logo can't be drawn: its picture is damaged.",
            "Save it again as PNG or plain SVG, or leave it out.",
        ) from error


def _compiled(document: Document, paper: Paper, folder: Path, form: Mapping[str, Any]) -> Any:
    """What Typst makes of it; it reads what it is handed, and the logo in ``folder``."""
    try:
        import typst  # noqa: PLC0415 - a large library, for paper alone
    except ModuleNotFoundError as error:
        raise UsageError(
            "The package that lays out PDF pages is not installed.",
            "Add it: pipx inject leadline typst, or pip install 'leadline[pdf]'. Or write .html"
            " and print that.",
        ) from error

    content = _document_json(document, paper)
    template = resources.files("resources") / "report" / "document.typ"
    files: Any = {"main.typ": template.read_bytes(), "document.json": content.encode()}
    if document.cover.logo is not None:
        (folder / "logo").write_bytes(document.cover.logo.content)
    fonts = _fonts(_ELSEWHERE.search(content) is not None)
    return typst.compile(files, root=folder, font_paths=fonts, **form)


@cache
def _fonts(from_system: bool) -> Fonts:
    """Those that come along; looking through the system's takes a millisecond for each file.

    No other thread runs meanwhile: they are asked for where a document needs them, and once.
    """
    from typst import Fonts  # noqa: PLC0415 - as above

    ours = str(resources.files("resources") / "fonts")
    return Fonts(include_system_fonts=from_system, font_paths=[ours])


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
